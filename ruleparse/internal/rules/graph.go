package rules

import (
	"slices"
	"strings"

	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/schemas"
)

// A graphBuilder builds a scene graph from the analysis of a text.
type graphBuilder struct {
	rules     *Set
	text, low string
	ts        []tokens.Token
	x         *Reading
	objectOf  []int32 // by node: its index in the graph's objects, or -1
	discourse *discourse
	graph     *schemas.SceneGraph
}

// Build appends to g the scene graph of an analysis.
func (s *Set) Build(text, low string, ts []tokens.Token, x *Reading, g *schemas.SceneGraph) {
	x.objectOf = slices.Grow(x.objectOf[:0], len(x.Nodes))[:len(x.Nodes)]
	said := s.newDiscourse(ts, len(x.Nodes))
	x.possessives = x.possessives[:0]
	x.sure = slices.Grow(x.sure[:0], len(x.Nodes))[:len(x.Nodes)]
	for i := range x.sure {
		x.sure[i] = 1
	}
	x.builder = graphBuilder{s, text, low, ts, x, x.objectOf, &said, g}
	x.builder.addObjects()
	x.builder.addAttributes()
	x.builder.addRelations()
	x.builder.applyAdditions()
	x.builder = graphBuilder{} // releases the caller's memory
	if s.weights != nil {
		s.RateParts(ts, x, g, nil)
	}
	for i := range x.Nodes {
		if x.Nodes[i].IsGiven && x.objectOf[i] >= 0 {
			g.Objects[x.objectOf[i]].Confidence = givenConfidence
		}
	}
}

// addObjects adds an object for each node that names a thing anew, and sets objectOf.
func (b *graphBuilder) addObjects() {
	ts, x, at, said, g := b.ts, b.x, b.objectOf, b.discourse, b.graph
	for i, n := range x.Nodes {
		if n.IsAttribute && said.isRemark(ts, x, i) {
			x.sure[i] = 0
		}
		if n.IsAttribute || !n.IsGiven && x.namesNoObject(ts, i) || said.isAboutPicture(ts, x, i) && !n.IsGiven {
			at[i] = -1
			continue
		}
		a, sure := said.resolveMention(ts, x, i)
		if n.Entity != 0 {
			a, sure = x.nodeOfEntity(i), 1
		}
		if a >= 0 && at[a] >= 0 {
			at[i] = at[a]
			x.sure[i] = sure
			continue
		} else if t := &ts[n.From]; t.Tag == penn.PRP && (t.IsOneOf(pronouns) || analysis.IsPronoun(t)) || t.Tag == penn.PRPS && n.To == n.From+1 {
			at[i] = -1 // its referent is unknown
			continue
		}
		at[i] = int32(len(g.Objects))
		g.Objects = append(g.Objects, schemas.Object{
			Name: phraseText(b.low, ts, n.From, n.To), Head: b.rules.headLemma(&ts[n.To-1]), Begin: ts[n.From].Begin, End: ts[n.To-1].End,
		})
	}
}

// addAttributes adds the attributes and quantities of the objects.
func (b *graphBuilder) addAttributes() {
	ts, x, at, g := b.ts, b.x, b.objectOf, b.graph
	for _, l := range x.Links {
		l.Object = x.ownerOf(ts, l)
		if n := &x.Nodes[l.Attribute]; n.IsAttribute && x.sure[l.Attribute] > 0 && at[l.Object] >= 0 && !x.isWritten(n) && !x.isOfUnnamed(ts, l) && !(n.To == n.From+1 && isWornColour(ts, int(n.From))) {
			if owners := x.sharedOwners(ts, l); owners != nil {
				for _, o := range owners {
					if at[o] >= 0 {
						b.rules.AddAttribute(b.low, ts, x, analysis.Link{Attribute: l.Attribute, Object: o}, &g.Objects[at[o]])
					}
				}
				continue
			}
			if !isCountOfOther(ts, n, &x.Nodes[l.Object], &g.Objects[at[l.Object]]) {
				b.rules.AddAttribute(b.low, ts, x, l, &g.Objects[at[l.Object]])
			}
		}
	}
}

// addRelations adds the relations between the objects.
func (b *graphBuilder) addRelations() {
	ts, x, at, g := b.ts, b.x, b.objectOf, b.graph
	for i := range x.Edges {
		e := &x.Edges[i]
		if at[e.A] < 0 || at[e.B] < 0 || isRuledOut(ts, x, e) || x.crossesSkippedObject(at, e) {
			continue
		}
		from := findSubject(ts, x, i)
		if from < 0 || at[from] < 0 {
			continue
		}
		if x.isOnAnimalsLeash(ts, e, from) || e.Candidate.IsForward() && isFinite(&ts[e.Candidate.Words[0]]) && e.Candidate.Words[0] < x.Nodes[e.B-1].To && x.beginsClause(ts, e.B) {
			continue
		}
		from, all := x.parallelSubjects(ts, e, from)
		if from < 0 || at[from] < 0 {
			continue
		}
		r := schemas.Relation{Subject: at[from], Object: at[e.B], Begin: schemas.NoOffset, End: schemas.NoOffset}
		if e.Candidate.Reversed {
			r.Subject, r.Object = r.Object, r.Subject
		}
		if r.Subject == r.Object {
			continue // a pronoun and its referent are one object
		}
		b.rules.fillPredicate(b.low, ts, x, &e.Candidate, &r)
		if e.Candidate.Implied == 0 && isNegated(ts, &e.Candidate) {
			r.Status = schemas.Denied
		}
		if hasRelation(g, &r) {
			continue
		}
		g.Relations = append(g.Relations, r)
		x.shareRelation(ts, at, from, e, r, g)
		addForSubjects(at, all, r, g)
	}
}

