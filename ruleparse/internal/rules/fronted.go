package rules

import (
	"slices"

	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
)

// relateFrontedPlaces relates a place at the begin of a sentence to what is there: "In the background, trees stand
// tall", "To the right of it stands a lamp". The place is not the subject of the clause: in "On the wall, a cat sits on
// a shelf" the cat sits.
func (x *Reading) relateFrontedPlaces(ts []tokens.Token) {
	x.added = x.added[:0]
	begin := int32(0)
	for k := range x.Nodes {
		n := &x.Nodes[k]
		for i := n.From - 1; i >= begin; i-- {
			if ts[i].Tag == penn.Period {
				begin = i + 1
			}
		}
		if n.IsAttribute || n.From < begin {
			continue
		}
		if c, ok := x.frontedPreposition(ts, begin, k); ok {
			x.moveToClause(ts, k, c)
		}
		begin = n.To // only the first object of a sentence is a fronted place
	}
	if len(x.added) > 0 {
		x.stripObjectWords(ts)
		x.mergeAddedEdges()
	}
}

// placeless are prepositions that begin no place.
const placeless = " after before despite during except for like since unlike until without "

// frontedPreposition returns the preposition from token begin to object k: "in", "to the right of". ok is false if
// other words are between.
func (x *Reading) frontedPreposition(ts []tokens.Token, begin int32, k int) (c analysis.Candidate, ok bool) {
	to := x.PhraseStart(k)
	if begin > 0 && ts[begin-1].Tag != penn.Period || to-begin > analysis.MaxPredicate+1 || begin >= to {
		return c, false
	}
	if first := &ts[begin]; !canBePreposition(first) && !first.IsOneOf(" close next ") || first.IsOneOf(placeless) {
		return c, false
	}
	c = analysis.Candidate{Position: analysis.Nowhere, Reversed: true}
	for i := begin; i < to; i++ {
		t := &ts[i]
		switch {
		case isDeterminer(t):
			continue
		case x.InNode[i] || t.Kind != tokens.Letters || penn.IsVerb(t.Tag) || c.N == analysis.MaxPredicate:
			return c, false
		}
		c.Words[c.N] = i
		c.N++
	}
	last := &ts[c.Words[c.N-1]]
	return c, canBePreposition(last) || last.Low == "of"
}

// moveToClause changes the subject of relations from place k to the first subject of the clause after it, and places
// the subjects of that clause at k by preposition c.
func (x *Reading) moveToClause(ts []tokens.Token, k int, c analysis.Candidate) {
	i := x.nextObject(k)
	if i >= 0 && ts[x.Nodes[i].To-1].IsOneOf(depictions) && x.Nodes[i].From-x.Nodes[k].To <= 3 && ts[x.Nodes[k].To].Low == "of" {
		i = x.nextObject(i) // skips "image": "in the background of the image, there is a lamp"
	}
	if i < 0 || !x.opensClause(ts, x.Nodes[k].To, x.PhraseStart(i)) {
		return
	}
	for j := x.firstEdgeInto(i); j < len(x.Edges) && int(x.Edges[j].B) <= k+analysis.MaxNeighbour; j++ {
		e := &x.Edges[j]
		switch {
		case int(e.A) != k || e.Candidate.Implied != 0 || e.Candidate.Position == analysis.After:
		case int(e.B) == i || e.Candidate.Words[0] < x.Nodes[i].To || x.hasStatedEdge(int32(i), e.B):
			e.Candidate.N = 0 // stripObjectWords removes it
		default:
			e.A = int32(i)
		}
	}
	for ; i >= 0; i = x.nextInList(ts, i) {
		x.dropPosture(ts, i)
		x.added = append(x.added, analysis.Relation{A: int32(k), B: int32(i), Candidate: c})
	}
}

// dropPosture removes an attribute of object i that adds nothing to its place: "Behind the house, a tree *stands*."
func (x *Reading) dropPosture(ts []tokens.Token, i int) {
	if i+1 == len(x.Nodes) {
		return
	}
	n, a := &x.Nodes[i], &x.Nodes[i+1]
	if a.IsAttribute && a.From == n.To && a.To == a.From+1 && ts[a.From].IsOneOf(inverting) && tokens.AtOrBorder(ts, a.To).Kind == tokens.Mark {
		x.Links = slices.DeleteFunc(x.Links, func(l analysis.Link) bool { return int(l.Attribute) == i+1 })
	}
}

// nextInList returns the next object of the list after object i, or -1.
func (x *Reading) nextInList(ts []tokens.Token, i int) int {
	j := x.nextObject(i)
	if j < 0 {
		return -1
	}
	begin := x.PhraseStart(j)
	listed := false
	for t := x.Nodes[i].To; t < begin; t++ {
		switch {
		case ts[t].Tag == penn.Comma || ts[t].Low == "and":
			listed = true
		case !isDeterminer(&ts[t]) && ts[t].Tag != penn.CD && !x.InNode[t]:
			return -1
		}
	}
	if next := tokens.AtOrBorder(ts, x.Nodes[j].To); !listed || ts[begin-1].Tag == penn.Comma && penn.IsVerb(next.Tag) {
		return -1
	}
	return j
}

// inverting are verbs that may precede their subject after a place: "Behind the house stands a tree."
const inverting = " are grow grows hang hangs is lie lies rest rests rise rises sit sits stand stands stretch stretches was were "

// opensClause reports whether tokens [from, to) after a place begin a clause: with a comma, "there is", or a verb
// before its subject.
func (x *Reading) opensClause(ts []tokens.Token, from, to int32) bool {
	opened := false
	for i := from; i < to; i++ {
		switch t := &ts[i]; {
		case t.Tag == penn.Comma || t.Tag == penn.EX || i == from && t.IsOneOf(inverting):
			opened = true
		case !x.InNode[i] && !isDeterminer(t) && !t.IsBe && !t.IsMeasure && t.Low != "of" && ts[i+1].Low != "of" && t.Tag != penn.CD && !isQualifier(t):
			return false
		}
	}
	return opened
}
