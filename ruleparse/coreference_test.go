package ruleparse

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"capgraph/schemas"
)

// A clustering gives each mention, by the offset after its last word, an entity.
type clustering map[int32]int

// annotation is a text with its mentions.
type annotation struct {
	text     string
	entities clustering
}

var bracket = regexp.MustCompile(`\[(\d+ )?([^\]]+)\]`)

// readBrackets reads lines such as "[1 A man] holds [a hat]. [1 He] …".
func readBrackets(t testing.TB, path string) []annotation {
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []annotation
	for line := range strings.Lines(string(raw)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		a := annotation{entities: clustering{}}
		line = strings.TrimSpace(line)
		at, own := 0, 1000
		for _, m := range bracket.FindAllStringSubmatchIndex(line, -1) {
			a.text += line[at:m[0]] + line[m[4]:m[5]]
			at = m[1]
			own++
			id := own
			if m[2] >= 0 {
				id, _ = strconv.Atoi(strings.TrimSpace(line[m[2]:m[3]]))
			}
			a.entities[int32(len(a.text))] = id
		}
		a.text += line[at:]
		out = append(out, a)
	}
	return out
}

// readLong reads the rows of written/long.jsonl that keep accepts, counted from 1.
func readLong(t testing.TB, keep func(row int) bool) []annotation {
	raw, err := os.ReadFile("../../shared/data/written/long.jsonl")
	if err != nil {
		t.Skip("skipped: the annotated captions are not there: ", err)
	}
	type span struct{ Begin, End int32 }
	var out []annotation
	row := 0
	for line := range strings.Lines(string(raw)) {
		var c struct {
			Text    string
			Objects []struct {
				span
				Mentions []span
			}
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		a := annotation{text: c.Text, entities: clustering{}}
		for i, o := range c.Objects {
			a.entities[o.End] = i
			for _, m := range o.Mentions {
				if _, ok := a.entities[m.End]; !ok { // "both" and "them" name several objects
					a.entities[m.End] = i
				}
			}
		}
		if row++; keep(row) {
			out = append(out, a)
		}
	}
	return out
}

// parseMentions returns the mentions that p finds, and which of them are nouns of persons.
func parseMentions(p *Parser, text string) (c clustering, persons map[int32]bool) {
	var w workspace
	var g schemas.SceneGraph
	p.model.Reader.Read(&w.text, text)
	w.reading.Analysis = p.model.Analyst.Analyse(&w.decoder, w.text.Tokens)
	p.rules.Correct(&w.reading, w.text.Tokens)
	p.rules.Build(text, w.text.Low, w.text.Tokens, &w.reading, &g)
	c, persons = clustering{}, map[int32]bool{}
	for _, m := range w.reading.Mentions(w.text.Tokens) {
		c[m.End] = int(m.Object)
	}
	for _, n := range w.reading.Nodes {
		persons[w.text.Tokens[n.To-1].End] = n.IsPerson
	}
	return c, persons
}

// sameWord is the baseline that takes all mentions of one word for one thing.
func sameWord(p *Parser, text string, found clustering) clustering {
	c, numbers := clustering{}, map[string]int{}
	for _, t := range p.Tokens(text, nil) {
		if _, ok := found[t.End]; ok {
			w := strings.ToLower(text[t.Begin:t.End])
			if _, ok := numbers[w]; !ok {
				numbers[w] = len(numbers)
			}
			c[t.End] = numbers[w]
		}
	}
	return c
}

func (c clustering) groups() map[int][]int32 {
	g := map[int][]int32{}
	for m, e := range c {
		g[e] = append(g[e], m)
	}
	return g
}

// coreferenceScore adds up B³ and LEA. Mentions of the gold standard that were not found count against
// recall; what was found beyond it is not counted.
type coreferenceScore struct {
	b3p, b3r, leaP, leaR          float64
	found, gold, weightP, weightR float64
	texts, merged, mergedPersons  int // texts with two things, or two persons, taken for one
}

func (s *coreferenceScore) add(found, gold clustering, persons map[int32]bool) {
	found = only(found, gold)
	fg, gg := found.groups(), gold.groups()
	share := func(m int32, of, in clustering, groups map[int][]int32) float64 {
		n := 0
		for _, k := range groups[of[m]] {
			if a, ok := in[k]; ok && a == in[m] {
				n++
			}
		}
		return float64(n) / float64(len(groups[of[m]]))
	}
	for m := range found {
		s.b3p += share(m, found, gold, fg)
		s.found++
	}
	for m := range gold {
		if s.gold++; has(found, m) {
			s.b3r += share(m, gold, found, gg)
		}
	}
	lea := func(groups map[int][]int32, in clustering) (sum, weight float64) {
		for _, g := range groups {
			if len(g) < 2 {
				continue
			}
			links, same := 0.0, 0.0
			for i, a := range g {
				for _, b := range g[:i] {
					links++
					if has(in, a) && has(in, b) && in[a] == in[b] {
						same++
					}
				}
			}
			sum, weight = sum+float64(len(g))*same/links, weight+float64(len(g))
		}
		return sum, weight
	}
	p, wp := lea(fg, gold)
	r, wr := lea(gg, found)
	s.leaP, s.weightP, s.leaR, s.weightR = s.leaP+p, s.weightP+wp, s.leaR+r, s.weightR+wr
	s.texts++
	merged, mergedPersons := 0, 0
	for _, g := range fg {
		for _, m := range g {
			for _, k := range g {
				if gold[m] != gold[k] {
					merged = 1
					if persons[m] && persons[k] {
						mergedPersons = 1
					}
				}
			}
		}
	}
	s.merged, s.mergedPersons = s.merged+merged, s.mergedPersons+mergedPersons
}

func has(c clustering, m int32) bool { _, ok := c[m]; return ok }

// only returns the mentions of c that gold has.
func only(c, gold clustering) clustering {
	out := clustering{}
	for m, e := range c {
		if has(gold, m) {
			out[m] = e
		}
	}
	return out
}

func f1(p, r float64) float64 { return 200 * p * r / max(1e-9, p+r) }

// f1 returns B³ and LEA in per cent.
func (s *coreferenceScore) f1() (b3, lea float64) {
	return f1(s.b3p/s.found, s.b3r/s.gold), f1(s.leaP/max(1, s.weightP), s.leaR/s.weightR)
}

func (s *coreferenceScore) String() string {
	bp, br, lp, lr := s.b3p/s.found, s.b3r/s.gold, s.leaP/max(1, s.weightP), s.leaR/s.weightR
	return fmt.Sprintf("B³ %.1f (%.1f, %.1f)  LEA %.1f (%.1f, %.1f)  texts where two are one %d, where two persons are %d",
		f1(bp, br), 100*bp, 100*br, f1(lp, lr), 100*lp, 100*lr, s.merged, s.mergedPersons)
}

// TestCoreference measures who is who over sentences on annotated captions, beside two baselines:
//
//	go test ./ruleparse -run TestCoreference -v
func TestCoreference(t *testing.T) {
	p := newParser(t)
	third := func(row int) bool { return row%3 == 0 }
	for _, set := range []struct {
		name    string
		read    func(t testing.TB) []annotation
		b3, lea float64 // at least
	}{
		{"coreference.txt", func(t testing.TB) []annotation { return readBrackets(t, "testdata/coreference.txt") }, 92, 88},
		{"coreference_held.txt", func(t testing.TB) []annotation { return readBrackets(t, "testdata/coreference_held.txt") }, 93, 89},
		{"two thirds of long.jsonl", func(t testing.TB) []annotation { return readLong(t, func(r int) bool { return !third(r) }) }, 92.5, 73},
		{"a third of long.jsonl", func(t testing.TB) []annotation { return readLong(t, third) }, 91.5, 71},
	} {
		t.Run(set.name, func(t *testing.T) {
			var own, word, parser coreferenceScore
			for _, a := range set.read(t) {
				found, persons := parseMentions(p, a.text)
				parser.add(found, a.entities, persons)
				word.add(sameWord(p, a.text, found), a.entities, persons)
				each := clustering{}
				for m := range found {
					each[m] = int(m)
				}
				own.add(each, a.entities, persons)
				if os.Getenv("SHOW") == set.name && differ(found, a.entities) {
					show(t, &a, found)
				}
			}
			if b3, lea := parser.f1(); b3 < set.b3 || lea < set.lea {
				t.Errorf("B³ %.1f, LEA %.1f, want at least %.1f and %.1f", b3, lea, set.b3, set.lea)
			}
			t.Logf("%d texts\nparser        %s\nsame word     %s\neach its own  %s", parser.texts, &parser, &word, &own)
		})
	}
}

// show logs a text with a wrong reference: behind each mention its entity, and that of the parser.
func show(t *testing.T, a *annotation, found clustering) {
	text, f := a.text, only(found, a.entities)
	ends := slices.Sorted(maps.Keys(f))
	for _, m := range slices.Backward(ends) {
		text = fmt.Sprintf("%s[%d|%d]%s", text[:m], a.entities[m], f[m], text[m:])
	}
	t.Log(text)
}

// differ reports whether two clusterings differ in which of the mentions that both have are of one
// thing.
func differ(a, b clustering) bool {
	for m := range a {
		for k := range a {
			if has(b, m) && has(b, k) && (a[m] == a[k]) != (b[m] == b[k]) {
				return true
			}
		}
	}
	return false
}

func TestPersonsAreNotTakenForOthers(t *testing.T) {
	p := newParser(t)
	for _, a := range readBrackets(t, "testdata/persons.txt") {
		if found, _ := parseMentions(p, a.text); differ(found, a.entities) {
			show(t, &a, found)
			t.Fail()
		}
	}
}
