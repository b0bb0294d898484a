// Package lexicon knows English words. It has senses, hypernyms, similar adjectives and antonyms
// from WordNet 3.0, properties that exclude each other, and the inflection of words.
//
// Open reads the embedded WordNet, OpenAttributes only the properties, NewInflector neither.
package lexicon

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

//go:generate go run ../../tools/makewordnet -wordnet ../../../shared/data/lex/wordnet-3.0 -out wordnet.txt.gz

//go:embed wordnet.txt.gz
var wordnet []byte

// Synset is a set of words with one meaning, by its number.
type Synset int32

// Lexicon has senses of words and dimensions of attributes. It is immutable and safe for concurrent
// use.
type Lexicon struct {
	nouns, verbs, adjectives map[string][]Synset
	intangible               map[string]bool // nouns
	names                    map[string]bool
	parents                  map[Synset][]Synset
	clusters, opposites      map[Synset][]Synset
	members                  map[Synset][]string // adjectives by synset
	values                   map[string][]Value
	dimensions               []string
	synsets                  int
}

// Open returns the lexicon of the embedded data. The first call reads it, which takes some tens of
// milliseconds; others return the same lexicon.
var Open = sync.OnceValues(readEmbedded)

func readEmbedded() (*Lexicon, error) {
	l := &Lexicon{
		nouns: map[string][]Synset{}, verbs: map[string][]Synset{}, adjectives: map[string][]Synset{},
		parents: map[Synset][]Synset{}, clusters: map[Synset][]Synset{}, opposites: map[Synset][]Synset{},
		members: map[Synset][]string{}, intangible: map[string]bool{}, names: map[string]bool{},
	}
	z, err := gzip.NewReader(bytes.NewReader(wordnet))
	if err != nil {
		return nil, fmt.Errorf("open the embedded wordnet: %w", err)
	}
	lines := bufio.NewScanner(z)
	for n := 1; lines.Scan(); n++ {
		if err := l.addFact(lines.Text()); err != nil {
			return nil, fmt.Errorf("embedded wordnet, line %d: %w", n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read the embedded wordnet: %w", err)
	}
	l.values, l.dimensions = readDimensions()
	return l, nil
}

func (l *Lexicon) addFact(line string) error {
	kind, rest, _ := strings.Cut(line, "\t")
	key, list, ok := strings.Cut(rest, "\t")
	if !ok {
		return fmt.Errorf("%q has no three fields", line)
	}
	var synsets []Synset
	for f := range strings.FieldsSeq(list) {
		n, err := strconv.ParseInt(f, 10, 32)
		if err != nil {
			return err
		}
		synsets = append(synsets, Synset(n))
		l.synsets = max(l.synsets, int(n)+1)
	}
	switch kind {
	case "n", "i":
		l.nouns[withSpaces(key)] = synsets
		if kind == "i" {
			l.intangible[withSpaces(key)] = true
		}
		return nil
	case "m":
		l.names[withSpaces(key)] = true
		return nil
	case "v":
		l.verbs[withSpaces(key)] = synsets
		return nil
	case "a":
		l.adjectives[withSpaces(key)] = synsets
		for _, s := range synsets {
			l.members[s] = append(l.members[s], withSpaces(key))
		}
		return nil
	}
	n, err := strconv.ParseInt(key, 10, 32)
	if err != nil {
		return err
	}
	switch kind {
	case "p":
		l.parents[Synset(n)] = synsets
	case "c":
		l.clusters[Synset(n)] = synsets
	case "o":
		l.opposites[Synset(n)] = synsets
	default:
		return fmt.Errorf("unknown kind %q", kind)
	}
	return nil
}

func withSpaces(lemma string) string { return strings.ReplaceAll(lemma, "_", " ") }

// NumSynsets returns one more than the largest number of a synset.
func (l *Lexicon) NumSynsets() int { return l.synsets }

// NounSenses returns the senses of a singular noun, the most frequent first: of the whole noun
// ("hot dog") or else of its last word ("wiener dog"); nil if neither is known.
func (l *Lexicon) NounSenses(name string) []Synset { return l.nouns[l.knownNoun(name)] }

// IsNoun reports whether the lexicon has a singular noun itself: not "desk sofa".
func (l *Lexicon) IsNoun(name string) bool { return l.nouns[name] != nil }

// IsIntangible reports whether none of the most frequent senses of a singular noun is a physical
// entity or a shape: "tourism", "concert", "team", but not "circle".
func (l *Lexicon) IsIntangible(name string) bool { return l.intangible[l.knownNoun(name)] }

// IsName reports whether the most frequent sense of a noun is the name of a person or a place, and no frequent sense is
// a thing that can be touched: "london", but not "sun".
func (l *Lexicon) IsName(name string) bool { return l.names[name] }

// knownNoun returns name, or the longest end of it that is a known noun, or "".
func (l *Lexicon) knownNoun(name string) string {
	for name != "" && l.nouns[name] == nil {
		_, name, _ = strings.Cut(name, " ")
	}
	return name
}

// VerbSenses returns the senses of a verb's base form ("take off"), the most frequent first; nil if
// it is unknown.
func (l *Lexicon) VerbSenses(lemma string) []Synset { return l.verbs[lemma] }

// AreSynonyms reports whether two lemmas share a synset as nouns, verbs or adjectives.
func (l *Lexicon) AreSynonyms(a, b string) bool {
	return haveCommon(l.nouns[a], l.nouns[b]) || haveCommon(l.verbs[a], l.verbs[b]) || haveCommon(l.adjectives[a], l.adjectives[b])
}

// IsAdjective reports whether a word is an adjective.
func (l *Lexicon) IsAdjective(word string) bool { return l.adjectives[word] != nil }

// Ancestors appends the direct and indirect hypernyms of a synset. Uninformative ones ("object")
// are left out.
func (l *Lexicon) Ancestors(s Synset, dst []Synset) []Synset {
	for _, p := range l.parents[s] {
		dst = append(dst, p)
		dst = l.Ancestors(p, dst)
	}
	return dst
}

// AreSimilarAdjectives reports whether two adjectives share a synset, are similar to one another,
// or are similar to the same third.
func (l *Lexicon) AreSimilarAdjectives(a, b string) bool {
	for _, s := range l.adjectives[a] {
		for _, t := range l.adjectives[b] {
			if s == t || haveCommon(l.similarSynsets(s), l.similarSynsets(t)) {
				return true
			}
		}
	}
	return false
}

// similarSynsets returns a synset with those that it is similar to.
func (l *Lexicon) similarSynsets(s Synset) []Synset {
	return append([]Synset{s}, l.clusters[s]...)
}

func haveCommon(a, b []Synset) bool {
	for _, s := range a {
		for _, t := range b {
			if s == t {
				return true
			}
		}
	}
	return false
}

// Opposites appends the antonyms of an adjective in its most frequent sense: its own and those of similar
// adjectives.
func (l *Lexicon) Opposites(adjective string, dst []string) []string {
	senses := l.adjectives[adjective]
	if len(senses) == 0 {
		return dst
	}
	for _, n := range l.similarSynsets(senses[0]) {
		for _, o := range l.opposites[n] {
			dst = append(dst, l.members[o]...)
		}
	}
	return dst
}
