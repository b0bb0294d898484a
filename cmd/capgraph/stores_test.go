package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"capgraph/testing/storetest"
	"capgraph/train"
)

// TestStoresKeepATraining trains to a folder and, killed on the way, to a bucket: the
// weights have the same bits, and metrics.jsonl has each step once.
func TestStoresKeepATraining(t *testing.T) {
	url, kept := storetest.S3Folder(t)
	dir := smallWorld(t)
	must(t, trainer(dir, "whole"))
	interrupt(t, trainer(dir, url+"/out"), filepath.Join(kept, "out", "metrics.jsonl"), 7, syscall.SIGKILL)
	must(t, trainer(dir, url+"/out"))
	if !bytes.Equal(read(t, dir, "whole", train.WeightsFile), read(t, kept, "out", train.WeightsFile)) {
		t.Error("other weights")
	}
	steps, want := losses(t, dir, "whole", "metrics.jsonl")
	again, got := losses(t, kept, "out", "metrics.jsonl")
	if len(steps) != 24 || !slices.Equal(steps, again) || !slices.Equal(want, got) {
		t.Errorf("steps %v, losses %v; want %v, %v", again, got, steps, want)
	}
}

// TestStoresKeepLists leaves rows out by a list that lies in a bucket beside the captions.
func TestStoresKeepLists(t *testing.T) {
	url, kept := storetest.S3Folder(t)
	for name, text := range map[string]string{
		"in.jsonl": `{"id":"a","caption":"A red dog on a couch"}` + "\n" + `{"id":"b","caption":"A white cat sits under a table"}` + "\n",
		"keys.txt": "a\n",
	} {
		if err := os.WriteFile(filepath.Join(kept, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := func(list string) []string {
		return []string{"run", "--progress", "none", "--set", "source.format=jsonl", "--set", "source.paths=" + url + "/in.jsonl", "--set", "source.columns={key: id}",
			"--set", "output.dir=" + url + "/out", "--set", "exclude.keys=" + url + "/" + list}
	}
	if code, _, errs := command("", args("none.txt")...); code == 0 || !strings.Contains(errs, "exclude.keys: open "+url+"/none.txt") {
		t.Errorf("a list that is not there: exit %d, %s", code, errs)
	}
	if code, out, errs := command("", args("keys.txt")...); code != 0 || !strings.Contains(out, "1 excluded") {
		t.Errorf("exit %d, %s%s", code, out, errs)
	}
}

// TestStoresGrow lets files join a folder in a bucket, killed on the way: it holds what a
// local folder does.
func TestStoresGrow(t *testing.T) {
	url, kept := storetest.S3Folder(t)
	local, here := t.TempDir(), t.TempDir() // where no recipe is
	grow := func(at string, more ...string) *exec.Cmd {
		return program(here, at+"/out", append([]string{"--set", "source.format=cc12m", "--set", "source.paths=" + at + "/in/*.tsv"}, more...)...)
	}
	put := func(name string, first, last int) {
		t.Helper()
		lines := bytes.SplitAfter(read(t, "../../testdata/cc12m.tsv"), []byte("\n"))
		for _, dir := range []string{kept, local} {
			path := filepath.Join(dir, "in", name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, bytes.Join(lines[first:last], nil), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
	}
	put("b.tsv", 0, 60)
	must(t, grow(url))
	must(t, grow(local))
	put("a.tsv", 60, 140)
	must(t, grow(local, "--append"))
	interrupt(t, grow(url, "--append"), filepath.Join(kept, "out", ".capgraph", "index-00001.json"), 1, syscall.SIGKILL)
	must(t, grow(url, "--append"))
	grown := func() {
		t.Helper()
		want, _ := tree(t, filepath.Join(local, "out"))
		got, _ := tree(t, filepath.Join(kept, "out"))
		equal(t, want, got)
	}
	grown()
	must(t, grow(url, "--redo", "texts"))
	must(t, grow(local, "--redo", "texts"))
	grown()
}
