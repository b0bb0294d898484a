package build

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"capgraph"
	"capgraph/store"
)

func TestBuildIsThatOfTheBinary(t *testing.T) {
	const commit = "5d0f2c7c3b1c9f4e8a6b7d9e0f1a2b3c4d5e6f70"
	stamped := describeBuild(&debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: commit}, {Key: "vcs.modified", Value: "true"}, {Key: "-tags", Value: "cuda"}}})
	tail := runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
	if want := capgraph.Version + " (commit " + commit + ", modified) " + tail + " -tags cuda"; stamped.String() != want {
		t.Errorf("%s\nwant %s", stamped, want)
	}
	if got, want := describeBuild(&debug.BuildInfo{}).String(), capgraph.Version+" (commit unknown) "+tail; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// Processes of several builds record themselves at once, each as often as it likes.
func TestRecordedAtOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "builds")
	a, b := describeBuild(&debug.BuildInfo{}), describeBuild(&debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "x"}}})
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			if err := []Build{a, b}[i%2].Record(store.Local{}, dir); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	builds, err := Read(store.Local{}, dir)
	if err != nil || len(builds) != 2 || builds[0] == builds[1] || builds[0] != a && builds[0] != b || builds[1] != a && builds[1] != b {
		t.Errorf("%v, %v", builds, err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 2 {
		t.Errorf("%v, %v", files, err)
	}
}

func TestDamagedRecords(t *testing.T) {
	if builds, err := Read(store.Local{}, filepath.Join(t.TempDir(), "nowhere")); err != nil || builds != nil {
		t.Errorf("no folder: %v, %v", builds, err)
	}
	for name, damage := range map[string]func(file string) error{
		"cut off": func(file string) error { return os.Truncate(file, 20) },
		"changed": func(file string) error {
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			return os.WriteFile(file, []byte(strings.Replace(string(data), "go1", "go2", 1)), 0o600)
		},
		"renamed":    func(file string) error { return os.Rename(file, filepath.Join(filepath.Dir(file), "other.json")) },
		"no JSON":    func(file string) error { return os.WriteFile(file, []byte("x"), 0o600) },
		"very large": func(file string) error { return os.Truncate(file, maxFile+1) },
	} {
		dir := t.TempDir()
		if err := This().Record(store.Local{}, dir); err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		if err := damage(files[0]); err != nil {
			t.Fatal(err)
		}
		builds, err := Read(store.Local{}, dir)
		var damaged *DamagedError
		if !errors.As(err, &damaged) {
			t.Errorf("%s: %v, %v", name, builds, err)
		}
	}
}
