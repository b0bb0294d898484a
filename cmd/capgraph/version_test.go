package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"capgraph/folder"
	"capgraph/internal/build"
	"capgraph/store"
)

func output(t *testing.T, args ...string) string {
	t.Helper()
	var out, err bytes.Buffer
	if code := run(context.Background(), args, streams{in: strings.NewReader(""), out: &out, err: &err}); code != 0 {
		t.Fatalf("%q: exit code %d, standard error %q", args, code, err.String())
	}
	return out.String()
}

func TestVersionIsOneLine(t *testing.T) {
	got := output(t, "version")
	if !strings.HasPrefix(got, "capgraph ") || strings.Count(got, "\n") != 1 || !strings.Contains(got, "(commit ") {
		t.Errorf("version printed %q", got)
	}
}

// A folder names the builds that worked on each of its passes, until the pass is made anew.
func TestFolderNamesItsBuilds(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	args := []string{"run", "../../pipeline.yaml", "--set", "source.paths=../../testdata/cc12m.tsv", "--set", "output.dir=" + dir, "--set", "negatives.balance.enabled=false"}
	output(t, args...)
	this := fmt.Sprintf("made by capgraph %s: ", build.This())
	if got := output(t, "stats", dir); !strings.HasSuffix(got, "\n"+this+"index, parse, tally, count, balance, texts\n") {
		t.Errorf("stats printed %q", got)
	}
	other := build.Build{Version: "0.0.9", Commit: "5d0f2c7c", Go: "go1.25", Platform: "linux/arm64"}
	for _, pass := range []folder.Pass{folder.PassTally, folder.PassTexts} {
		if err := other.Record(store.Local{}, filepath.Join(dir, folder.BuildsDir(pass))); err != nil {
			t.Fatal(err)
		}
	}
	const line = "made by capgraph 0.0.9 (commit 5d0f2c7c) go1.25 linux/arm64: "
	if got := output(t, "stats", dir); !strings.Contains(got, line+"tally, texts\n") || !strings.Contains(got, this+"index, parse, tally") {
		t.Errorf("stats printed %q", got)
	}
	output(t, append(args, "--redo", "texts")...)
	if got := output(t, "stats", dir); !strings.Contains(got, line+"tally\n") {
		t.Errorf("after --redo texts, stats printed %q", got)
	}
	output(t, append(args, "--redo", "index", "--yes")...)
	if got := output(t, "stats", dir); strings.Contains(got, "0.0.9") || !strings.Contains(got, this+"index") {
		t.Errorf("after --redo index, stats printed %q", got)
	}
	output(t, "verify", dir)
}

func TestLicencesAreThoseOfProgramAndModules(t *testing.T) {
	got := output(t, "version", "--licences")
	for _, want := range []string{"Apache License", "The capgraph authors", "third_party/go/LICENSE", "WordNet 3.0 Copyright 2006", "third_party/github.com/alecthomas/kong/"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in the licences", want)
		}
	}
}

func TestCompletionForEachShell(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if got := output(t, "completion", shell); !strings.Contains(got, shell) || !strings.Contains(got, "capgraph") {
			t.Errorf("%s: %q", shell, got)
		}
		if got := output(t, "completion", "--code", shell); !strings.Contains(got, "complete") {
			t.Errorf("%s code: %q", shell, got)
		}
	}
	t.Setenv("COMP_LINE", "capgraph exp") // as a shell asks
	if got := output(t); got != "export\n" {
		t.Errorf("capgraph exp is completed to %q", got)
	}
}

func TestPartOfScheduler(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		part int
		text string
	}{
		{map[string]string{"JOB_COMPLETION_INDEX": "2"}, 2, ""},
		{map[string]string{"JOB_COMPLETION_INDEX": "x"}, 0, `JOB_COMPLETION_INDEX is "x", want a number`},
		{map[string]string{"SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": "3"}, 2, ""},
		{map[string]string{"SLURM_ARRAY_TASK_ID": "2", "SLURM_ARRAY_TASK_MIN": "2", "SLURM_ARRAY_TASK_MAX": "2"}, 2, ""},
		{map[string]string{"SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_MIN": "3", "SLURM_ARRAY_TASK_MAX": "3"}, 0, "0 ≤ I < N"},
		{map[string]string{"SLURM_ARRAY_TASK_ID": "2"}, 0, "SLURM_ARRAY_TASK_MIN is not"},
		{nil, 0, "neither JOB_COMPLETION_INDEX nor"},
	} {
		part, parts, err := parseShard("auto/3", func(name string) string { return c.env[name] })
		if c.text == "" && (err != nil || part != c.part || parts != 3) || c.text != "" && (err == nil || !strings.Contains(err.Error(), c.text) || exitCodeOf(err, io.Discard) != exitUsage) {
			t.Errorf("%v: part %d of %d, %v", c.env, part, parts, err)
		}
	}
}
