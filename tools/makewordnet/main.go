// Command makewordnet writes wordnet.txt.gz, the part of WordNet 3.0 that package lexicon embeds,
// from WordNet's database files:
//
//	go run ./tools/makewordnet -wordnet DIR -out internal/lexicon/wordnet.txt.gz
//
// The output has one fact a line, sorted. Fields are separated by a tab, lists by a space; spaces
// in lemmas are "_".
//
//	n LEMMA SYNSETS      a noun with its most frequent senses
//	i LEMMA SYNSETS      a noun that names no physical entity and no shape: "concert"
//	v LEMMA SYNSETS      a verb
//	a LEMMA SYNSETS      an adjective
//	m LEMMA              a word that is first a name
//	p SYNSET PARENTS     the hypernyms of a synset
//	c SYNSET CLUSTER     the synset that an adjective is similar to
//	o SYNSET OPPOSITES   antonyms
package main

import (
	"bufio"
	"compress/gzip"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// maxSenses is the number of senses that are kept of a lemma, the most frequent first.
const maxSenses = 3

// vagueNouns are first words of noun synsets that are too general to be useful hypernyms.
var vagueNouns = []string{
	"entity", "physical_entity", "abstraction", "thing", "object", "whole", "artifact", "living_thing", "organism",
	"causal_agent", "matter", "substance", "part", "instrumentality", "natural_object", "unit", "psychological_feature",
	"attribute", "relation", "communication", "measure", "group", "event", "act", "state", "process", "phenomenon",
	"physical_process", "physical_phenomenon", "cause", "way", "body_part", "piece", "surface", "location", "region",
	"point", "line", "extremity", "boundary", "area", "space", "component", "portion", "item", "block",
}

type synset struct {
	id         string // "n02084071"
	words      []string
	parents    []string
	similar    []string
	opposite   []string
	isInstance bool // an individual, such as Paris, and not a kind
}

func main() {
	log.SetFlags(0)
	dir := flag.String("wordnet", "", "folder of WordNet 3.0's index.* and data.* files")
	out := flag.String("out", "wordnet.txt.gz", "file to write")
	flag.Parse()
	if err := writeWordNet(*dir, *out); err != nil {
		log.Fatal("makewordnet: ", err)
	}
}

func writeWordNet(dir, out string) error {
	synsets := map[string]*synset{}
	type lemma struct {
		pos    byte
		word   string
		senses []string
	}
	var lemmas []lemma
	var names []string
	for pos, name := range map[byte]string{'n': "noun", 'v': "verb", 'a': "adj"} {
		err := eachLine(filepath.Join(dir, "data."+name), func(f []string) {
			s := parseSynset(pos, f)
			synsets[s.id] = s
		})
		if err != nil {
			return err
		}
		err = eachLine(filepath.Join(dir, "index."+name), func(f []string) {
			if !isWanted(f[0]) {
				return
			}
			pointers, _ := strconv.Atoi(f[3])
			senses := f[6+pointers:]
			if pos == 'n' && isName(synsets, senses) {
				names = append(names, f[0])
			}
			l := lemma{pos: pos, word: f[0]}
			for i, s := range senses[:min(len(senses), maxSenses)] {
				id := string(pos) + s
				// "dog" is a person too, in a sense that no caption means.
				if i > 0 && pos == 'n' && isKindOf(synsets, id, "person") && !isKindOf(synsets, l.senses[0], "person") {
					continue
				}
				l.senses = append(l.senses, id)
			}
			lemmas = append(lemmas, l)
		})
		if err != nil {
			return err
		}
	}
	slices.SortFunc(lemmas, func(a, b lemma) int {
		return strings.Compare(string(a.pos)+"\t"+a.word, string(b.pos)+"\t"+b.word)
	})

	number := map[string]int{} // numbers of the synsets that are written
	var queue []string
	use := func(id string) int {
		if _, ok := number[id]; !ok {
			number[id] = len(number)
			queue = append(queue, id)
		}
		return number[id]
	}
	list := func(ids []string) string {
		var numbers []string
		for _, id := range ids {
			if !isVague(synsets[id]) {
				numbers = append(numbers, strconv.Itoa(use(id)))
			}
		}
		return strings.Join(numbers, " ")
	}
	var lines []string
	slices.Sort(names)
	for _, name := range names {
		lines = append(lines, "m\t"+name+"\t")
	}
	for _, l := range lemmas {
		if l.pos == 'n' && !slices.ContainsFunc(l.senses, func(id string) bool { return isVisible(synsets, id) }) {
			continue
		}
		kind := l.pos
		if kind == 'n' && !slices.ContainsFunc(l.senses, func(id string) bool { return isKindOf(synsets, id, "physical_entity", "shape") }) {
			kind = 'i'
		}
		if senses := list(l.senses); senses != "" {
			lines = append(lines, fmt.Sprintf("%c\t%s\t%s", kind, l.word, senses))
		}
	}
	for len(queue) > 0 {
		s := synsets[queue[0]]
		n := number[queue[0]]
		queue = queue[1:]
		for _, fact := range []struct {
			kind string
			ids  []string
		}{{"p", s.parents}, {"c", s.similar}, {"o", s.opposite}} {
			if ids := list(fact.ids); ids != "" {
				lines = append(lines, fmt.Sprintf("%s\t%d\t%s", fact.kind, n, ids))
			}
		}
	}
	return writeLines(out, lines)
}

// isWanted reports whether a lemma is an ordinary word or a pair of words.
func isWanted(lemma string) bool {
	if strings.Count(lemma, "_") > 1 || len(lemma) < 2 {
		return false
	}
	return !strings.ContainsFunc(lemma, func(r rune) bool {
		return r != '_' && r != '-' && (r < 'a' || r > 'z')
	})
}

// isVisible reports whether a picture can show a noun synset: physical entities, groups, events and
// shapes.
func isVisible(synsets map[string]*synset, id string) bool {
	return isKindOf(synsets, id, "physical_entity", "group", "event", "shape")
}

// isKindOf reports whether the synset or one of its hypernyms begins with one of the words.
func isKindOf(synsets map[string]*synset, id string, words ...string) bool {
	s := synsets[id]
	return slices.Contains(words, s.words[0]) ||
		slices.ContainsFunc(s.parents, func(p string) bool { return isKindOf(synsets, p, words...) })
}

// isName reports whether the most frequent sense of a noun is an individual, such as a person or a
// place. A noun like "sun", of which a frequent sense is a physical thing, is not a name; "paris",
// which is also a genus, is.
func isName(synsets map[string]*synset, senses []string) bool {
	return synsets["n"+senses[0]].isInstance && !slices.ContainsFunc(senses[:min(len(senses), maxSenses)], func(sense string) bool {
		return isKindOf(synsets, "n"+sense, "physical_entity")
	})
}

func isVague(s *synset) bool {
	return s.id[0] == 'n' && slices.Contains(vagueNouns, s.words[0])
}

// parseSynset reads a line of a data file: offset, file number, type, words with their ids,
// pointers.
func parseSynset(pos byte, f []string) *synset {
	s := &synset{id: string(pos) + f[0]}
	words, _ := strconv.ParseInt(f[3], 16, 32)
	for i := range int(words) {
		s.words = append(s.words, f[4+2*i])
	}
	p := 4 + 2*int(words)
	pointers, _ := strconv.Atoi(f[p])
	for i := range pointers {
		ptr := f[p+1+4*i:]
		if ptr[2] != string(pos) && !(pos == 'a' && ptr[2] == "s") {
			continue
		}
		id := string(pos) + ptr[1]
		switch ptr[0] {
		case "@":
			s.parents = append(s.parents, id)
		case "@i":
			s.isInstance = true
		case "&":
			if f[2] == "s" { // a pointer from a satellite adjective to its head
				s.similar = append(s.similar, id)
			}
		case "!":
			s.opposite = append(s.opposite, id)
		}
	}
	return s
}

// eachLine calls f with the fields of each line below the licence.
func eachLine(path string, f func([]string)) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if line := lines.Text(); !strings.HasPrefix(line, " ") {
			f(strings.Fields(line))
		}
	}
	return lines.Err()
}

func writeLines(path string, lines []string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	z, err := gzip.NewWriterLevel(file, gzip.BestCompression)
	if err != nil {
		return err
	}
	for _, l := range lines {
		if _, err := fmt.Fprintln(z, l); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return file.Close()
}
