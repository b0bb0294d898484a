package rules

import (
	"slices"

	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/schemas"
)

// A parallel is two coordinated objects, each followed by a phrase with a further object: "a man with a hat and a woman
// with an umbrella". The conjunction joins the woman with the man, not with the hat. The fields are nodes.
type parallel struct {
	first, firstEnd   int32 // the man, the hat
	second, secondEnd int32 // the woman, the umbrella
}

// findParallelPhrases finds the parallels of a text. Later steps use them to choose the subjects of relations.
func (x *Reading) findParallelPhrases(ts []tokens.Token) {
	for b := range x.Nodes {
		if x.Nodes[b].IsAttribute || !x.hasOwnPhrase(ts, b) {
			continue
		}
		a, conjunction := x.joinedObject(ts, b)
		if a < 0 || !conjunction && !x.continuesParallel(ts, a, b) {
			continue
		}
		if s := x.parallelSubject(ts, a, b); s >= 0 {
			end := x.nextObject(b)
			for next := x.nextObject(end); next >= 0 && !x.hasOwnPhrase(ts, next); next = x.nextObject(end) {
				if m, _ := x.joinedObject(ts, next); m != end {
					break
				}
				end = next
			}
			x.parallels = append(x.parallels, parallel{int32(s), int32(a), int32(b), int32(end)})
		}
	}
}

// hasOwnPhrase reports whether object b has an article or a number, or names persons, and is followed by a preposition
// or a participle with an object of its own: "a woman with an umbrella".
func (x *Reading) hasOwnPhrase(ts []tokens.Token, b int) bool {
	n := &x.Nodes[b]
	begin := x.PhraseStart(b)
	counted := begin > 0 && (isDeterminer(&ts[begin-1]) || ts[begin-1].Tag == penn.CD) || ts[begin].Tag == penn.CD || n.IsPerson
	next := x.nextObject(b)
	if !counted || next < 0 {
		return false
	}
	i := phraseWord(ts, n.To)
	if i >= x.Nodes[next].From || x.InNode[i] {
		return false
	}
	switch t := &ts[i]; t.Tag {
	case penn.IN:
		if t.Low == "of" || t.IsOneOf(conjunctions) {
			return false
		}
	case penn.VBG, penn.VBN:
	default:
		return false
	}
	for k := i + 1; k < x.Nodes[next].From; k++ { // otherwise the next object is not that of the phrase
		if ts[k].Kind == tokens.Mark || ts[k].Tag == penn.CC {
			return false
		}
	}
	return true
}

// phraseWord returns the first token from i on that is not a relative pronoun or a form of "be": "holding" in "a man
// who is holding a cup".
func phraseWord(ts []tokens.Token, i int32) int32 {
	for int(i)+1 < len(ts) && (isRelativePronoun(&ts[i]) || ts[i].IsBe && isRelativePronoun(&ts[i-1])) {
		i++
	}
	return i
}

// nextObject returns the object after node b, or -1.
func (x *Reading) nextObject(b int) int {
	for b++; b < len(x.Nodes); b++ {
		if !x.Nodes[b].IsAttribute {
			return b
		}
	}
	return -1
}

// continuesParallel reports whether objects a and b, which a comma joins, are in a list of phrases with the same
// preposition that ends with a conjunction: "a man with a phone, a woman with a bag and a child with a ball".
func (x *Reading) continuesParallel(ts []tokens.Token, a, b int) bool {
	subject := x.previousObject(a)
	next := x.nextObject(x.nextObject(b))
	if subject < 0 || next < 0 || ts[x.Nodes[subject].To].Hash != ts[x.Nodes[b].To].Hash {
		return false
	}
	_, conjunction := x.joinedObject(ts, next)
	return conjunction && x.hasOwnPhrase(ts, next)
}

