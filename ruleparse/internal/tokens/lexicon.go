package tokens

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"strings"

	"capgraph/internal/linear"
	"capgraph/ruleparse/internal/penn"
)

// Flags are the possible forms of a word, from WordNet's morphology and a word list.
type Flags uint16

const (
	NounSingular Flags = 1 << iota
	NounPlural
	VerbBase
	VerbS
	VerbIng
	VerbPast
	VerbParticiple
	Adjective
	AdjectiveMore // comparative or superlative
	Adverb
	Listed // in the word list
	Named  // in the word list, but only capitalised

	AnyNoun = NounSingular | NounPlural
	AnyVerb = VerbBase | VerbS | VerbIng | VerbPast | VerbParticiple
)

// Lexicon has inflected words in byte order, with flags, classes and the entries of their base
// forms.
type Lexicon struct {
	words  string
	starts []uint32 // offset of each word in words, and of the end of the last
	rows   string   // entryBytes bytes per word: flags, class, noun, verb and adjective base, little-endian
	slots  []int32  // hash table with open addressing, -1 for empty
	mask   uint32
}

const entryBytes = 2 + 1 + 3 + 3 + 3

// NoBase marks a missing base form.
const NoBase = 1<<24 - 1

// readLexicon reads a lexicon: the number of words and of their bytes, as little-endian uint32; the
// words in byte order, each with a line feed; and a row for each, as [Lexicon] describes it.
func readLexicon(s string) (*Lexicon, error) {
	if len(s) < 8 {
		return nil, fmt.Errorf("lexicon: cut off after %d bytes", len(s))
	}
	n := int(binary.LittleEndian.Uint32([]byte(s[:4])))
	size := int(binary.LittleEndian.Uint32([]byte(s[4:8])))
	if n < 0 || size < 0 || len(s) != 8+size+n*entryBytes {
		return nil, fmt.Errorf("lexicon: %d bytes for %d words", len(s), n)
	}
	l := &Lexicon{words: s[8 : 8+size], rows: s[8+size:], starts: make([]uint32, 0, n+1)}
	slots := 1
	for slots < 2*n {
		slots *= 2
	}
	l.slots, l.mask = make([]int32, slots), uint32(slots-1)
	for i := range l.slots {
		l.slots[i] = -1
	}
	at := 0
	for i := range n {
		l.starts = append(l.starts, uint32(at))
		end := strings.IndexByte(l.words[at:], '\n')
		if end < 0 {
			return nil, fmt.Errorf("lexicon: %d words, want %d", i, n)
		}
		h := linear.Hash(l.words[at:at+end]) & l.mask
		for l.slots[h] >= 0 {
			h = (h + 1) & l.mask
		}
		l.slots[h] = int32(i)
		at += end + 1
	}
	l.starts = append(l.starts, uint32(at))
	return l, nil
}

// Len returns the number of entries.
func (l *Lexicon) Len() int { return len(l.starts) - 1 }

// Word returns the spelling of entry e, in [0, Len).
func (l *Lexicon) Word(e int32) string { return l.words[l.starts[e] : l.starts[e+1]-1] }

// Find returns the index of the entry of w, in lower case and with hash h, or -1.
func (l *Lexicon) Find(w string, h uint32) int32 {
	for h &= l.mask; l.slots[h] >= 0; h = (h + 1) & l.mask {
		if e := l.slots[h]; l.Word(e) == w {
			return e
		}
	}
	return -1
}

func (l *Lexicon) flagsAt(e int32) Flags {
	r := l.rows[int(e)*entryBytes:]
	return Flags(r[0]) | Flags(r[1])<<8
}

func (l *Lexicon) classAt(e int32) uint8 { return l.rows[int(e)*entryBytes+2] }

// baseEntry returns the entry of the base form of entry e as a noun (pos 0), a verb (1) or an
// adjective (2), or -1.
func (l *Lexicon) baseEntry(e int32, pos int) int32 {
	r := l.rows[int(e)*entryBytes+3+3*pos:]
	if b := int32(r[0]) | int32(r[1])<<8 | int32(r[2])<<16; b != NoBase {
		return b
	}
	return -1
}

// NounClass returns the WordNet class of the noun w, whose hash is h, or 0.
func (l *Lexicon) NounClass(w string, h uint32) uint32 {
	if e := l.Find(w, h); e >= 0 {
		return uint32(l.classAt(e))
	}
	return 0
}

