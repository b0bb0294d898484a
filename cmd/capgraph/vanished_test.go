package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A volume that goes away under a run is no reason to go on without its files: the run ends,
// nothing is recorded against them, and the next one makes the bytes of a run that saw them all.
func TestVolumeDisappears(t *testing.T) {
	dir := workplace(t)
	lines, err := os.ReadFile(filepath.Join(dir, "testdata/cc12m.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	volume := filepath.Join(dir, "volume")
	if err := os.Mkdir(volume, 0o777); err != nil {
		t.Fatal(err)
	}
	rows := bytes.SplitAfter(lines, []byte("\n"))
	const files = 10
	for i := range files {
		put(t, filepath.Join(volume, fmt.Sprintf("%d.tsv", i)), bytes.Join(rows[i*20:i*20+20], nil))
	}
	call := func(out string) *exec.Cmd {
		return program(dir, out, "--workers", "1", "--set", "source.paths=volume/*.tsv", "--set", "source.on_bad_file=skip", "--set", "source.max_bad_files=1")
	}
	must(t, call("whole"))
	gone := call("out")
	var said bytes.Buffer
	gone.Stderr = &said
	if err := gone.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- gone.Wait() }()
	done := func(pattern string) []string {
		names, err := filepath.Glob(filepath.Join(dir, "out/.capgraph", pattern))
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
	for end := time.Now().Add(time.Minute); len(done("entries/parse/*.json")) == 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond / 4)
	}
	if err := os.Rename(volume, volume+".away"); err != nil {
		t.Fatal(err)
	}
	err = <-ended
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitFailed {
		t.Errorf("%v: %s", err, said.String())
	}
	if want := "no such file: check the path; relative paths start at the current folder); it could be read when it was indexed: see that its volume is mounted"; !strings.Contains(said.String(), want) {
		t.Errorf("it says %s", said.String())
	}
	if made, failed := len(done("entries/parse/*.json")), done("failed/*/*.json"); made == files || len(failed) > 0 {
		t.Errorf("%d of %d files were parsed, and failures are recorded: %v", made, files, failed)
	}
	if err := os.Rename(volume+".away", volume); err != nil {
		t.Fatal(err)
	}
	must(t, call("out"))
	want, _ := tree(t, filepath.Join(dir, "whole"))
	got, left := tree(t, filepath.Join(dir, "out"))
	if equal(t, want, got); left != 0 {
		t.Errorf("%d temporary files are left", left)
	}
}
