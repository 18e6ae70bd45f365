package assets_test

import (
	"testing"

	"pelscope/assets"
	"pelscope/lessons"
)

func TestEveryLessonLoads(t *testing.T) {
	if _, err := lessons.LoadAll(assets.Lessons, "lessons"); err != nil {
		t.Error(err)
	}
}
