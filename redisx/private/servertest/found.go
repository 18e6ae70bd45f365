package servertest

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"pelscope/redisx/private"
)

// Environment variables that tests obey.
const (
	serversVar = "PELSCOPE_SERVERS"
	requireVar = "PELSCOPE_REQUIRE_SERVERS"
)

// find gives the servers of PATH and of the list, each version once: Redis before Valkey, older before newer.
// A listed one that will not do is an error, one on PATH that will not do is not there.
func find(list string) ([]private.Binary, error) {
	var found []private.Binary
	var wrong []error
	add := func(b private.Binary) {
		if !slices.ContainsFunc(found, func(f private.Binary) bool { return f.String() == b.String() }) {
			found = append(found, b)
		}
	}
	for _, name := range []string{"redis-server", "valkey-server"} {
		if _, err := exec.LookPath(name); err != nil {
			continue
		}
		if b, err := private.Find(name); err == nil {
			add(b)
		}
	}
	for _, path := range filepath.SplitList(list) {
		b, err := private.Find(path)
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		add(b)
	}
	slices.SortStableFunc(found, func(a, b private.Binary) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), compareVersions(a, b))
	})
	return found, errors.Join(wrong...)
}

func compareVersions(a, b private.Binary) int {
	var x, y [3]int
	fmt.Sscanf(a.Version, "%d.%d.%d", &x[0], &x[1], &x[2])
	fmt.Sscanf(b.Version, "%d.%d.%d", &y[0], &y[1], &y[2])
	return slices.Compare(x[:], y[:])
}

// missing checks found against what PELSCOPE_REQUIRE_SERVERS asks for: "", "1" for at least one, or a list
// of "8.6" (a Redis of that version), "valkey" or "valkey 9.1".
func missing(require string, found []private.Binary) error {
	switch require {
	case "", "0":
		return nil
	case "1":
		if len(found) == 0 {
			return errors.New("no real server found, and " + requireVar + "=1 asks for one")
		}
		return nil
	}
	var lacking []string
	for want := range strings.SplitSeq(require, ",") {
		want = strings.ToLower(strings.TrimSpace(want))
		if want != "" && !slices.ContainsFunc(found, func(b private.Binary) bool { return matches(b, want) }) {
			lacking = append(lacking, want)
		}
	}
	if len(lacking) == 0 {
		return nil
	}
	return fmt.Errorf("%s=%s, but there is no %s among %v", requireVar, require, strings.Join(lacking, ", "), found)
}

func matches(b private.Binary, want string) bool {
	name, version, _ := strings.Cut(strings.NewReplacer("-", " ", "@", " ").Replace(want), " ")
	if name[0] >= '0' && name[0] <= '9' {
		name, version = "redis", name
	}
	return strings.EqualFold(b.Name, name) && (version == "" || strings.HasPrefix(b.Version+".", version+"."))
}

// look is find and missing by the environment.
func look() ([]private.Binary, error) {
	found, err := find(os.Getenv(serversVar))
	return found, errors.Join(err, missing(os.Getenv(requireVar), found))
}