// givenConfidence is the confidence of an object that was given.
const givenConfidence = 0.999

// namesNoObject reports whether object node i names nothing that is in the image, such as a colour, a quotation or the
// image itself.
func (x *Reading) namesNoObject(ts []tokens.Token, i int) bool {
	n := &x.Nodes[i]
	return n.To == n.From+1 && isWornColour(ts, int(n.From)) || isWornHue(ts, n) || namesNothing(ts, n) || x.isWritten(n) || isImage(ts, x, i)
}

// nodeOfEntity returns the first node with the same given Entity as node i, if it has an object, or -1.
func (x *Reading) nodeOfEntity(i int) int {
	for k := range i {
		if x.Nodes[k].Entity == x.Nodes[i].Entity && x.objectOf[k] >= 0 {
			return k
		}
	}
	return -1
}

// isOfUnnamed reports whether an attribute belongs to a subject without a noun, such as "the other", which is no node.
// In "one is black, and the other is white", "white" is no attribute of "one".
func (x *Reading) isOfUnnamed(ts []tokens.Token, l analysis.Link) bool {
	i := x.Nodes[l.Attribute].From - 1
	if n := &x.Nodes[l.Attribute]; i >= x.Nodes[l.Object].To && (ts[i].IsOneOf(unnamed) || isCount(&ts[i])) || n.From >= x.Nodes[l.Object].To && IsQuantity(ts, n.From, n.To) {
		return true // some of several: "three dogs, one black and two white"
	}
	for i > x.Nodes[l.Object].To && !ts[i].IsBe {
		i--
	}
	return i > x.Nodes[l.Object].To && !x.InNode[i-1] && ts[i-1].IsOneOf(unnamed)
}

// unnamed are words for one of several things, used without a noun.
const unnamed = " another first former latter one other others second third "

// ownerOf returns the object of an attribute: the model's choice, or if that is a pronoun after a preposition, the
// object before: "the dog next to *it* is awake".
func (x *Reading) ownerOf(ts []tokens.Token, l analysis.Link) int32 {
	n := &x.Nodes[l.Object]
	if ts[n.From].Tag != penn.PRP || int(n.To) >= len(ts) || !ts[n.To].IsBe || l.Attribute < l.Object {
		return l.Object
	}
	from := n.From
	for from > 0 && !x.InNode[from-1] && (canBePreposition(&ts[from-1]) || ts[from-1].IsOneOf(" front left next of right the top ")) {
		from--
	}
	if k := x.objectEndingAt(from); k >= 0 && from < n.From {
		return int32(k)
	}
	return l.Object
}

// crossesSkippedObject reports whether an object that is not in the graph stands between the words of e and e's second
// object. In "the background *of* the image, there is a lamp" the background does not have the lamp.
func (x *Reading) crossesSkippedObject(at []int32, e *analysis.Relation) bool {
	m := x.previousObject(int(e.B))
	return e.Candidate.IsForward() && m > int(e.A) && at[m] < 0 && x.Nodes[m].From > e.Candidate.Words[e.Candidate.N-1]
}

// isCountOfOther reports whether an attribute counts an object under another noun than that of its first mention: "two
// people" after "a couple" does not mean two couples. If attribute is nil, the caller knows that it is a number.
func isCountOfOther(ts []tokens.Token, attribute, n *analysis.Node, o *schemas.Object) bool {
	if o.Begin == ts[n.From].Begin || attribute != nil && !IsQuantity(ts, attribute.From, attribute.To) {
		return false
	}
	last := &ts[n.To-1]
	return last.Low != o.Head && !strings.HasSuffix(o.Name, last.Low)
}

// AddAttribute adds the attribute of link l to its object o, as an attribute or as the quantity.
func (s *Set) AddAttribute(low string, ts []tokens.Token, x *Reading, l analysis.Link, o *schemas.Object) {
	n := &x.Nodes[l.Attribute]
	if n.From < x.Nodes[l.Object].From && IsQuantity(ts, n.From, n.To) {
		from := n.From
		if n.To-n.From > 1 {
			from = withArticle(ts, from)
		} else {
			from = withIndefinite(ts, from)
		}
		o.Quantity = phraseText(low, ts, from, n.To)
		return
	}
	if namesNothing(ts, n) || n.To == n.From+1 && (isManner(ts, n.From) || x.isCopula(ts, n.From)) || x.isStrayAttribute(ts, l) {
		return
	}
	form := schemas.Post
	if n.From < x.Nodes[l.Object].From {
		form = schemas.Pre
	}
	from, to := n.From, n.To
	if ts[from].Low == "same" { // "the same high tree": "same" describes no single object
		if from++; from == to {
			return
		}
	}
	a := schemas.Attribute{Text: phraseText(low, ts, from, to), Form: form, Begin: ts[from].Begin, End: ts[to-1].End}
	if from > 0 && ts[from-1].Tag == penn.LRB && ts[to-1].IsOneOf(" left right center centre middle top bottom ") {
		a.Status = schemas.Depicted // "Tom Hill (left)": his place in the picture
	}
	insertAttribute(o, a)
}

