//go:build linux

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// mount puts a small file system in a folder; a test that may not skips.
func mount(t *testing.T, dir, options string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		t.Skipf("skipped: mounting a small file system needs root: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
}

// A disk that fills ends the run with what to do; once there is room, the next
// run finishes it.
func TestDiskFills(t *testing.T) {
	dir := workplace(t)
	out := filepath.Join(dir, "small")
	mount(t, out, "size=200k")
	must(t, program(dir, "whole"))
	said, err := program(dir, "small").CombinedOutput()
	if err == nil || !strings.Contains(string(said), "the disk is full: free some space and run again") {
		t.Fatalf("%v: %s", err, said)
	}
	if err := syscall.Mount("", out, "", syscall.MS_REMOUNT, "size=64m"); err != nil {
		t.Fatal(err)
	}
	must(t, program(dir, "small"))
	want, _ := tree(t, filepath.Join(dir, "whole"))
	got, _ := tree(t, out)
	equal(t, want, got)
}

// A folder that cannot be written to is named; one that is finished can be run
// over and verified.
func TestReadOnlyFolder(t *testing.T) {
	dir := workplace(t)
	out := filepath.Join(dir, "small")
	mount(t, out, "size=64m")
	readOnly := func() {
		if err := syscall.Mount("", out, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
			t.Fatal(err)
		}
	}
	readOnly()
	said, err := program(dir, "small").CombinedOutput()
	if err == nil || !strings.Contains(string(said), "the file system is read-only: choose another folder") {
		t.Errorf("%v: %s", err, said)
	}
	if err := syscall.Mount("", out, "", syscall.MS_REMOUNT, ""); err != nil {
		t.Fatal(err)
	}
	must(t, program(dir, "small"))
	readOnly()
	must(t, program(dir, "small"))
	verify := exec.Command("capgraph", "verify", out)
	must(t, verify)
}

// Too few open files end the run; with more, the next finishes it.
func TestFewOpenFiles(t *testing.T) {
	dir := workplace(t)
	c := program(dir, "few")
	limited := exec.Command("sh", "-c", `ulimit -n 9 && exec "$0" "$@"`)
	limited.Args = append(limited.Args, c.Args...)
	limited.Dir = dir
	var said bytes.Buffer
	limited.Stderr = &said
	if err := limited.Run(); err == nil || !strings.Contains(said.String(), "too many open files: raise the limit (ulimit -n)") {
		t.Errorf("%v: %s", err, said.String())
	}
	if failed, _ := filepath.Glob(filepath.Join(dir, "few/.capgraph/failed/*/*.json")); len(failed) > 0 {
		t.Errorf("the limit was recorded as a fault of the captions: %v", failed)
	}
	must(t, program(dir, "few"))
}

// A file that grows over the limit ends the run with what to do, and is held against no
// caption: once the limit is raised, the next run finishes it.
func TestFileTooLarge(t *testing.T) {
	dir := workplace(t)
	must(t, program(dir, "whole"))
	c := program(dir, "limited", "--set", "source.on_bad_file=skip")
	limited := exec.Command("sh", append([]string{"-c", `ulimit -f 8 && exec "$0" "$@"`, c.Path}, c.Args[1:]...)...)
	limited.Dir = dir
	said, err := limited.CombinedOutput()
	if err == nil || !strings.Contains(string(said), "file too large (the file is larger than the file system or a limit allows: raise the limit (ulimit -f)") {
		t.Fatalf("%v: %s", err, said)
	}
	must(t, program(dir, "limited"))
	want, _ := tree(t, filepath.Join(dir, "whole"))
	got, _ := tree(t, filepath.Join(dir, "limited"))
	equal(t, want, got)
}
