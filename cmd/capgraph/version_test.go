package main

import (
	"bytes"
	"context"
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
}
