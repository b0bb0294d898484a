package train

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"capgraph/ruleparse/internal/tokens"
)

// wordNet is the part of WordNet that the lexicon needs: base forms by part of speech, the lexicographer file of each
// noun's first sense, and irregular forms.
type wordNet struct {
	bases      [4]map[string]bool // noun, verb, adjective, adverb
	class      map[string]uint8
	exceptions [3]map[string][]string
	names      []string // names of several words, of persons, places and works
}

var wordNetFiles = [...]string{"noun", "verb", "adj", "adv"}

func readWordNet(dir string) (*wordNet, error) {
	w := &wordNet{class: map[string]uint8{}}
	files := map[string]uint8{}
	err := eachLine(filepath.Join(dir, "data.noun"), func(line string) {
		f := strings.Fields(line)
		if len(f) < 4 || line[0] == ' ' { // the licence
			return
		}
		n, _ := strconv.Atoi(f[1])
		files[f[0]] = uint8(n)
		if !slices.Contains(f, "@i") {
			return
		}
		words, _ := strconv.ParseInt(f[3], 16, 0) // the next fields are the words, each with a number
		for k := 4; k < len(f) && k < 4+2*int(words); k += 2 {
			if n := strings.Count(f[k], "_"); n > 0 && n < tokens.MaxNameWords && unicode.IsUpper(rune(f[k][0])) && !strings.HasPrefix(f[k], "The_") {
				w.names = append(w.names, strings.ReplaceAll(strings.ToLower(f[k]), "_", " "))
			}
		}
	})
	if err != nil {
		return nil, err
	}
	for p, name := range wordNetFiles {
		w.bases[p] = map[string]bool{}
		err := eachLine(filepath.Join(dir, "index."+name), func(line string) {
			f := strings.Fields(line)
			if line[0] == ' ' || strings.ContainsAny(f[0], "_.") || strings.ContainsAny(f[0], "0123456789") {
				return
			}
			w.bases[p][f[0]] = true
			if p == 0 { // fields: lemma pos synsets pointers symbols… senses tagged offset…
				pointers, _ := strconv.Atoi(f[3])
				w.class[f[0]] = files[f[6+pointers]]
			}
		})
		if err != nil {
			return nil, err
		}
		if p == 3 {
			break
		}
		w.exceptions[p] = map[string][]string{}
		err = eachLine(filepath.Join(dir, name+".exc"), func(line string) {
			f := strings.Fields(line)
			if len(f) > 1 && !strings.Contains(line, "_") && f[0] != f[1] {
				w.exceptions[p][f[0]] = f[1:]
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return w, nil
}

func eachLine(path string, f func(string)) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	s := bufio.NewScanner(in)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		if s.Text() != "" {
			f(s.Text())
		}
	}
	return s.Err()
}

// detachments are WordNet's rules of inflection: the ending of an inflected form, the ending of its base, and which
// form it is.
var detachments = [...]struct {
	pos       int
	from, to  string
	form      tokens.Flags
	doubled   bool // the base's last consonant is doubled before the suffix
	minLetter int
}{
	{0, "s", "", tokens.NounPlural, false, 3}, {0, "ses", "s", tokens.NounPlural, false, 4}, {0, "xes", "x", tokens.NounPlural, false, 4},
	{0, "zes", "z", tokens.NounPlural, false, 4}, {0, "ches", "ch", tokens.NounPlural, false, 5}, {0, "shes", "sh", tokens.NounPlural, false, 5},
	{0, "men", "man", tokens.NounPlural, false, 4}, {0, "ies", "y", tokens.NounPlural, false, 4},
	{1, "s", "", tokens.VerbS, false, 3}, {1, "ies", "y", tokens.VerbS, false, 4}, {1, "es", "", tokens.VerbS, false, 4},
	{1, "ed", "e", tokens.VerbPast | tokens.VerbParticiple, false, 4}, {1, "ed", "", tokens.VerbPast | tokens.VerbParticiple, false, 4},
	{1, "ied", "y", tokens.VerbPast | tokens.VerbParticiple, false, 4}, {1, "ed", "", tokens.VerbPast | tokens.VerbParticiple, true, 5},
	{1, "nging", "ng", tokens.VerbIng, false, 6}, // "swinging" comes from "swing", seldom from "swinge"
	{1, "ing", "e", tokens.VerbIng, false, 5}, {1, "ing", "", tokens.VerbIng, false, 5}, {1, "ing", "", tokens.VerbIng, true, 6},
	{2, "er", "", tokens.AdjectiveMore, false, 4}, {2, "est", "", tokens.AdjectiveMore, false, 5}, {2, "er", "e", tokens.AdjectiveMore, false, 4},
	{2, "est", "e", tokens.AdjectiveMore, false, 5}, {2, "er", "", tokens.AdjectiveMore, true, 5}, {2, "est", "", tokens.AdjectiveMore, true, 6},
	{2, "ier", "y", tokens.AdjectiveMore, false, 5}, {2, "iest", "y", tokens.AdjectiveMore, false, 6},
}

// lexiconEntry is an entry of the lexicon being built.
type lexiconEntry struct {
	flags tokens.Flags
	class uint8
	base  [3]string
}

func (w *wordNet) analyseWord(word string) lexiconEntry {
	var e lexiconEntry
	for p, f := range [...]tokens.Flags{tokens.NounSingular, tokens.VerbBase, tokens.Adjective, tokens.Adverb} {
		if w.bases[p][word] {
			e.flags |= f
			if p < 3 {
				e.base[p] = word
			}
		}
	}
	e.class = w.class[word]
	for p := range 3 {
		for _, b := range w.exceptions[p][word] {
			if !w.bases[p][b] {
				continue
			}
			e.base[p] = b
			switch {
			case p == 0:
				e.flags |= tokens.NounPlural
			case p == 2:
				e.flags |= tokens.AdjectiveMore
			case strings.HasSuffix(word, "ing"):
				e.flags |= tokens.VerbIng
			case strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss"):
				e.flags |= tokens.VerbS
			default:
				e.flags |= tokens.VerbPast | tokens.VerbParticiple
			}
			break
		}
	}
	for _, d := range detachments {
		stem, ok := strings.CutSuffix(word, d.from)
		if !ok || len(word) < d.minLetter || e.base[d.pos] != "" && e.base[d.pos] != word {
			continue
		}
		if d.doubled {
			n := len(stem)
			if n < 3 || stem[n-1] != stem[n-2] {
				continue
			}
			stem = stem[:n-1]
		}
		if base := stem + d.to; w.bases[d.pos][base] && !(d.from == "s" && strings.HasSuffix(word, "ss")) {
			e.flags |= d.form
			if e.base[d.pos] == "" || d.pos > 0 {
				e.base[d.pos] = base
			}
			if d.pos == 0 && e.class == 0 {
				e.class = w.class[base]
			}
		}
	}
	if e.class == 0 && e.base[0] != "" {
		e.class = w.class[e.base[0]]
	}
	return e
}

// sortedNames returns the distinct names of several words, in byte order.
func (w *wordNet) sortedNames() []byte {
	slices.Sort(w.names)
	var b []byte
	for _, name := range slices.Compact(w.names) {
		b = append(append(b, name...), '\n')
	}
	return b
}

// buildLexicon builds the lexicon from all single words of WordNet, its irregular forms and the word list.
func (w *wordNet) buildLexicon(wordList string) ([]byte, error) {
	found := map[string]lexiconEntry{}
	add := func(word string, f tokens.Flags) {
		e, ok := found[word]
		if !ok {
			e = w.analyseWord(word)
		}
		if f == tokens.Listed || e.flags&tokens.Listed == 0 {
			e.flags = e.flags&^(tokens.Listed|tokens.Named) | f
		}
		found[word] = e
	}
	err := eachLine(wordList, func(line string) {
		if strings.HasSuffix(line, "'s") {
			return
		}
		if l := strings.ToLower(line); l == line {
			add(l, tokens.Listed)
		} else if len(l) > 1 {
			add(l, tokens.Named)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("word list: %w", err)
	}
	for p := range w.bases {
		for b := range w.bases[p] {
			add(b, 0)
		}
	}
	for p := range w.exceptions {
		for b := range w.exceptions[p] {
			add(b, 0)
		}
	}
	for _, e := range found {
		for _, b := range e.base {
			if b != "" && found[b].flags == 0 {
				return nil, fmt.Errorf("lexicon: the base %q is no word", b)
			}
		}
	}
	return appendLexicon(found), nil
}

func appendLexicon(found map[string]lexiconEntry) []byte {
	words := make([]string, 0, len(found))
	size := 0
	for w := range found {
		words = append(words, w)
		size += len(w) + 1
	}
	slices.Sort(words)
	at := make(map[string]int32, len(words))
	for i, w := range words {
		at[w] = int32(i)
	}
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(words)))
	b = binary.LittleEndian.AppendUint32(b, uint32(size))
	for _, w := range words {
		b = append(append(b, w...), '\n')
	}
	for _, w := range words {
		e := found[w]
		b = append(b, byte(e.flags), byte(e.flags>>8), e.class)
		for _, base := range e.base {
			i := int32(tokens.NoBase)
			if base != "" {
				i = at[base]
			}
			b = append(b, byte(i), byte(i>>8), byte(i>>16))
		}
	}
	return b
}
