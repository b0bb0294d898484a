package clean

import "testing"

func TestIsTagList(t *testing.T) {
	for text, want := range map[string]bool{
		"1girl, solo, long hair, blue eyes, outdoors":      true,
		"dog, beach, ball, sunset":                         true,
		"(masterpiece:1.2), (red hair:0.9), 1girl, smile":  true,
		"dog, beach, ball, sunset,":                        true,
		"dog, beach, ball":                                 false, // too few to tell
		"a dog, a cat, a bird, a horse":                    false,
		"apples, oranges, pears, and bananas on a table":   false,
		"A dog, which is brown, runs, and a cat sleeps":    false,
		"a dog on the beach":                               false,
		"Vienna, Austria. June 5, 2014, evening, old town": false,
		"": false,
	} {
		if got := IsTagList(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
