package rules

import (
	"slices"
	"strings"

	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/schemas"
)

// A building is a graph while it is built of the analysis of a text.
type building struct {
	rules     *Set
	text, low string
	ts        []tokens.Token
	x         *Reading
	at        []int32 // by node: the object of the graph that it is, or -1
	said      *sentences
	g         *schemas.SceneGraph
}

// Build turns an analysis into a scene graph.
func (s *Set) Build(text, low string, ts []tokens.Token, x *Reading, g *schemas.SceneGraph) {
	x.at = slices.Grow(x.at[:0], len(x.Nodes))[:len(x.Nodes)]
	at := x.at
	said := s.newSentences(ts)
	for i, n := range x.Nodes {
		if n.Attribute || n.To == n.From+1 && wornColour(ts, int(n.From)) || namesNothing(ts, &n) || absent(ts, x, i) || said.ofPicture(ts, x, i) {
			at[i] = -1
			continue
		}
		if a := said.again(ts, x, i); a >= 0 && at[a] >= 0 {
			at[i] = at[a]
			continue
		} else if ts[n.From].Tag == penn.PRP && (ts[n.From].In(pronouns) || said.several(ts) && analysis.IsPronoun(&ts[n.From])) {
			at[i] = -1 // nobody knows whom
			continue
		}
		at[i] = int32(len(g.Objects))
		g.Objects = append(g.Objects, schemas.Object{
			Name: phrase(low, ts, n.From, n.To), Head: s.head(&ts[n.To-1]), Begin: ts[n.From].Begin, End: ts[n.To-1].End,
		})
	}
	for _, l := range x.Links {
		if n := &x.Nodes[l.Attribute]; n.Attribute && at[l.Object] >= 0 && !(n.To == n.From+1 && wornColour(ts, int(n.From))) {
			s.AddAttribute(low, ts, x, l, &g.Objects[at[l.Object]])
		}
	}
	for i := range x.Edges {
		e := &x.Edges[i]
		if at[e.A] < 0 || at[e.B] < 0 || misread(ts, x, e) || x.passed(at, e) {
			continue
		}
		from := subject(ts, x, i)
		if from < 0 || at[from] < 0 {
			continue
		}
		r := schemas.Relation{Subject: at[from], Object: at[e.B], Begin: schemas.NoOffset, End: schemas.NoOffset}
		if e.Candidate.Reversed {
			r.Subject, r.Object = r.Object, r.Subject
		}
		if r.Subject == r.Object {
			continue // a pronoun and what it stands for
		}
		s.predicate(low, ts, x, &e.Candidate, &r)
		if says(g, &r) {
			continue
		}
		g.Relations = append(g.Relations, r)
		x.share(ts, at, from, e, r, g)
	}
	x.built = building{s, text, low, ts, x, at, &said, g}
	x.built.add()
	x.built = building{} // keeps nothing of the caller's
}

// passed reports whether an object that makes none stands between the words of e and its second
// object: in "the background *of* the image, there is a lamp" the background has no lamp.
func (x *Reading) passed(at []int32, e *analysis.Relation) bool {
	m := x.previous(int(e.B))
	return e.Candidate.Forward() && m > int(e.A) && at[m] < 0 && x.Nodes[m].From > e.Candidate.Words[e.Candidate.N-1]
}

// AddAttribute adds an attribute, or a quantity, to its object.
func (s *Set) AddAttribute(low string, ts []tokens.Token, x *Reading, l analysis.Link, o *schemas.Object) {
	n := &x.Nodes[l.Attribute]
	if n.From < x.Nodes[l.Object].From && IsQuantity(ts, n.From, n.To) {
		from := n.From
		if n.To-n.From > 1 {
			from = withArticle(ts, from)
		} else {
			from = withA(ts, from)
		}
		o.Quantity = phrase(low, ts, from, n.To)
		return
	}
	if namesNothing(ts, n) || n.To == n.From+1 && manner(ts, n.From) || x.strays(ts, l) {
		return
	}
	form := schemas.Post
	if n.From < x.Nodes[l.Object].From {
		form = schemas.Pre
	}
	from, to := n.From, n.To
	insertAttribute(o, schemas.Attribute{Text: phrase(low, ts, from, to), Form: form, Begin: ts[from].Begin, End: ts[to-1].End})
}

