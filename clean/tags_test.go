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
		"1girl; solo; long hair; blue eyes":                true,
		"dog | beach | ball | sunset":                      true,
		"1girl\nsolo\nlong hair\nblue eyes":                true,
		"1girl solo long_hair blue_eyes":                   true,
		"rating:safe, 1girl, solo, long_hair":              true,
		"dog beach ball sunset sand":                       false, // a title may be so
		"a screenshot of my_file and your_file":            false,
		"IMG_0001 of a dog":                                false,
		"A dog runs.\nA cat sleeps.\nA bus.\nA car.":       false,
		"subject: dog\nplace: beach\nsky: blue\nsea: calm": false,
		"": false,
	} {
		if got := IsTagList(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
