package ruleparse

import "testing"

// nounPhrases are ways of naming things, written as constructions are.
var nounPhrases = []construction{
	{"noun of a noun", "A toddler with a sippy cup near a green exit sign", "toddler cup[sippy] exit sign[green] | toddler with/with cup, toddler near/near exit sign"},
	{"nouns of a noun", "A trip hop artist performs at a club", "artist[trip hop] club | artist performs at/perform at club"},
	{"noun of a noun at the beginning", "organisation founder speaks at an event", "founder[organisation] event | founder speaks at/speak at event"},
	{"noun of a noun after a quantity", "Seven business people in a room", "people×seven[business] room | people in/in room"},
	{"base verb before a compound", "firefighters vent house roof", "firefighters house roof | firefighters vent/vent roof, house has/have roof"},
	{"color of what", "A van with orange color balloons", "van balloons[orange] | van with/with balloons"},

	{"name", "A tram in Hong Kong", "tram hong kong | tram in/in hong kong"},
	{"name in a picture's title", "Jazz Poster by Wendy Garnett", "poster[jazz] wendy garnett | poster by/by wendy garnett"},
	{"maker of a thing", "A man playing Nintendo Wii", "man wii[nintendo] | man playing/play wii"},
	{"name before a thing", "Hong Kong skyline", "skyline[hong kong]"},
}

func TestNounPhrases(t *testing.T) { compare(t, nounPhrases) }