// parallelSubject returns the object before a that is the first object of a parallel whose second is b, or -1. It must
// be of the same kind as b (alive, a person) and have a phrase that ends with a. If a is of that kind too, or neither
// object is alive, both phrases must begin with the same word. A place or a picture is excluded: "a kitchen with a
// stove and a window with curtains".
func (x *Reading) parallelSubject(ts []tokens.Token, a, b int) int {
	second := &x.Nodes[b]
	for s := x.previousObject(a); s >= 0; s = x.previousObject(s) {
		n := &x.Nodes[s]
		word := phraseWord(ts, n.To)
		if x.InNode[word] || ts[word].Tag != penn.IN && !penn.IsVerb(ts[word].Tag) || ts[word].Low == "of" || isFinite(&ts[word]) {
			return -1
		}
		same := ts[word].Hash == ts[phraseWord(ts, second.To)].Hash
		switch {
		case n.IsAlive != second.IsAlive || n.IsPerson != second.IsPerson && x.Nodes[a].IsAlive:
		case n.IsAlive && !x.Nodes[a].IsAlive:
			return s
		case n.IsAlive && x.Nodes[a].IsPerson != second.IsPerson:
			return s
		case same && !ts[n.To-1].IsOneOf(surroundings) && !ts[n.To-1].IsOneOf(ways) && !ts[n.To-1].IsOneOf(media):
			return s
		}
		if m, _ := x.joinedObject(ts, s); m >= 0 || !second.IsAlive {
			return -1
		}
	}
	return -1
}

// maxSharing is the most objects that share a relation, so that the number of relations grows only linearly with the
// length of a caption.
const maxSharing = 16

// parallelSubjects returns the subject of edge e as the parallels determine it, given the subject from that was found
// without them. all are further subjects of the same relation. subject is -1 if e wrongly makes the second object part
// of the first object's phrase.
func (x *Reading) parallelSubjects(ts []tokens.Token, e *analysis.Relation, from int32) (subject int32, all []int32) {
	c := &e.Candidate
	for k := range x.parallels {
		p := &x.parallels[k]
		switch {
		case e.B == p.second && from >= p.first:
			return -1, nil
		case e.B <= p.second || !c.IsForward() && c.Implied == 0 || from < p.first:
			continue
		case c.Implied != 0:
			if from <= p.firstEnd {
				return -1, nil
			}
			continue
		}
		first := c.Words[0]
		switch end := x.Nodes[p.secondEnd].To; {
		case first < x.Nodes[p.second].To:
			if from <= p.firstEnd && e.B <= p.secondEnd {
				return -1, nil
			}
		case first < end:
			if from <= p.firstEnd {
				from = p.second
			}
		case from > p.secondEnd:
		case x.isSharedPredicate(ts, p, verbGroupStart(ts, first)):
			if from == p.first || from == p.second || penn.IsVerb(ts[first].Tag) {
				from = p.second
				all = append(all[:0], p.first)
			}
		}
	}
	for k := len(x.parallels) - 1; k >= 0 && all != nil && len(all) < maxSharing; k-- { // for lists of three and more
		if p := &x.parallels[k]; slices.Contains(all, p.second) && !slices.Contains(all, p.first) {
			all = append(all, p.first)
		}
	}
	return from, all
}

// isSharedPredicate reports whether both objects of p are subjects of the predicate that begins at token i, after both
// phrases.
func (x *Reading) isSharedPredicate(ts []tokens.Token, p *parallel, i int32) bool {
	t := &ts[i]
	if i > 0 && isRelativePronoun(&ts[i-1]) || t.Tag == penn.VBZ || t.IsOneOf(" of with is was ") || t.IsOneOf(conjunctions) {
		return false
	}
	return x.Nodes[p.first].IsAlive == x.Nodes[p.second].IsAlive
}

// inheritRelations copies relations with the first object of a parallel as their object to the second: "a photo of a
// man with a hat and a woman with a bag" shows both.
func (b *graphBuilder) inheritRelations() {
	x, at, g := b.x, b.objectOf, b.graph
	for _, p := range x.parallels {
		if at[p.first] < 0 || at[p.second] < 0 {
			continue
		}
		for _, r := range g.Relations {
			if r.Object != at[p.first] || r.Begin < 0 || r.End > b.ts[x.Nodes[p.first].From].Begin || areRelated(g, r.Subject, at[p.second]) {
				continue
			}
			r.Object = at[p.second]
			g.Relations = append(g.Relations, r)
		}
	}
}

// addForSubjects adds copies of r with each of subjects as its subject.
func addForSubjects(at, subjects []int32, r schemas.Relation, g *schemas.SceneGraph) {
	for _, s := range subjects {
		if r.Subject = at[s]; at[s] >= 0 && r.Subject != r.Object && !hasRelation(g, &r) {
			g.Relations = append(g.Relations, r)
		}
	}
}

