package rules

import (
	"cmp"
	"slices"
	"strings"

	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/schemas"
)

// A scope is a range of tokens whose content the text does not assert.
type scope struct {
	from, to int32  // tokens
	status   string // schemas.Denied or schemas.Hypothetical
	phrase   bool   // includes the object at its end even with a definite article: "without his hat"
	action   bool   // covers only relations and attributes, no objects: "about to hit a ball"
}

// markUnasserted sets the status of objects, attributes and relations that the text denies ("a man who is not wearing a
// hat"), supposes ("a sign that warns of bears") or depicts ("a painting of a ship").
func (b *graphBuilder) markUnasserted() {
	b.addDeniedQualities()
	for i := range b.ts {
		if s, ok := b.x.scopeAt(b.ts, int32(i)); ok {
			b.markScope(&s)
		}
	}
	for k := range b.x.Nodes {
		if n := &b.x.Nodes[k]; b.objectOf[k] >= 0 && b.ts[n.To-1].IsOneOf(" nobody none nothing ") {
			b.graph.Objects[b.objectOf[k]].Status = schemas.Denied
		}
	}
	b.markAbsent()
	b.markDepicted()
	for i := range b.graph.Relations {
		r := &b.graph.Relations[i]
		for _, o := range [...]int32{r.Subject, r.Object} {
			if s := b.graph.Objects[o].Status; r.Status == "" && s != schemas.Depicted {
				r.Status = s
			}
		}
	}
}

// addDeniedQualities adds the adjective that a clause denies of its subject: "the apples are not ripe". Models leave it
// out, since annotators do.
func (b *graphBuilder) addDeniedQualities() {
	ts, x := b.ts, b.x
	for i := int32(2); int(i)+1 < len(ts); i++ {
		t := &ts[i+1]
		if !isNegation(ts, i) || !ts[i-1].IsBe || x.InNode[i+1] || t.Tag != penn.JJ || t.IsOneOf(unqualifying) || !x.clauseEndsAt(ts, i+2) {
			continue
		}
		subject := i - 1
		if isRelativePronoun(&ts[subject-1]) {
			subject--
		}
		for k := range x.Nodes {
			if n := &x.Nodes[k]; n.To == subject && !n.IsAttribute && b.objectOf[k] >= 0 {
				insertAttribute(&b.graph.Objects[b.objectOf[k]], schemas.Attribute{Text: t.Low, Form: schemas.Post, Begin: t.Begin, End: t.End})
			}
		}
	}
}

// scopeAt returns the scope that the word at token i begins, if any.
func (x *Reading) scopeAt(ts []tokens.Token, i int32) (scope, bool) {
	t := &ts[i]
	if t.Kind == tokens.Mark || x.InNode[i] && t.Tag == penn.CD {
		return scope{}, false
	}
	s := scope{from: i + 1, status: schemas.Denied}
	next := tokens.AtOrBorder(ts, i+1)
	switch {
	case !t.IsOneOf(unasserting):
		return s, false
	case t.IsOneOf(" no without lacking missing "):
		if t.Low == "no" && x.namesSign(ts, i) || t.Low == "missing" && (t.Tag == penn.JJ || x.InNode[i] || next.Tag == penn.IN) {
			return s, false
		}
		s.phrase = !penn.IsVerb(next.Tag) // "without using her spoon": the spoon exists
		if s.to = x.firstObjectEnd(ts, s.from); !x.beginsPhrase(ts, s.from, s.to) {
			return s, false
		}
	case t.IsOneOf(" instead "), t.IsOneOf(" rather ") && next.Low == "than", t.Low == "free" && next.Low == "of":
		if t.Low == "instead" && next.Low != "of" {
			return s, false
		}
		s.phrase = true
		s.to = x.firstObjectEnd(ts, s.from+1)
	case isNegation(ts, i):
		s.to = x.firstObjectEnd(ts, s.from)
	case t.IsOneOf(" neither nobody none "):
		s.to = x.clauseEnd(ts, s.from)
		if m := x.objectFrom(s.from); t.Low != "nobody" && m >= 0 && !ts[x.Nodes[m].To-1].IsOneOf(" them ") && x.Nodes[m].To < s.to {
			s.from = x.Nodes[m].To // the men exist: "neither of the men wears a hat"
		}
		s.phrase = false
	case t.IsOneOf(prospects) && infinitiveAfter(ts, i+1) >= 0:
		to := infinitiveAfter(ts, i+1)
		s.status, s.action, s.from = schemas.Hypothetical, true, to
		s.to = x.firstObjectEnd(ts, to+1)
		if t.IsOneOf(pretending) {
			s.action = false
		}
	case t.IsOneOf(pretending):
		if x.InNode[i] && penn.IsNoun(t.Tag) {
			return s, false
		}
		s.status, s.to = schemas.Hypothetical, x.clauseEnd(ts, s.from)
	case t.IsOneOf(warnings):
		if !penn.IsVerb(t.Tag) && (t.Flags&tokens.VerbIng == 0 || x.InNode[i]) && !x.continuesWarning(ts, i) {
			return s, false
		}
		s.status, s.to = schemas.Hypothetical, x.firstObjectEnd(ts, s.from)
	case t.IsOneOf(" if would should might "):
		s.status, s.to = schemas.Hypothetical, x.clauseEnd(ts, s.from)
	default:
		return s, false
	}
	return s, s.from < s.to
}

