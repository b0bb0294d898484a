package ruleparse

import (
	_ "embed"
	"strings"
)

// maxKnown is how many words a known name has at most.
const maxKnown = 4

// The places of tokens in known names.
const (
	knownFirst = 1 + iota
	knownNext
)

// knownNames are names of several words of persons, places and works, in lower case: "new
// york", "statue of liberty".
type knownNames map[string]struct{}

// readKnownNames reads names, each ended by a line feed.
func readKnownNames(s string) knownNames {
	m := make(knownNames, strings.Count(s, "\n"))
	for s != "" {
		var name string
		name, s, _ = strings.Cut(s, "\n")
		m[name] = struct{}{}
	}
	return m
}

// mark marks the words of the longest known names, each written as a name is or with a word
// that is no other: "San Francisco", "las vegas", not "a little dog".
func (m knownNames) mark(low string, ts []span) {
	for i := 0; i+1 < len(ts); i++ {
		if l, r := &ts[i], &ts[i+1]; l.kind != letters || !rare(l) && !rare(r) && (!l.capital || !r.capital && r.tag != tagIN) {
			continue
		}
		for n := min(maxKnown, len(ts)-i); n > 1; n-- {
			name := ts[i : i+n]
			if _, ok := m[low[name[0].begin:name[n-1].end]]; !ok || !writtenAsName(name) {
				continue
			}
			name[0].known = knownFirst
			for k := range name[1:] {
				name[1+k].known = knownNext
			}
			i += n - 1
			break
		}
	}
}

// rare reports whether the word list has a word as a name or not at all.
func rare(t *span) bool { return t.kind == letters && t.flags&listed == 0 }

// writtenAsName reports whether words have capitals but for prepositions and articles, or one
// is rare.
func writtenAsName(ts []span) bool {
	capital := true
	for i := range ts {
		if rare(&ts[i]) {
			return true
		}
		capital = capital && (ts[i].capital || ts[i].tag == tagIN || ts[i].tag == tagDT)
	}
	return capital
}

// unite labels the words of a known name alike: as the last of them that is of an object or an
// attribute; where none is, as an attribute right before an object and as an object elsewhere.
func unite(ts []span, labels []uint8) {
	for i := 0; i < len(ts); i++ {
		if ts[i].known != knownFirst {
			continue
		}
		to := i + 1
		for to < len(ts) && ts[to].known == knownNext {
			to++
		}
		begin := uint8(beginObject)
		if to < len(ts) && (labels[to] == beginObject || labels[to] == inObject) {
			begin = beginAttribute
		}
		for _, l := range labels[i:to] {
			switch l {
			case beginObject, inObject:
				begin = beginObject
			case beginAttribute, inAttribute:
				begin = beginAttribute
			}
		}
		if begin == beginAttribute || labels[i] != inObject {
			labels[i] = begin
		}
		for k := i + 1; k < to; k++ {
			labels[k] = begin + 1
		}
		if to < len(ts) && (labels[to] == inAttribute || labels[to] == inObject && begin == beginAttribute) {
			labels[to]--
		}
		i = to - 1
	}
}

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
