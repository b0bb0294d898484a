package ruleparse

import (
	_ "embed"
	"strings"
)

// personsFile is written by `go run ./ruleparse/makepersons`; NOTICE names its source.
//
//go:embed persons.txt
var personsFile string

// What a name of a person can be.
const (
	givenName  = 1 << iota
	givenWord  // a given name of many men that is a word too: "mark"
	familyWord // a surname that is a word too: "brown"
)

// persons are names of persons, in lower case.
type persons map[string]uint8

// readPersons reads a name and the letters of what it can be in each line.
func readPersons(s string) persons {
	m := make(persons, strings.Count(s, "\n"))
	for line := range strings.Lines(s) {
		name, kinds, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		for _, k := range kinds {
			switch k {
			case 'g':
				m[name] |= givenName
			case 'm':
				m[name] |= givenWord
			case 's':
				m[name] |= familyWord
			}
		}
	}
	return m
}

// mark marks a given name, the letter after it and the surname as a known name that names a
// person: "Emily Martin", "William J. Carpenter".
func (m persons) mark(ts []span) {
	for i := 0; i+1 < len(ts); i++ {
		first := &ts[i]
		if !first.capital || first.kind != letters || first.known != 0 {
			continue
		}
		kind := m[first.low]
		if kind&(givenName|givenWord) == 0 || kind&givenName != 0 && first.flags&anyNoun != 0 && first.class != classPerson {
			continue
		}
		last := i + 1
		if last+2 < len(ts) && len(ts[last].low) == 1 && ts[last].capital && ts[last+1].low == "." {
			last += 2
		}
		if !m.surname(&ts[last], kind) {
			continue
		}
		first.known = knownFirst
		for k := i + 1; k <= last; k++ {
			ts[k].known = knownNext
		}
		ts[last].class = classPerson
		i = last
	}
}

// surname reports whether a token can be the surname after a given name of a kind.
func (m persons) surname(t *span, kind uint8) bool {
	if !t.capital || t.kind != letters || t.known != 0 || len(t.low) < 3 {
		return false
	}
	return rare(t) && m[t.low]&givenName == 0 && t.flags&anyNoun == 0 || kind&givenName != 0 && m[t.low]&familyWord != 0
}