// infinitiveAfter returns the "to" of an infinitive at token i or after an adverb there, or -1.
func infinitiveAfter(ts []tokens.Token, i int32) int32 {
	for int(i) < len(ts) && (ts[i].Tag == penn.RB || ts[i].Tag == penn.RP) {
		i++
	}
	if int(i)+1 >= len(ts) || ts[i].Tag != penn.TO || !penn.IsVerb(ts[i+1].Tag) {
		return -1
	}
	return i
}

// beginsPhrase reports whether tokens [from, to) are a single phrase, perhaps after a participle: "hat", "using his
// hat", but not "people on the beach".
func (x *Reading) beginsPhrase(ts []tokens.Token, from, to int32) bool {
	for i := from + 1; i < to; i++ {
		if t := &ts[i]; !x.InNode[i] && (t.Tag == penn.IN || t.Tag == penn.TO || penn.IsVerb(t.Tag) && ts[i-1].Tag == penn.NNS) {
			return false
		}
	}
	return true
}

// continuesWarning reports whether a complement follows a noun such as "warning" at token i.
func (x *Reading) continuesWarning(ts []tokens.Token, i int32) bool {
	return int(i)+1 < len(ts) && ts[i+1].IsOneOf(" about against of that ")
}

// namesSign reports whether "no" at token i belongs to the text of a sign: "a no parking sign".
func (x *Reading) namesSign(ts []tokens.Token, i int32) bool {
	m := x.objectFrom(i)
	return x.InNode[i] || m >= 0 && ts[x.Nodes[m].To-1].IsOneOf(" sign signs ")
}

// objectFrom returns the first object that begins at token i or later, or -1.
func (x *Reading) objectFrom(i int32) int {
	for k := range x.Nodes {
		if n := &x.Nodes[k]; !n.IsAttribute && n.From >= i {
			return k
		}
	}
	return -1
}

// firstObjectEnd returns the end of the first object from token i on, including objects joined by "or" and "nor", or
// the end of the clause if that is earlier.
func (x *Reading) firstObjectEnd(ts []tokens.Token, i int32) int32 {
	end := x.clauseEnd(ts, i)
	m := x.objectFrom(i)
	if m < 0 || x.Nodes[m].From >= end {
		return end
	}
	for {
		to := x.Nodes[m].To
		next := x.nextObject(m)
		if next < 0 || int(to) >= len(ts) || !ts[to].IsOneOf(" or nor ") || x.conjoinedObject(ts, next) != m {
			return to
		}
		m = next
	}
}

// maxClause is the most tokens that are searched for the end of a clause, so that the time for a text grows linearly
// with its length.
const maxClause = 100

// clauseEnd returns the token after the clause that includes token i.
func (x *Reading) clauseEnd(ts []tokens.Token, i int32) int32 {
	for limit := min(int32(len(ts)), i+maxClause); i < limit; i++ {
		t := &ts[i]
		if x.InNode[i] {
			continue
		}
		switch {
		case t.Tag == penn.Period, t.Tag == penn.Colon, t.Tag == penn.Comma, t.Low == "-",
			t.IsOneOf(" and but ") && !x.InNode[i], t.IsOneOf(conjunctions) && t.Tag == penn.IN && !t.IsOneOf(" that since before after than "):
			return i
		}
	}
	return i
}

