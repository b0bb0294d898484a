// Package lexicon knows English words: which mean the same or imply each other
// (from WordNet 3.0), which properties exclude each other, and how words are
// inflected.
package lexicon

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

//go:generate go run ./makewordnet -wordnet ../../../shared/data/lex/wordnet-3.0 -out wordnet.txt.gz

//go:embed wordnet.txt.gz
var wordnet []byte

// Synset is a set of words with one meaning, by its number.
type Synset int32

// Lexicon is immutable and safe for concurrent use.
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

// Open reads the embedded data, which takes some tens of milliseconds.
func Open() (*Lexicon, error) {
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
		if err := l.add(lines.Text()); err != nil {
			return nil, fmt.Errorf("embedded wordnet, line %d: %w", n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read the embedded wordnet: %w", err)
	}
	l.values, l.dimensions = readDimensions()
	return l, nil
}

func (l *Lexicon) add(line string) error {
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
		l.nouns[spaced(key)] = synsets
		if kind == "i" {
			l.intangible[spaced(key)] = true
		}
		return nil
	case "m":
		l.names[spaced(key)] = true
		return nil
	case "v":
		l.verbs[spaced(key)] = synsets
		return nil
	case "a":
		l.adjectives[spaced(key)] = synsets
		for _, s := range synsets {
			l.members[s] = append(l.members[s], spaced(key))
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

func spaced(lemma string) string { return strings.ReplaceAll(lemma, "_", " ") }

// Synsets is one more than the largest number of a synset.
func (l *Lexicon) Synsets() int { return l.synsets }

// Noun gives the senses of a singular noun, the most frequent first: of the
// whole of it ("hot dog") or else of its last word ("wiener dog"); nil where
// neither is known.
func (l *Lexicon) Noun(name string) []Synset { return l.nouns[l.known(name)] }

// Intangible holds for a singular noun that in none of its most frequent senses is a
// physical entity: "tourism", "concert", "team".
func (l *Lexicon) Intangible(name string) bool { return l.intangible[l.known(name)] }

// Name holds for a noun that is first the name of somebody or some place, and no sort of thing that can
// be touched: "london", but not "sun".
func (l *Lexicon) Name(name string) bool { return l.names[name] }

// known is a noun, or what of its last words is one; empty where nothing is.
func (l *Lexicon) known(name string) string {
	for name != "" && l.nouns[name] == nil {
		_, name, _ = strings.Cut(name, " ")
	}
	return name
}

// Verb gives the senses of a verb's base form ("take off"), the most frequent
// first, nil where it is unknown.
func (l *Lexicon) Verb(lemma string) []Synset { return l.verbs[lemma] }

// Adjective holds for a word that is an adjective.
func (l *Lexicon) Adjective(word string) bool { return l.adjectives[word] != nil }

// Ancestors appends what a synset is a kind of, directly or not, without the
// synset itself; what says next to nothing ("object") is left out.
func (l *Lexicon) Ancestors(s Synset, dst []Synset) []Synset {
	for _, p := range l.parents[s] {
		dst = append(dst, p)
		dst = l.Ancestors(p, dst)
	}
	return dst
}

// SimilarAdjectives holds where two adjectives share a synset, or are near in
// meaning: similar to one another or to the same third.
func (l *Lexicon) SimilarAdjectives(a, b string) bool {
	for _, s := range l.adjectives[a] {
		for _, t := range l.adjectives[b] {
			if s == t || shares(l.near(s), l.near(t)) {
				return true
			}
		}
	}
	return false
}

// near is a synset with those that it is similar to.
func (l *Lexicon) near(s Synset) []Synset {
	return append([]Synset{s}, l.clusters[s]...)
}

func shares(a, b []Synset) bool {
	for _, s := range a {
		for _, t := range b {
			if s == t {
				return true
			}
		}
	}
	return false
}

// Opposites appends the antonyms of an adjective's most frequent sense, its own
// or those of the adjectives that it is similar to.
func (l *Lexicon) Opposites(adjective string, dst []string) []string {
	senses := l.adjectives[adjective]
	if len(senses) == 0 {
		return dst
	}
	for _, n := range l.near(senses[0]) {
		for _, o := range l.opposites[n] {
			dst = append(dst, l.members[o]...)
		}
	}
	return dst
}
