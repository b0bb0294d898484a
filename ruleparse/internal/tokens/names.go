package tokens

import (
	_ "embed"
	"strings"

	"capgraph/ruleparse/internal/penn"
)

// MaxKnown is how many words a known name has at most.
const MaxKnown = 4

// The places of tokens in known names.
const (
	KnownFirst = 1 + iota
	KnownNext
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
func (m knownNames) mark(low string, ts []Token) {
	for i := 0; i+1 < len(ts); i++ {
		if l, r := &ts[i], &ts[i+1]; l.Kind != Letters || !rare(l) && !rare(r) && (!l.Capital || !r.Capital && r.Tag != penn.IN) {
			continue
		}
		for n := min(MaxKnown, len(ts)-i); n > 1; n-- {
			name := ts[i : i+n]
			if _, ok := m[low[name[0].Begin:name[n-1].End]]; !ok || !writtenAsName(name) {
				continue
			}
			name[0].Known = KnownFirst
			for k := range name[1:] {
				name[1+k].Known = KnownNext
			}
			i += n - 1
			break
		}
	}
}

// rare reports whether the word list has a word as a name or not at all.
func rare(t *Token) bool { return t.Kind == Letters && t.Flags&Listed == 0 }

// writtenAsName reports whether words have capitals but for prepositions and articles, or one
// is rare.
func writtenAsName(ts []Token) bool {
	capital := true
	for i := range ts {
		if rare(&ts[i]) {
			return true
		}
		capital = capital && (ts[i].Capital || ts[i].Tag == penn.IN || ts[i].Tag == penn.DT)
	}
	return capital
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
func (m persons) mark(ts []Token) {
	for i := 0; i+1 < len(ts); i++ {
		first := &ts[i]
		if !first.Capital || first.Kind != Letters || first.Known != 0 {
			continue
		}
		kind := m[first.Low]
		if kind&(givenName|givenWord) == 0 || kind&givenName != 0 && first.Flags&AnyNoun != 0 && first.Class != ClassPerson {
			continue
		}
		last := i + 1
		if last+2 < len(ts) && len(ts[last].Low) == 1 && ts[last].Capital && ts[last+1].Low == "." {
			last += 2
		}
		if !m.surname(&ts[last], kind) {
			continue
		}
		first.Known = KnownFirst
		for k := i + 1; k <= last; k++ {
			ts[k].Known = KnownNext
		}
		ts[last].Class = ClassPerson
		i = last
	}
}

// surname reports whether a token can be the surname after a given name of a kind.
func (m persons) surname(t *Token, kind uint8) bool {
	if !t.Capital || t.Kind != Letters || t.Known != 0 || len(t.Low) < 3 {
		return false
	}
	return rare(t) && m[t.Low]&givenName == 0 && t.Flags&AnyNoun == 0 || kind&givenName != 0 && m[t.Low]&familyWord != 0
}