// markScope sets the status of the objects, attributes and relations in scope s.
func (b *graphBuilder) markScope(s *scope) {
	if s.to > int32(len(b.ts)) || s.from >= s.to {
		return
	}
	from, to := b.ts[s.from].Begin, b.ts[s.to-1].End
	in := func(begin int32) bool { return begin >= from && begin < to }
	g := b.graph
	first, _ := slices.BinarySearchFunc(b.x.Nodes, s.from, func(n analysis.Node, from int32) int { return int(n.From - from) })
	for k := first; k < len(b.x.Nodes) && b.x.Nodes[k].From < s.to && !s.action; k++ {
		if b.x.Nodes[k].IsAttribute || b.objectOf[k] < 0 {
			continue
		}
		o := &g.Objects[b.objectOf[k]]
		if in(o.Begin) && o.Status == "" && (s.phrase || b.isIndefinite(k)) && !(s.status == schemas.Hypothetical && b.isMentionedFrom(k, s.to)) {
			o.Status = s.status
		}
	}
	for i := range g.Objects {
		o := &g.Objects[i]
		for k := range o.Attributes {
			if a := &o.Attributes[k]; (in(a.Begin) || a.Begin < from && a.End > from) && a.Status == "" && (a.Form == schemas.Post || o.Begin < from) {
				a.Status = s.status
			}
		}
	}
	for i := range g.Relations {
		r := &g.Relations[i]
		begin := r.Begin
		if begin >= 0 && r.End > begin && begin < from && r.End > from {
			begin = from // includes the auxiliary: "is not wearing"
		}
		if begin == schemas.NoOffset && r.Lemma != "have" && in(g.Objects[r.Object].Begin) {
			begin = from
		}
		if r.Status == "" && (in(begin) || s.phrase && in(g.Objects[r.Object].Begin) && g.Objects[r.Object].Status == s.status) {
			r.Status = s.status
		}
	}
}

// isMentionedFrom reports whether a sentence from token i on mentions the object of node k too: "…, perhaps reflecting
// the sky. The sky is grey."
func (b *graphBuilder) isMentionedFrom(k int, i int32) bool {
	for later := k + 1; later < len(b.x.Nodes); later++ {
		if n := &b.x.Nodes[later]; n.From >= i && !n.IsAttribute && b.objectOf[later] == b.objectOf[k] {
			return true
		}
	}
	return false
}

// isIndefinite reports whether object k has no definite article, possessive or name.
func (b *graphBuilder) isIndefinite(k int) bool {
	n := &b.x.Nodes[k]
	begin := b.x.PhraseStart(k)
	if t := &b.ts[n.To-1]; t.Tag == penn.NNP || t.Tag == penn.NNPS || t.Tag == penn.PRP {
		return false
	}
	return begin == 0 || !b.ts[begin-1].IsOneOf(" its her his my our that the their these this those your ") && b.ts[begin-1].Tag != penn.POS
}

// markDepicted marks the content of a picture or statue as depicted, with its attributes and relations. A caption that
// begins with "a photo of" is about the image itself and is not marked.
func (b *graphBuilder) markDepicted() {
	g, ts, x := b.graph, b.ts, b.x
	for k := range x.Edges {
		e := &x.Edges[k]
		c := &e.Candidate
		if c.Implied != 0 || c.Reversed || c.N == 0 || b.objectOf[e.A] < 0 || b.objectOf[e.B] < 0 || !ts[c.Words[0]].IsOneOf(" of depicting showing ") {
			continue
		}
		picture, shown := b.objectOf[e.A], b.objectOf[e.B]
		name := &ts[x.Nodes[e.A].To-1]
		likeness := name.IsOneOf(likenesses)
		if !likeness && !name.IsOneOf(media) || !likeness && !b.isThing(picture, shown) {
			continue
		}
		g.Objects[shown].Status = schemas.Depicted
		b.movePlaces(picture, shown, name.IsOneOf(solids))
		b.movePlacesIntoPicture(picture, shown)
		for i := range g.Relations {
			if r := &g.Relations[i]; r.Status == "" && (r.Subject == shown || r.Object == shown) && r.Subject != picture {
				r.Status = schemas.Depicted
			}
		}
	}
}

// movePlaces changes the subject of places from the content of a picture to the picture: "a painting of a ship hangs
// above the fireplace". If the picture is solid, such as a statue, all places are its own.
func (b *graphBuilder) movePlaces(picture, shown int32, solid bool) {
	for i := range b.graph.Relations {
		r := &b.graph.Relations[i]
		if r.Subject != shown || r.Object == picture || r.Begin < 0 {
			continue
		}
		t := tokenFrom(b.ts, r.Begin)
		if t.IsOneOf(" hanging hangs hung ") || b.isOnFurnishing(r, shown) || b.isMainVerb(r.Begin, b.graph.Objects[shown].End) || solid && t.Tag == penn.IN && !t.IsOneOf(" of with ") || solid && t.Low == "next" {
			r.Subject = picture
		}
	}
}

