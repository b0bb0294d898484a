package ruleparse

import (
	"slices"
	"strings"

	"capgraph/schemas"
)

// A building is a graph while it is built of the analysis of a text.
type building struct {
	parser    *Parser
	text, low string
	ts        []span
	x         *analysis
	at        []int32 // by node: the object of the graph that it is, or -1
	g         *schemas.SceneGraph
}

// buildGraph turns an analysis into a scene graph.
func (p *Parser) buildGraph(text, low string, ts []span, x *analysis, g *schemas.SceneGraph) {
	at := make([]int32, len(x.nodes))
	said := newSentences(ts)
	for i, n := range x.nodes {
		if n.attribute || n.to == n.from+1 && wornColour(ts, int(n.from)) || n.nameless(ts) || absent(ts, x, i) || said.ofPicture(ts, x, i) {
			at[i] = -1
			continue
		}
		if a := antecedent(ts, x, i); a >= 0 && at[a] >= 0 {
			at[i] = at[a]
			continue
		} else if n.to == n.from+1 && ts[n.from].tag == tagPRP && oneOf(pronouns, ts[n.from].low) {
			at[i] = -1 // nobody knows whom
			continue
		}
		if a := said.again(ts, x, i); a >= 0 && at[a] >= 0 {
			at[i] = at[a]
			continue
		} else if said.several(ts) && isPronoun(&ts[n.from]) {
			at[i] = -1
			continue
		}
		at[i] = int32(len(g.Objects))
		g.Objects = append(g.Objects, schemas.Object{
			Name: phrase(low, ts, n.from, n.to), Head: p.head(&ts[n.to-1]), Begin: ts[n.from].begin, End: ts[n.to-1].end,
		})
	}
	for _, l := range x.links {
		if n := &x.nodes[l.attribute]; n.attribute && at[l.object] >= 0 && !(n.to == n.from+1 && wornColour(ts, int(n.from))) {
			p.addAttribute(low, ts, x, l, &g.Objects[at[l.object]])
		}
	}
	for i := range x.edges {
		e := &x.edges[i]
		if at[e.a] < 0 || at[e.b] < 0 || misread(ts, x, e) {
			continue
		}
		from := subject(ts, x, i)
		if x.accompanies(ts, e) {
			if from = int32(x.owner(ts, at, int(e.b))); from < 0 {
				from = x.possessor(ts, e)
			}
		}
		if from < 0 || at[from] < 0 {
			continue
		}
		r := schemas.Relation{Subject: at[from], Object: at[e.b], Begin: schemas.NoOffset, End: schemas.NoOffset}
		if e.candidate.reversed {
			r.Subject, r.Object = r.Object, r.Subject
		}
		if r.Subject == r.Object {
			continue // a pronoun and what it stands for
		}
		p.predicate(low, ts, x, &e.candidate, &r)
		if says(g, &r) {
			continue
		}
		g.Relations = append(g.Relations, r)
		x.share(ts, at, from, e, r, g)
	}
	b := building{p, text, low, ts, x, at, g}
	b.add()
}

// addAttribute adds an attribute, or a quantity, to its object.
func (p *Parser) addAttribute(low string, ts []span, x *analysis, l link, o *schemas.Object) {
	n := &x.nodes[l.attribute]
	if n.from < x.nodes[l.object].from && isQuantity(ts, n.from, n.to) {
		from := n.from
		if n.to-n.from > 1 {
			from = withArticle(ts, from)
		} else {
			from = withA(ts, from)
		}
		o.Quantity = phrase(low, ts, from, n.to)
		return
	}
	if n.nameless(ts) || n.to == n.from+1 && manner(ts, n.from) || x.strays(ts, l) {
		return
	}
	form := schemas.Post
	if n.from < x.nodes[l.object].from {
		form = schemas.Pre
	}
	from, to := x.measured(ts, l)
	if from == to {
		return
	}
	insertAttribute(o, schemas.Attribute{Text: phrase(low, ts, from, to), Form: form, Begin: ts[from].begin, End: ts[to-1].end})
}

// manner reports whether token i is an adverb that says how, or a particle of a verb, not
// what something is like.
func manner(ts []span, i int32) bool {
	t := &ts[i]
	return t.tag == tagRB && t.flags&adjective == 0 && strings.HasSuffix(t.low, "ly") ||
		oneOf(" both in like super very without ", t.low) && !t.capital ||
		oneOf(" off on up ", t.low) && i > 0 && isVerb(ts[i-1].tag) && !ts[i-1].be
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

// predicate fills in what relates the objects of r.
func (p *Parser) predicate(low string, ts []span, x *analysis, c *candidate, r *schemas.Relation) {
	p.words(low, ts, x, c, r)
	if predicate := completed(c, ts, r.Predicate); predicate != r.Predicate {
		r.Predicate, r.Lemma = predicate, completed(c, ts, r.Lemma)
		r.Begin, r.End = schemas.NoOffset, schemas.NoOffset
	}
}

// words fills in the words of c, which relate the objects of r.
func (p *Parser) words(low string, ts []span, x *analysis, c *candidate, r *schemas.Relation) {
	if c.implied != 0 {
		r.Lemma = impliedPredicates[c.implied-1]
		r.Predicate = r.Lemma
		if r.Lemma == "have" {
			r.Predicate = "has"
		}
		return
	}
	first, last := c.words[0], c.words[c.n-1]
	for first > 0 && (ts[first-1].be || perfect(ts, first-1) >= 0) {
		first--
	}
	r.Begin, r.End = ts[first].begin, ts[last].end
	r.Predicate = phrase(low, ts, first, last+1)
	if k := c.split(ts, x); k > 0 { // in two places: "playing frisbee on"
		r.Begin, r.End = schemas.NoOffset, schemas.NoOffset
		r.Predicate = phrase(low, ts, first, c.words[k-1]+1) + " " + phrase(low, ts, c.words[k], last+1)
	}
	if c.n == 1 {
		r.Lemma = p.lexicon.plain(&ts[c.words[0]])
		return
	}
	var b strings.Builder
	for i, w := range c.words[:c.n] {
		if i > 0 {
			if ts[w-1].tag == tagDT {
				b.WriteByte(' ')
				b.WriteString(ts[w-1].low)
			}
			b.WriteByte(' ')
		}
		b.WriteString(p.lexicon.plain(&ts[w]))
	}
	r.Lemma = b.String()
}

// split is the first word of c before which an object or a pronoun stands within it, or 0.
func (c *candidate) split(ts []span, x *analysis) int {
	for k := 1; k < int(c.n); k++ {
		for i := c.words[k-1] + 1; i < c.words[k]; i++ {
			if x.inNode[i] || ts[i].tag == tagPRP {
				return k
			}
		}
	}
	return 0
}

// head is the base form of an object's last word.
func (p *Parser) head(t *span) string {
	if t.kind != letters {
		return t.low
	}
	if t.tag == tagNNS {
		return p.lexicon.singular(t)
	}
	return p.lexicon.baseOf(t.low, t.entry, 0)
}

// phrase is the text of tokens from up to to with one space between words.
func phrase(low string, ts []span, from, to int32) string {
	s := low[ts[from].begin:ts[to-1].end]
	plain := true
	for i := from + 1; i < to; i++ {
		if gap := ts[i].begin - ts[i-1].end; gap > 1 || gap == 1 && low[ts[i-1].end] != ' ' {
			plain = false
		}
	}
	if plain {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

func isNoun(t tag) bool { return t <= tagNNPS }

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
