package ruleparse

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"capgraph/schemas"
)

// rewriter knows how FACTUAL's annotators wrote what a graph says: names and
// attributes that they replaced, predicates that they turned or renamed.
type rewriter struct {
	names      map[string]string
	attributes map[string]string
	quantities map[string]string
	predicates map[string][]rewriting // by lemma; the likeliest first
	frequent   []string               // words of the gold, the most frequent first
	weights    weights
}

// rewriting is a predicate of the gold for a predicate of a graph.
type rewriting struct {
	text   string
	turned bool // subject and object change places
}

// rewriteFeatures appends what the choice of rewriting r of relation i depends on.
func rewriteFeatures(l *lexicon, g *schemas.SceneGraph, i int, r rewriting, f []uint32) []uint32 {
	e := &g.Relations[i]
	s, o := &g.Objects[e.Subject], &g.Objects[e.Object]
	h := join(hashString(withoutArticles(e.Lemma)), hashString(r.text))
	out := hashString(r.text)
	if r.turned {
		h, out = join(h, 1), join(out, 1)
	}
	sh, oh := hashString(s.Head), hashString(o.Head)
	sc, oc := l.classOf(s.Head, sh), l.classOf(o.Head, oh)
	side := uint32(0)
	if s.Begin < o.Begin {
		side = 1
	}
	others, twin := uint32(0), uint32(0)
	near := g.Relations[max(0, i-maxBack):min(i+maxBack, len(g.Relations))]
	for k := range near {
		if x := &near[k]; x != e {
			if x.Subject == e.Subject {
				others = join(others, hashString(x.Lemma))
			}
			if x.Object == e.Object {
				twin = join(twin, hashString(x.Lemma))
			}
		}
	}
	counted := uint32(0)
	if s.Quantity != "" {
		counted |= 1
	}
	if o.Quantity != "" {
		counted |= 2
	}
	if o.Name != o.Head {
		counted |= 4
	}
	if s.Name != s.Head {
		counted |= 8
	}
	for _, a := range o.Attributes {
		f = append(f, join(412, join(h, hashString(a.Text))))
	}
	f = append(f,
		join(413, join(h, counted)), join(414, join(h, others)), join(415, join(h, twin)), join(416, join(h, uint32(min(5, len(g.Relations)))<<4|uint32(min(5, len(g.Objects))))),
		join(417, join(h, uint32(min(3, len(s.Attributes)))<<2|uint32(min(3, len(o.Attributes))))),
	)
	return append(f,
		join(400, h), join(401, join(h, sh)), join(402, join(h, oh)), join(403, join(h, join(sh, oh))),
		join(404, join(h, hashString(s.Name))), join(405, join(h, hashString(o.Name))),
		join(406, join(h, uint32(min(3, len(o.Attributes))))), join(407, join(out, join(sh, oh))),
		join(408, join(out, sh)), join(409, join(out, oh)), join(410, join(h, hashString(e.Predicate))), join(411, join(h, side)),
		join(420, join(h, sc<<8|oc)), join(421, join(h, sc)), join(422, join(h, oc)), join(423, join(h, join(sc, oh))), join(424, join(h, join(oc, sh))),
	)
}

// predicate chooses how the gold writes relation i.
func (w *rewriter) predicate(l *lexicon, g *schemas.SceneGraph, i int) rewriting {
	lemma := withoutArticles(g.Relations[i].Lemma)
	options := w.predicates[lemma]
	if len(options) == 0 {
		if verb, ok := strings.CutSuffix(lemma, " by"); ok && !strings.Contains(verb, " ") {
			return rewriting{verb, true}
		}
		// what is not known after a verb may be known alone: "sit in middle of"
		if verb, rest, _ := strings.Cut(lemma, " "); strings.HasPrefix(rest, "in ") || strings.HasPrefix(rest, "at ") || strings.HasPrefix(rest, "off ") {
			if o := w.predicates[rest]; len(o) > 0 && !o[0].turned {
				return rewriting{text: verb + " " + o[0].text}
			}
		}
		return rewriting{text: lemma}
	}
	best, top := options[0], float32(0)
	var f []uint32
	for k, r := range options {
		if len(options) == 1 {
			break
		}
		f = rewriteFeatures(l, g, i, r, f[:0])
		if s := w.weights.sum(f); k == 0 || s > top {
			best, top = r, s
		}
	}
	return best
}

// withoutArticles is a lemma as FACTUAL writes it: "on left of".
func withoutArticles(lemma string) string {
	for _, a := range [...]string{" the ", " a ", " an "} {
		lemma = strings.ReplaceAll(lemma, a, " ")
	}
	return lemma
}

// rename is what m, or the mending of mistyped words, makes of s.
func (w *rewriter) rename(l *lexicon, m map[string]string, s string) string {
	if r, ok := m[s]; ok {
		return r
	}
	words := strings.Fields(s)
	changed := false
	for i, word := range words {
		if len(word) < 5 || l.find(word, hashString(word)) >= 0 || w.isFrequent(word) {
			continue
		}
		for _, v := range w.frequent { // the most frequent first
			if d := len(v) - len(word); d >= -1 && d <= 1 && v[0] == word[0] && mistyped(v, word) {
				words[i], changed = v, true
				break
			}
		}
	}
	if changed {
		return strings.Join(words, " ")
	}
	return s
}

func (w *rewriter) isFrequent(word string) bool { return slices.Contains(w.frequent, word) }

// mistyped reports whether a and b differ by one letter added, left out, changed
// or swapped with its neighbour.
func mistyped(a, b string) bool {
	i, j := 0, 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	a, b = a[i:], b[i:]
	for j < min(len(a), len(b)) && a[len(a)-1-j] == b[len(b)-1-j] {
		j++
	}
	a, b = a[:len(a)-j], b[:len(b)-j]
	return len(a)+len(b) > 0 && (len(a) <= 1 && len(b) <= 1 || len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0])
}

// readRewriter reads the form that appendRewriter writes.
func readRewriter(s string) (*rewriter, error) {
	if len(s) < 4 {
		return nil, fmt.Errorf("rewriter: cut off")
	}
	n := binary.LittleEndian.Uint32([]byte(s[:4]))
	if uint64(len(s)-4) < uint64(n) {
		return nil, fmt.Errorf("rewriter: cut off")
	}
	w := &rewriter{names: map[string]string{}, attributes: map[string]string{}, quantities: map[string]string{}, predicates: map[string][]rewriting{}}
	for line := range strings.Lines(s[4 : 4+n]) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 3 {
			return nil, fmt.Errorf("rewriter: line %q", line)
		}
		switch f[0] {
		case "v":
			w.frequent = append(w.frequent, f[1])
		case "n":
			w.names[f[1]] = f[2]
		case "a":
			w.attributes[f[1]] = f[2]
		case "q":
			w.quantities[f[1]] = f[2]
		case "p":
			w.predicates[f[1]] = append(w.predicates[f[1]], rewriting{f[2], false})
		case "t":
			w.predicates[f[1]] = append(w.predicates[f[1]], rewriting{f[2], true})
		}
	}
	var err error
	w.weights, err = readWeights(s[4+n:], 1)
	return w, err
}