// manner reports whether token i is an adverb that says how, or a particle of a verb, not
// what something is like.
func manner(ts []tokens.Token, i int32) bool {
	t := &ts[i]
	return t.Tag == penn.RB && t.Flags&tokens.Adjective == 0 && strings.HasSuffix(t.Low, "ly") ||
		t.In(" both in like super very without ") && !t.Capital ||
		t.In(" off on up ") && i > 0 && penn.IsVerb(ts[i-1].Tag) && !ts[i-1].Be
}

// insertAttribute keeps attributes in the order of the text, each once.
func insertAttribute(o *schemas.Object, a schemas.Attribute) {
	at := len(o.Attributes)
	for at > 0 && o.Attributes[at-1].Begin > a.Begin {
		at--
	}
	if at > 0 && o.Attributes[at-1].Begin == a.Begin {
		return // of two parts of a compound
	}
	o.Attributes = slices.Insert(o.Attributes, at, a)
}

// predicate fills in the words of c, which relate the objects of r.
func (s *Set) predicate(low string, ts []tokens.Token, x *Reading, c *analysis.Candidate, r *schemas.Relation) {
	if c.Implied != 0 {
		r.Lemma = analysis.ImpliedPredicates[c.Implied-1]
		r.Predicate = r.Lemma
		if r.Lemma == "have" {
			r.Predicate = "has"
		}
		return
	}
	first, last := c.Words[0], c.Words[c.N-1]
	for first > 0 && (ts[first-1].Be || perfect(ts, first-1) >= 0) {
		first--
	}
	r.Begin, r.End = ts[first].Begin, ts[last].End
	r.Predicate = phrase(low, ts, first, last+1)
	if k := split(ts, x, c); k > 0 { // in two places: "playing frisbee on"
		r.Begin, r.End = schemas.NoOffset, schemas.NoOffset
		r.Predicate = phrase(low, ts, first, c.Words[k-1]+1) + " " + phrase(low, ts, c.Words[k], last+1)
	}
	if c.N == 1 {
		r.Lemma = s.Lexicon.Plain(&ts[c.Words[0]])
		return
	}
	var b strings.Builder
	for i, w := range c.Words[:c.N] {
		if i > 0 {
			if ts[w-1].Tag == penn.DT {
				b.WriteByte(' ')
				b.WriteString(ts[w-1].Low)
			}
			b.WriteByte(' ')
		}
		b.WriteString(s.Lexicon.Plain(&ts[w]))
	}
	r.Lemma = b.String()
	if c.Where == analysis.After && ts[last].In(sides) && tokens.At(ts, last+1).Low != "of" { // "a clock on top"
		r.Predicate, r.Lemma, r.Begin, r.End = r.Predicate+" of", r.Lemma+" of", schemas.NoOffset, schemas.NoOffset
	}
}

// split is the first word of c before which an object or a pronoun stands within it, or 0.
func split(ts []tokens.Token, x *Reading, c *analysis.Candidate) int {
	for k := 1; k < int(c.N); k++ {
		for i := c.Words[k-1] + 1; i < c.Words[k]; i++ {
			if x.InNode[i] || ts[i].Tag == penn.PRP {
				return k
			}
		}
	}
	return 0
}

// head is the base form of an object's last word.
func (s *Set) head(t *tokens.Token) string {
	if t.Kind != tokens.Letters {
		return t.Low
	}
	if t.Tag == penn.NNS {
		return s.Lexicon.Singular(t)
	}
	return s.Lexicon.BaseOf(t.Low, t.Entry, 0)
}

// phrase is the text of tokens from up to to with one space between words.
func phrase(low string, ts []tokens.Token, from, to int32) string {
	s := low[ts[from].Begin:ts[to-1].End]
	plain := true
	for i := from + 1; i < to; i++ {
		if gap := ts[i].Begin - ts[i-1].End; gap > 1 || gap == 1 && low[ts[i-1].End] != ' ' {
			plain = false
		}
	}
	if plain {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

// says reports whether g has a relation at the same place between the same objects.
func says(g *schemas.SceneGraph, r *schemas.Relation) bool {
	for i := len(g.Relations) - 1; i >= 0 && i >= len(g.Relations)-maxBack; i-- {
		o := &g.Relations[i]
		if o.Subject == r.Subject && o.Object == r.Object && o.Lemma == r.Lemma && o.Begin == r.Begin {
			return true
		}
	}
	return false
}