// Annotate sets the hash, entry, flags and class of each token, as the lexicon has them.
func (l *Lexicon) Annotate(ts []Token) {
	for i := range ts {
		t := &ts[i]
		t.Hash = linear.Hash(t.Low)
		t.Entry = -1
		if t.Kind == Mark || t.Kind == address {
			continue
		}
		if t.Entry = l.Find(t.Low, t.Hash); t.Entry >= 0 {
			t.Flags, t.Class = l.flagsAt(t.Entry), l.classAt(t.Entry)
		} else if cut := strings.LastIndexByte(t.Low, '-'); cut > 0 {
			// in "black-and-white" and "six-year-old" the last part decides
			last := strings.TrimLeft(t.Low[cut+1:], " ")
			if e := l.Find(last, linear.Hash(last)); e >= 0 {
				t.Flags, t.Class = l.flagsAt(e), l.classAt(e)
			}
		}
	}
}

// lemmaOf returns the base form of a token according to its tag.
func (l *Lexicon) lemmaOf(t *Token) string {
	if t.Tag == penn.NNS {
		return l.Singular(t)
	}
	return l.baseForTag(t)
}

// baseForTag returns WordNet's base form of a token according to its tag.
func (l *Lexicon) baseForTag(t *Token) string {
	pos := -1
	switch t.Tag {
	case penn.NN, penn.NNS:
		pos = 0
	case penn.VB, penn.VBD, penn.VBG, penn.VBN, penn.VBP, penn.VBZ, penn.MD:
		pos = 1
	case penn.JJR, penn.JJS, penn.RBR, penn.RBS:
		pos = 2
	}
	if pos < 0 {
		return t.Low
	}
	return l.BaseForm(t.Low, t.Entry, pos)
}

// Singular returns the singular of a plural noun, even if WordNet has the plural as a noun of its
// own, such as "windows" and "cows".
func (l *Lexicon) Singular(t *Token) string {
	base := l.BaseForm(t.Low, t.Entry, 0)
	if base != t.Low || t.IsOneOf(pluralOnly) {
		return base
	}
	if stem, ok := strings.CutSuffix(base, "s"); ok {
		if e := l.Find(stem, linear.Hash(stem)); e >= 0 && l.flagsAt(e)&NounSingular != 0 {
			return l.Word(e)
		}
	}
	return base
}

// pluralOnly are plurals that differ in meaning from their singulars.
const pluralOnly = " bermudas blues boxers briefs customs draughts graphics grounds jeans khakis levis mechanics overalls pants remains shorts slacks species spectacles stairs sweats trousers woods "

// PlainForm returns the base form of a token for predicates and features. For a participle it is
// that of the verb, whatever the tag: "park" for "parked" in "parked cars".
func (l *Lexicon) PlainForm(t *Token) string {
	if t.Kind == Mark || t.Kind == Digits {
		return t.Low
	}
	if t.Flags&(VerbIng|VerbParticiple) != 0 && t.Flags&VerbBase == 0 && t.Entry >= 0 &&
		(strings.HasSuffix(t.Low, "ing") || strings.HasSuffix(t.Low, "ed")) {
		return l.BaseForm(t.Low, t.Entry, 1)
	}
	return l.baseForTag(t)
}

// BaseForm returns the base form of a lower-case word as a noun (pos 0), a verb (1) or an adjective
// (2). If the lexicon has none, it removes the inflection by rules.
func (l *Lexicon) BaseForm(w string, entry int32, pos int) string {
	if pos == 1 {
		switch w {
		case "'s", "'m", "'re", "is", "are", "am", "was", "were", "been", "being":
			return "be"
		case "'ve", "has", "had":
			return "have"
		}
	}
	if entry >= 0 {
		if b := l.baseEntry(entry, pos); b >= 0 {
			return l.Word(b)
		}
	}
	if entry >= 0 && l.flagsAt(entry)&(NounSingular|VerbBase) != 0 {
		return w
	}
	return guessBase(w, pos)
}