// sharedOwners returns all objects of attribute l if it follows several and describes all: "a man and a woman walking",
// "a man with a hat and a woman with a bag are smiling". Otherwise it returns nil.
func (x *Reading) sharedOwners(ts []tokens.Token, l analysis.Link) []int32 {
	n := &x.Nodes[l.Attribute]
	if n.From < x.Nodes[l.Object].To || statesReciprocity(ts[n.From:n.To]) {
		return nil
	}
	if owners := x.compoundOwners(ts, l); owners != nil {
		return owners
	}
	for k := len(x.parallels) - 1; k >= 0; k-- {
		p := &x.parallels[k]
		end := x.Nodes[p.secondEnd].To
		if n.From < end || l.Object < p.first || l.Object > p.secondEnd {
			continue
		}
		first := verbGroupStart(ts, n.From)
		if l.Object != p.second && l.Object != p.secondEnd || first != end || ts[first].Flags&tokens.VerbIng == 0 && !isFinite(&ts[first]) || !x.isSharedPredicate(ts, p, first) {
			continue
		}
		owners := []int32{p.second, p.first}
		for k--; k >= 0; k-- {
			if q := &x.parallels[k]; slices.Contains(owners, q.second) {
				owners = append(owners, q.first)
			}
		}
		return owners
	}
	return nil
}

// statesReciprocity reports whether an attribute such as "facing each other" needs several objects.
func statesReciprocity(ts []tokens.Token) bool {
	return slices.ContainsFunc(ts, func(t tokens.Token) bool { return t.IsOneOf(" another each other side together ") })
}

// beginsClause reports whether a conjunction begins a clause with object b as its subject: "a man holds a cake and a
// woman looks at it".
func (x *Reading) beginsClause(ts []tokens.Token, b int32) bool {
	to, begin := x.Nodes[b].To, x.PhraseStart(int(b))
	return x.Nodes[b].IsAlive && int(to) < len(ts) && ts[to].Tag == penn.VBZ && begin > 0 && isDeterminer(&ts[begin-1]) && x.conjoinedObject(ts, int(b)) >= 0
}

// isOnAnimalsLeash reports whether e states that a person is on a leash, where the animal that is coordinated with the
// person is meant: "a man and a dog on a leash".
func (x *Reading) isOnAnimalsLeash(ts []tokens.Token, e *analysis.Relation, from int32) bool {
	if !x.Nodes[from].IsPerson || !ts[x.Nodes[e.B].To-1].IsOneOf(restraints) || e.Candidate.Implied != 0 || penn.IsVerb(ts[e.Candidate.Words[0]].Tag) {
		return false
	}
	m := x.nextObject(int(from))
	return m >= 0 && m < int(e.B) && !x.Nodes[m].IsPerson && x.conjoinedObject(ts, m) == int(from)
}

// compoundOwners returns the coordinated objects that attribute l describes together, or nil: "cups and plates that are
// red".
func (x *Reading) compoundOwners(ts []tokens.Token, l analysis.Link) (owners []int32) {
	first, end := verbGroupStart(ts, x.Nodes[l.Attribute].From), x.Nodes[l.Object].To
	relative := first == end+1 && isRelativePronoun(&ts[end])
	if first != end && !relative {
		return nil
	}
	plural := ts[first].IsOneOf(" are were 're ") || ts[first].Tag == penn.VBP && !ts[first].IsBe
	if !plural && (ts[first].Flags&tokens.VerbIng == 0 || relative) {
		return nil
	}
	if s, several := x.findCompoundSubject(ts, l.Object); several || relative && s.first < s.last {
		for m := s.first; m <= l.Object; m++ {
			next := ts[x.Nodes[m].To].Tag
			if !x.Nodes[m].IsAttribute && (m == l.Object || next == penn.CC || next == penn.Comma) && (plural || x.Nodes[m].IsAlive == x.Nodes[l.Object].IsAlive) {
				owners = append(owners, m)
			}
		}
	}
	if len(owners) < 2 || plural && ts[end-1].Tag == penn.NNS && relative && !x.arePlural(ts, owners) {
		return nil
	}
	return owners
}

// arePlural reports whether the names of all nodes are plural.
func (x *Reading) arePlural(ts []tokens.Token, nodes []int32) bool {
	return !slices.ContainsFunc(nodes, func(i int32) bool { return ts[x.Nodes[i].To-1].Tag != penn.NNS })
}