// isMainVerb reports whether a verb gives the place of its subject and is not in a subordinate clause: "is taped" in "a
// poster of a cat on a skateboard is taped to a wall".
func (b *graphBuilder) isMainVerb(verb, subject int32) bool {
	t := tokenFrom(b.ts, verb)
	if !isFinite(t) || !t.IsBe && !t.IsOneOf(" lean leans lie lies rest rests sit sits stand stands ") {
		return false
	}
	return b.isInMainClause(verb, subject)
}

// isInMainClause reports whether no other clause begins between a subject and its verb.
func (b *graphBuilder) isInMainClause(verb, subject int32) bool {
	for m := tokenIndex(b.ts, subject); m < int32(len(b.ts)) && b.ts[m].Begin < verb; m++ {
		if t := &b.ts[m]; t.Tag == penn.WDT || t.Tag == penn.WP || t.Tag == penn.Comma || t.Tag == penn.CC || t.Tag == penn.Period || t.Low == "that" || isFinite(t) {
			return false
		}
	}
	return true
}

// movePlacesIntoPicture makes the content of a picture the subject of places between the picture and a verb that places
// it, and marks them as depicted: "a poster of a tiger in a jungle is on a wall".
func (b *graphBuilder) movePlacesIntoPicture(picture, shown int32) {
	g := b.graph
	verb := int32(-1)
	for i := range g.Relations {
		if r := &g.Relations[i]; r.Subject == picture && r.Object != shown && r.Begin >= 0 && isFinite(tokenFrom(b.ts, r.Begin)) {
			verb = max(verb, r.Begin)
		}
	}
	for i := range g.Relations {
		r := &g.Relations[i]
		if r.Object == shown || r.Object == picture || r.Begin < g.Objects[shown].End || r.Begin >= verb || tokenFrom(b.ts, r.Begin).Tag != penn.IN {
			continue
		}
		if r.Subject == picture {
			r.Subject = shown
		}
		if r.Subject == shown {
			g.Objects[r.Object].Status = schemas.Depicted
		}
	}
}

// tokenFrom returns the first token that begins at byte at or later, or tokens.AtOrBorder's border token if there is
// none.
func tokenFrom(ts []tokens.Token, at int32) *tokens.Token {
	return tokens.AtOrBorder(ts, tokenIndex(ts, at))
}

// tokenIndex returns the index of the first token that begins at byte at or later.
func tokenIndex(ts []tokens.Token, at int32) int32 {
	m, _ := slices.BinarySearchFunc(ts, at, func(t tokens.Token, at int32) int { return cmp.Compare(t.Begin, at) })
	return int32(m)
}

// isOnFurnishing reports whether relation r, whose subject is the content of a picture, states that the picture is on
// furniture, a wall or the like: "a photo of a woman in a hat stands on a shelf", "a poster of a singer covers the
// door".
func (b *graphBuilder) isOnFurnishing(r *schemas.Relation, shown int32) bool {
	if r.Subject != shown || r.Begin < 0 || !tokenBefore(b.ts, b.graph.Objects[r.Object].End).IsOneOf(furnishings) {
		return false
	}
	if t := tokenFrom(b.ts, r.Begin); t.IsOneOf(" adorns covers decorates ") {
		return b.isInMainClause(r.Begin, b.graph.Objects[shown].End)
	}
	return strings.HasSuffix(r.Lemma, " on") && b.isMainVerb(r.Begin, b.graph.Objects[shown].End) && !tokenFrom(b.ts, r.Begin).IsBe
}

// isThing reports whether a picture is a thing in the image: it has a relation to another object than its content, or
// hangs on furniture or the like.
func (b *graphBuilder) isThing(picture, shown int32) bool {
	for i := range b.graph.Relations {
		r := &b.graph.Relations[i]
		if r.Object == picture || r.Subject == picture && r.Object != shown && r.Lemma != "of" && r.Begin >= 0 && r.Lemma != "with" || b.isOnFurnishing(r, shown) {
			return true
		}
	}
	return false
}

// isImage reports whether object b is the image that the text describes: "the image depicts a man".
func isImage(ts []tokens.Token, x *Reading, b int) bool {
	n := &x.Nodes[b]
	begin := x.PhraseStart(b)
	return begin == 1 && n.To == n.From+1 && ts[n.From].IsOneOf(depictions) && isDefinite(ts, begin) &&
		int(n.To) < len(ts) && ts[n.To].IsOneOf(" captures contains depicts displays features illustrates includes portrays presents shows ")
}
