package text

import (
	"slices"
	"strings"
	"testing"
)

func TestSentences(t *testing.T) {
	for s, want := range map[string][]string{
		"":                               nil,
		"a dog":                          {"a dog"},
		"A dog runs.  It is brown! Why?": {"A dog runs.", "It is brown!", "Why?"},
		`He says "Go." Then (he runs.) 3 cats look.`:  {`He says "Go."`, "Then (he runs.)", "3 cats look."},
		"Mr. Lee of the U.S. Army, e.g. J. Doe, sits": {"Mr. Lee of the U.S. Army, e.g. J. Doe, sits"},
		"A sign reads stop. and no more... Über":      {"A sign reads stop. and no more...", "Über"},
		"version 2.5 of example.org":                  {"version 2.5 of example.org"},
		". . .":                                       {".", ".", "."},
	} {
		got := Sentences(s)
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
		if len(strings.Join(got, "")) > len(s) {
			t.Errorf("%q grew", s)
		}
	}
}
