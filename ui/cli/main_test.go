package cli_test

import (
	"testing"

	"pelscope/redisx/private/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }
