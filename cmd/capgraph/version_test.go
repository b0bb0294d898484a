package main

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
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
	if !strings.HasPrefix(got, "capgraph ") || strings.Count(got, "\n") != 1 {
		t.Errorf("version printed %q", got)
	}
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
		part, parts, err := partOf("auto/3", func(name string) string { return c.env[name] })
		if c.text == "" && (err != nil || part != c.part || parts != 3) || c.text != "" && (err == nil || !strings.Contains(err.Error(), c.text) || exitCodeOf(err, io.Discard) != exitUsage) {
			t.Errorf("%v: part %d of %d, %v", c.env, part, parts, err)
		}
	}
}
