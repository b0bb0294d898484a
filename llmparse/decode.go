package llmparse

import (
	"slices"
	"strings"
	"unicode"

	"capgraph/llmparse/replies"
	"capgraph/schemas"
)

// repair is a kind of correction of a reply.
type repair int

// The kinds of correction. If an entity is dropped, its relations are dropped too.
const (
	entityEmpty repair = iota
	entityDuplicate
	entityNotSaid
	attributeNotSaid
	relationOutOfRange
	relationUnary
	relationSelf
	relationAnd
	relationEmpty
	relationDuplicate
	relationOfDropped
	numRepairs
)

var repairNames = [numRepairs]string{
	entityEmpty: "entity_empty", entityDuplicate: "entity_duplicate", entityNotSaid: "entity_not_said",
	attributeNotSaid: "attribute_not_said", relationOutOfRange: "relation_out_of_range", relationUnary: "relation_unary",
	relationSelf: "relation_self", relationAnd: "relation_and", relationEmpty: "relation_empty",
	relationDuplicate: "relation_duplicate", relationOfDropped: "relation_of_dropped",
}

// String returns the name under which a repair is counted.
func (r repair) String() string { return repairNames[r] }

// repairs counts the repairs of one reply.
type repairs [numRepairs]int

func (r *repairs) total() (n int) {
	for _, k := range r {
		n += k
	}
	return n
}

// notRelations are predicates of models that state no relation.
var notRelations = map[string]bool{"and": true, "or": true, "and a": true, "and the": true, ",": true, "&": true, "as well as": true}

// emptyWords are lemmas that are left out of the lemma of a predicate.
var emptyWords = map[string]bool{"be": true, "a": true, "an": true}

// buildGraph fills out with the objects and relations of reply r that the caption supports, in the
// reply's order. fixed counts the corrections. The error is replies.ErrNotSaid if r has entities
// and the caption names none of them.
func (g *grounder) buildGraph(r reply, out *schemas.SceneGraph, fixed *repairs) error {
	out.Reset()
	place := make([]int32, len(r.Entities)) // entity → object, or −1
	for i, e := range r.Entities {
		place[i] = -1
		var o schemas.Object
		e = strings.TrimSpace(strings.Map(replaceControl, e))
		switch f := g.groundObject(e, &o); {
		case e == "":
			fixed[entityEmpty]++
		case !f.said:
			fixed[entityNotSaid]++
		case f.taken:
			fixed[entityDuplicate]++
			place[i] = objectAt(out.Objects, f.at)
		default:
			fixed[attributeNotSaid] += f.missing
			place[i] = int32(len(out.Objects))
			out.Objects = append(out.Objects, o)
		}
	}
	if len(r.Entities) > 0 && len(out.Objects) == 0 {
		return replies.ErrNotSaid
	}
	for _, s := range r.Statements {
		rel, why, ok := g.groundRelation(s, place, out.Objects)
		if !ok {
			fixed[why]++
			continue
		}
		if slices.ContainsFunc(out.Relations, func(r schemas.Relation) bool {
			return r.Subject == rel.Subject && r.Object == rel.Object && r.Lemma == rel.Lemma
		}) {
			fixed[relationDuplicate]++
			continue
		}
		out.Relations = append(out.Relations, rel)
	}
	return nil
}

// replaceControl replaces a control character, such as a tab, with a space: graphs may have none.
func replaceControl(r rune) rune {
	if unicode.IsControl(r) {
		return ' '
	}
	return r
}

// objectAt returns the index of the object whose words include byte at of the caption, or −1.
func objectAt(objects []schemas.Object, at int32) int32 {
	for i, o := range objects {
		if o.Begin <= at && at < o.End {
			return int32(i)
		}
	}
	return -1
}

// groundRelation makes a relation of a statement, with the offsets of its predicate in the caption:
// of the occurrence nearest to the subject. If the caption only implies the predicate, the relation
// has no offsets. If the statement is no relation, ok is false and the repair is the reason.
func (g *grounder) groundRelation(s statement, place []int32, objects []schemas.Object) (schemas.Relation, repair, bool) {
	predicate := strings.Join(strings.Fields(strings.ToLower(strings.Map(replaceControl, s.Predicate))), " ")
	switch {
	case predicate == "":
		return schemas.Relation{}, relationEmpty, false
	case notRelations[predicate]:
		return schemas.Relation{}, relationAnd, false
	case s.Subject < 0 || s.Object < 0:
		return schemas.Relation{}, relationUnary, false
	case s.Subject >= len(place) || s.Object >= len(place):
		return schemas.Relation{}, relationOutOfRange, false
	}
	subject, object := place[s.Subject], place[s.Object]
	switch {
	case s.Subject == s.Object || subject >= 0 && subject == object:
		return schemas.Relation{}, relationSelf, false
	case subject < 0 || object < 0:
		return schemas.Relation{}, relationOfDropped, false
	}
	rel := schemas.Relation{Subject: subject, Object: object, Predicate: predicate, Begin: schemas.NoOffset, End: schemas.NoOffset}
	if r, ok := g.nearestMatch(predicate, g.tokenAt(objects[subject].End)); ok {
		rel.Begin, rel.End = g.byteRange(r)
		rel.Lemma = predicateLemma(g.tokens[r.from:r.to], predicate)
	} else {
		rel.Lemma = predicateLemma(g.rules.Tokens(predicate, nil), predicate)
	}
	return rel, 0, true
}

// predicateLemma returns the lemmas of a predicate's tokens without auxiliaries and indefinite
// articles.
func predicateLemma(ts []schemas.Token, predicate string) string {
	words := make([]string, 0, len(ts))
	for i, t := range ts {
		perfect := t.Lemma == "have" && i+1 < len(ts) && ts[i+1].Lemma == "be"
		if !emptyWords[t.Lemma] && !perfect {
			words = append(words, t.Lemma)
		}
	}
	if len(words) == 0 {
		return predicate
	}
	return strings.Join(words, " ")
}
