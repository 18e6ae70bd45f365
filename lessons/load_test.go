package lessons

import (
	"os"
	"testing"
)

func TestGood(t *testing.T) {
	l, err := LoadDir(os.DirFS("testdata"), "good")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", l)
}
