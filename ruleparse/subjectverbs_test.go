package ruleparse

import "testing"

// The verb after a colour, a sign's words or a longer subject is no noun, whatever word it is.
func TestVerbsWhereASubjectEnds(t *testing.T) {
	p := newParser(t)
	for text, want := range map[string]string{
		"a woman in purple juggles near a fountain":               "woman juggle near fountain",
		"a guard in blue checks a ticket":                         "guard check ticket",
		"a guard in blue and white checks a ticket":               "guard check ticket",
		"a nurse wearing white poses near a bed":                  "nurse pose near bed",
		"a boat painted green rests on a beach":                   "boat rest on beach",
		"two men in orange wash a car":                            "men wash car",
		"a boy in red boots kicks a ball":                         "boy in boots, boy kick ball",
		"a painting of a ship on a stormy sea hangs above a sofa": "painting of ship, ship on sea, painting hang above sofa",
		"a wreath of leaves hangs on a door":                      "wreath of leaves, wreath hang on door",
		`a flag that says "HOME" hangs above a door`:              "flag hang above door",
		"a mug (left) stands on a table":                          "mug stand on table",
		"a kitchen with white walls":                              "kitchen with walls",
		"a man in red pants":                                      "man in pants",
		"some potato chips in a bowl":                             "potato chips in bowl",
		"two cats on a blue chair next to a remote":               "cats on chair, cats next to remote",
		"a person in black gloves and a woman in white shoes":     "person in gloves, woman in shoes",
		"a shelf with toy trucks":                                 "shelf with toy trucks",
	} {
		compareRelations(t, p, text, want)
	}
}