// guessBase returns w without an inflection, for a word that the lexicon does not have.
func guessBase(w string, pos int) string {
	stem := func(suffix string) (string, bool) {
		s, ok := strings.CutSuffix(w, suffix)
		return s, ok && len(s) >= 3
	}
	switch pos {
	case 0:
		if s, ok := stem("ies"); ok {
			return s + "y"
		}
		for _, e := range [...]string{"ses", "xes", "zes", "ches", "shes"} {
			if _, ok := stem(e); ok {
				return w[:len(w)-2]
			}
		}
		if strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "us") {
			return w
		}
		if s, ok := stem("s"); ok {
			return s
		}
	case 1:
		for _, e := range [...]string{"ing", "ed"} {
			if s, ok := stem(e); ok {
				if n := len(s); s[n-1] == s[n-2] && s[n-1] != 'l' && s[n-1] != 's' {
					return s[:n-1]
				}
				return s
			}
		}
		if s, ok := stem("s"); ok && !strings.HasSuffix(w, "ss") {
			return s
		}
	}
	return w
}

// MaxNameWords is the most words of a known name.
const MaxNameWords = 4

// The position of a token in a known name: in "new york", "new" is the begin and "york" is inside.
const (
	NameBegin = 1 + iota
	NameInside
)

// knownNames are names of persons, places and works, of several words in lower case: "new york",
// "statue of liberty".
type knownNames map[string]struct{}

// readKnownNames reads names, each with a line feed.
func readKnownNames(s string) knownNames {
	m := make(knownNames, strings.Count(s, "\n"))
	for s != "" {
		var name string
		name, s, _ = strings.Cut(s, "\n")
		m[name] = struct{}{}
	}
	return m
}

// markNames marks the longest known names in ts. A name must have capitals, or a word that is only
// a name: "San Francisco", "las vegas", not "a little dog".
func (m knownNames) markNames(low string, ts []Token) {
	for i := 0; i+1 < len(ts); i++ {
		if l, r := &ts[i], &ts[i+1]; l.Kind != Letters || !isRare(l) && !isRare(r) && (!l.Capital || !r.Capital && r.Tag != penn.IN) {
			continue
		}
		for n := min(MaxNameWords, len(ts)-i); n > 1; n-- {
			name := ts[i : i+n]
			if _, ok := m[low[name[0].Begin:name[n-1].End]]; !ok || !isWrittenAsName(name) {
				continue
			}
			name[0].NamePart = NameBegin
			for k := range name[1:] {
				name[1+k].NamePart = NameInside
			}
			i += n - 1
			break
		}
	}
}

// isRare reports whether the word list has a word only capitalised, or not at all.
func isRare(t *Token) bool { return t.Kind == Letters && t.Flags&Listed == 0 }

// isWrittenAsName reports whether all words except prepositions and articles are capitalised, or
// one word is rare.
func isWrittenAsName(ts []Token) bool {
	capital := true
	for i := range ts {
		if isRare(&ts[i]) {
			return true
		}
		capital = capital && (ts[i].Capital || ts[i].Tag == penn.IN || ts[i].Tag == penn.DT)
	}
	return capital
}

// personsFile is written by `go run ./tools/makepersons`; NOTICE names its source.
//
//go:embed persons.txt
var personsFile string

// Kinds of a person's name, as bits.
const (
	givenName  = 1 << iota
	givenWord  // a given name, common among men, that is also a word: "mark"
	familyWord // a surname that is also a word: "brown"
)

// persons has for each name of persons, in lower case, the bits of its kinds.
type persons map[string]uint8

// readPersons reads lines of a name and the letters of its kinds.
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

// markPersons marks a given name and a surname, perhaps with an initial between them, as a known
// name: "Emily Martin", "William J. Carpenter".
func (m persons) markPersons(ts []Token) {
	for i := 0; i+1 < len(ts); i++ {
		first := &ts[i]
		if !first.Capital || first.Kind != Letters || first.NamePart != 0 {
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
		if !m.canBeSurname(&ts[last], kind) {
			continue
		}
		first.NamePart = NameBegin
		for k := i + 1; k <= last; k++ {
			ts[k].NamePart = NameInside
		}
		ts[last].Class = ClassPerson
		i = last
	}
}

// canBeSurname reports whether a token can be the surname after a given name with these kinds.
func (m persons) canBeSurname(t *Token, kind uint8) bool {
	if !t.Capital || t.Kind != Letters || t.NamePart != 0 || len(t.Low) < 3 {
		return false
	}
	return isRare(t) && m[t.Low]&givenName == 0 && t.Flags&AnyNoun == 0 || kind&givenName != 0 && m[t.Low]&familyWord != 0
}
