package factual

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"capgraph/internal/linear"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/schemas"
)

// Rewriter rewrites graphs as FACTUAL's annotators write them. It replaces names and attributes,
// and renames or reverses predicates.
type Rewriter struct {
	lexicon    *tokens.Lexicon
	names      map[string]string
	attributes map[string]string
	quantities map[string]string
	predicates map[string][]Rewriting // by lemma; the likeliest first
	frequent   []string               // words of the annotators' graphs, the most frequent first
	weights    linear.Weights
}

// Rewriting is a predicate that annotators write for a predicate of the parser.
type Rewriting struct {
	Text     string
	Reversed bool // subject and object are swapped
}

// AppendRewriteFeatures appends the features of rewriting r for relation i.
func AppendRewriteFeatures(l *tokens.Lexicon, g *schemas.SceneGraph, i int, r Rewriting, f []uint32) []uint32 {
	e := &g.Relations[i]
	s, o := &g.Objects[e.Subject], &g.Objects[e.Object]
	h := linear.Join(linear.Hash(DropArticles(e.Lemma)), linear.Hash(r.Text))
	out := linear.Hash(r.Text)
	if r.Reversed {
		h, out = linear.Join(h, 1), linear.Join(out, 1)
	}
	sh, oh := linear.Hash(s.Head), linear.Hash(o.Head)
	sc, oc := l.NounClass(s.Head, sh), l.NounClass(o.Head, oh)
	side := uint32(0)
	if s.Begin < o.Begin {
		side = 1
	}
	others, twin := uint32(0), uint32(0)
	near := g.Relations[max(0, i-maxNearby):min(i+maxNearby, len(g.Relations))]
	for k := range near {
		if x := &near[k]; x != e {
			if x.Subject == e.Subject {
				others = linear.Join(others, linear.Hash(x.Lemma))
			}
			if x.Object == e.Object {
				twin = linear.Join(twin, linear.Hash(x.Lemma))
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
		f = append(f, linear.Join(412, linear.Join(h, linear.Hash(a.Text))))
	}
	f = append(f,
		linear.Join(413, linear.Join(h, counted)), linear.Join(414, linear.Join(h, others)), linear.Join(415, linear.Join(h, twin)), linear.Join(416, linear.Join(h, uint32(min(5, len(g.Relations)))<<4|uint32(min(5, len(g.Objects))))),
		linear.Join(417, linear.Join(h, uint32(min(3, len(s.Attributes)))<<2|uint32(min(3, len(o.Attributes))))),
	)
	return append(f,
		linear.Join(400, h), linear.Join(401, linear.Join(h, sh)), linear.Join(402, linear.Join(h, oh)), linear.Join(403, linear.Join(h, linear.Join(sh, oh))),
		linear.Join(404, linear.Join(h, linear.Hash(s.Name))), linear.Join(405, linear.Join(h, linear.Hash(o.Name))),
		linear.Join(406, linear.Join(h, uint32(min(3, len(o.Attributes))))), linear.Join(407, linear.Join(out, linear.Join(sh, oh))),
		linear.Join(408, linear.Join(out, sh)), linear.Join(409, linear.Join(out, oh)), linear.Join(410, linear.Join(h, linear.Hash(e.Predicate))), linear.Join(411, linear.Join(h, side)),
		linear.Join(420, linear.Join(h, sc<<8|oc)), linear.Join(421, linear.Join(h, sc)), linear.Join(422, linear.Join(h, oc)), linear.Join(423, linear.Join(h, linear.Join(sc, oh))), linear.Join(424, linear.Join(h, linear.Join(oc, sh))),
	)
}

// choosePredicate returns the likeliest rewriting of relation i by the annotators.
func (w *Rewriter) choosePredicate(g *schemas.SceneGraph, i int) Rewriting {
	lemma := DropArticles(g.Relations[i].Lemma)
	options := w.predicates[lemma]
	if len(options) == 0 {
		if verb, ok := strings.CutSuffix(lemma, " by"); ok && !strings.Contains(verb, " ") {
			return Rewriting{verb, true}
		}
		// a verb with an unknown rest: rewrite the rest alone, as in "sit in middle of"
		if verb, rest, _ := strings.Cut(lemma, " "); strings.HasPrefix(rest, "in ") || strings.HasPrefix(rest, "at ") || strings.HasPrefix(rest, "off ") {
			if o := w.predicates[rest]; len(o) > 0 && !o[0].Reversed {
				return Rewriting{Text: verb + " " + o[0].Text}
			}
		}
		return Rewriting{Text: lemma}
	}
	best, top := options[0], float32(0)
	var f []uint32
	for k, r := range options {
		if len(options) == 1 {
			break
		}
		f = AppendRewriteFeatures(w.lexicon, g, i, r, f[:0])
		if s := w.weights.Sum(f); k == 0 || s > top {
			best, top = r, s
		}
	}
	return best
}

// DropArticles returns a predicate's lemma without articles, as FACTUAL writes it: "on left of".
func DropArticles(lemma string) string {
	for _, a := range [...]string{" the ", " a ", " an "} {
		lemma = strings.ReplaceAll(lemma, a, " ")
	}
	return lemma
}

// rewriteText returns the replacement of s in m, or s with typing errors corrected if there is
// none.
func (w *Rewriter) rewriteText(m map[string]string, s string) string {
	if r, ok := m[s]; ok {
		return r
	}
	words := strings.Fields(s)
	changed := false
	for i, word := range words {
		if len(word) < 5 || w.lexicon.Find(word, linear.Hash(word)) >= 0 || w.isFrequent(word) {
			continue
		}
		for _, v := range w.frequent { // the first match is the most frequent
			if d := len(v) - len(word); d >= -1 && d <= 1 && v[0] == word[0] && differsByTypo(v, word) {
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

func (w *Rewriter) isFrequent(word string) bool { return slices.Contains(w.frequent, word) }

// differsByTypo reports whether a and b differ by one letter added, omitted, changed or swapped
// with the next.
func differsByTypo(a, b string) bool {
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

// ReadRewriter reads the tables that the trainer writes.
func ReadRewriter(s string, l *tokens.Lexicon) (*Rewriter, error) {
	if len(s) < 4 {
		return nil, fmt.Errorf("rewriter: cut off")
	}
	n := binary.LittleEndian.Uint32([]byte(s[:4]))
	if uint64(len(s)-4) < uint64(n) {
		return nil, fmt.Errorf("rewriter: cut off")
	}
	w := &Rewriter{lexicon: l, names: map[string]string{}, attributes: map[string]string{}, quantities: map[string]string{}, predicates: map[string][]Rewriting{}}
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
			w.predicates[f[1]] = append(w.predicates[f[1]], Rewriting{f[2], false})
		case "t":
			w.predicates[f[1]] = append(w.predicates[f[1]], Rewriting{f[2], true})
		}
	}
	var err error
	w.weights, err = linear.ReadWeights(s[4+n:], 1)
	return w, err
}

// Key returns r as the model file writes it: "t" if reversed, else "p", and then the text.
func (r Rewriting) Key() string {
	if r.Reversed {
		return "t" + r.Text
	}
	return "p" + r.Text
}
