package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"capgraph/testing/longtest"
)

// TestMain lets scripts call this program as a process of its own.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"capgraph": main})
}

// TestScripts runs the commands as a person would, over the files of
// testdata/script.
func TestScripts(t *testing.T) {
	repository, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("SAMPLES", filepath.Join(repository, "testdata"))
			env.Setenv("RECIPE", filepath.Join(repository, "pipeline.yaml"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"samebytes": sameBytes,
			"damage":    damage,
			"pods":      pods,
			"code":      code,
		},
		Condition: func(name string) (bool, error) {
			if name != "race" {
				return false, fmt.Errorf("there is no condition %q", name)
			}
			return longtest.Racing(), nil
		},
	})
}

// sameBytes fails unless the two folders hold the same files, but for the
// dataset card, which names the folder.
func sameBytes(ts *testscript.TestScript, neg bool, args []string) {
	a, b := hashes(ts, args[0]), hashes(ts, args[1])
	if (a == b) == neg {
		ts.Fatalf("%s holds\n%s%s holds\n%s", args[0], a, args[1], b)
	}
}

func hashes(ts *testscript.TestScript, dir string) string {
	var all strings.Builder
	root := ts.MkAbs(dir)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "README.md" {
			return err
		}
		data, err := os.ReadFile(path)
		sum := sha256.Sum256(data)
		all.WriteString(hex.EncodeToString(sum[:8]) + " " + strings.TrimPrefix(path, root) + "\n")
		return err
	})
	ts.Check(err)
	return all.String()
}

// code runs capgraph and fails unless it ends with that exit code.
func code(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec("capgraph", args[1:]...)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || strconv.Itoa(exit.ExitCode()) != args[0] {
		ts.Fatalf("want exit code %s, got %v", args[0], err)
	}
}

// damage flips a bit in the middle of a file.
func damage(ts *testscript.TestScript, _ bool, args []string) {
	path := ts.MkAbs(args[0])
	data, err := os.ReadFile(path)
	ts.Check(err)
	data[len(data)/2] ^= 4
	ts.Check(os.WriteFile(path, data, 0o666))
}