// isCopula reports whether the attribute at token i only links the next one to the object: "a dog *looking* bored".
func (x *Reading) isCopula(ts []tokens.Token, i int32) bool {
	if !ts[i].IsOneOf(" appearing feeling looking seeming ") || int(i)+1 == len(ts) {
		return false
	}
	k := x.nodeAt(i + 1)
	return k >= 0 && x.Nodes[k].IsAttribute && x.Nodes[k].From == i+1 && ts[x.Nodes[k].To-1].Flags&tokens.Adjective != 0
}

// isManner reports whether token i is an adverb of manner or a verb's particle, which is no attribute.
func isManner(ts []tokens.Token, i int32) bool {
	t := &ts[i]
	return t.Tag == penn.RB && t.Flags&tokens.Adjective == 0 && strings.HasSuffix(t.Low, "ly") ||
		t.IsOneOf(" both in like super very without ") && !t.Capital ||
		t.IsOneOf(" off on up ") && i > 0 && penn.IsVerb(ts[i-1].Tag) && !ts[i-1].IsBe
}

// insertAttribute inserts an attribute in the order of the text, unless one with the same begin exists.
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

// fillPredicate sets the predicate of r, its lemma and its offsets to the words of c.
func (s *Set) fillPredicate(low string, ts []tokens.Token, x *Reading, c *analysis.Candidate, r *schemas.Relation) {
	if c.Implied != 0 {
		r.Lemma = analysis.ImpliedPredicates[c.Implied-1]
		r.Predicate = r.Lemma
		if r.Lemma == "have" {
			r.Predicate = "has"
		}
		return
	}
	first, last := c.Words[0], c.Words[c.N-1]
	for first > 0 && (ts[first-1].IsBe || perfectParticiple(ts, first-1) >= 0) {
		first--
	}
	r.Begin, r.End = ts[first].Begin, ts[last].End
	r.Predicate = phraseText(low, ts, first, last+1)
	if k := firstWordAfterObject(ts, x, c); k > 0 { // in two places: "playing frisbee on"
		r.Begin, r.End = schemas.NoOffset, schemas.NoOffset
		r.Predicate = phraseText(low, ts, first, c.Words[k-1]+1) + " " + phraseText(low, ts, c.Words[k], last+1)
	}
	if c.N == 1 {
		r.Lemma = s.Lexicon.PlainForm(&ts[c.Words[0]])
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
		b.WriteString(s.Lexicon.PlainForm(&ts[w]))
	}
	r.Lemma = b.String()
	if c.Position == analysis.After && ts[last].IsOneOf(sides) && tokens.AtOrBorder(ts, last+1).Low != "of" { // a place without an object: "a clock on top"
		r.Predicate, r.Lemma, r.Begin, r.End = r.Predicate+" of", r.Lemma+" of", schemas.NoOffset, schemas.NoOffset
	}
}

// firstWordAfterObject returns the index of the first word of c with an object or a pronoun right before it, or 0: "on"
// in "playing frisbee on".
func firstWordAfterObject(ts []tokens.Token, x *Reading, c *analysis.Candidate) int {
	for k := 1; k < int(c.N); k++ {
		for i := c.Words[k-1] + 1; i < c.Words[k]; i++ {
			if x.InNode[i] || ts[i].Tag == penn.PRP {
				return k
			}
		}
	}
	return 0
}

// headLemma returns the base form of an object's last word.
func (s *Set) headLemma(t *tokens.Token) string {
	if t.Kind != tokens.Letters {
		return t.Low
	}
	if t.Tag == penn.NNS {
		return s.Lexicon.Singular(t)
	}
	return s.Lexicon.BaseForm(t.Low, t.Entry, 0)
}

// phraseText returns the text of tokens [from, to), with a space between words.
func phraseText(low string, ts []tokens.Token, from, to int32) string {
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
	return strings.Join(strings.FieldsFunc(s, tokens.IsBlank), " ")
}

// hasRelation reports whether g has a relation with the objects, lemma and begin of r.
func hasRelation(g *schemas.SceneGraph, r *schemas.Relation) bool {
	for i := len(g.Relations) - 1; i >= 0 && i >= len(g.Relations)-maxLookBack; i-- {
		o := &g.Relations[i]
		if o.Subject == r.Subject && o.Object == r.Object && o.Lemma == r.Lemma && o.Begin == r.Begin {
			return true
		}
	}
	return false
}
