package truth

import (
	_ "embed"
	"slices"
	"strings"

	"capgraph/internal/lexicon/wordclass"
)

// fillersFile lists kinds of nouns that may not be the subject or the object of a relation. It
// explains its columns.
//
//go:embed fillers.tsv
var fillersFile string

// Fillers are the rows of fillers.tsv.
var Fillers = readFillers(fillersFile)

// End describes one end of a relation, its subject or its object, with the noun that is there now.
type End struct {
	IsObject  bool
	Place     Place
	Relation  string // such as "sitting with"
	Prep      string // "with"
	Kind      Kind   // of the noun
	Other     Kind   // the kind of the noun at the other end
	OtherHead string
}

// Filler is a row of fillers.tsv.
type Filler struct {
	IsObject       bool // whether the row is about objects, not subjects
	relation       string
	places         []Place
	kinds, others  uint32 // bits of kinds
	heads          string
	named          uint32 // kinds of nouns that may not be there
	only           bool   // only the named kinds may be there
	same           bool   // the kind of the noun that is there now counts as named
	Example, Wrong string
}

// readFillers reads rows of eight columns.
func readFillers(tsv string) (rows []Filler) {
	for line := range strings.Lines(tsv) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 8 || strings.HasPrefix(line, "#") {
			continue
		}
		r := Filler{IsObject: f[0] == "object", relation: f[1], kinds: kindBits(f[2]), others: kindBits(f[3]), heads: f[4], Example: f[6], Wrong: f[7]}
		for _, name := range strings.Fields(f[1]) {
			if place := map[string]Place{"on": On, "in": In}[name]; place != 0 {
				r.places = append(r.places, place)
			}
		}
		how, named, _ := strings.Cut(f[5], " ")
		r.only, r.same, r.named = how == "only", named == "same", kindBits(named)
		rows = append(rows, r)
	}
	return rows
}

// kindBits returns a bit for each kind in a list, or for all others if the list begins with "but".
// "vast" in a list means all kinds of that size.
func kindBits(list string) (bits uint32) {
	names := strings.Fields(list)
	for k := range KindCount {
		if slices.Contains(names, kinds[k].name) || Kind(k).Size() == Vast && slices.Contains(names, "vast") {
			bits |= 1 << k
		}
	}
	if strings.HasPrefix(list, "but ") {
		return ^bits
	}
	return bits
}

// ExcludedKinds returns a bit for each kind of noun that may not be at an end of a relation: nobody
// is on a pizza or in a hand, and nobody is in a beach instead of a jacket.
func ExcludedKinds(e *End) uint32 {
	for i := range Fillers {
		if r := &Fillers[i]; r.appliesTo(e) {
			return r.excludedKinds(e.Kind)
		}
	}
	return 0
}

// appliesTo reports whether a row is about an end such as e.
func (r *Filler) appliesTo(e *End) bool {
	if r.Example == "" || r.IsObject != e.IsObject || r.kinds != 0 && r.kinds>>e.Kind&1 == 0 {
		return false
	}
	switch {
	case r.relation == "":
	case r.places != nil:
		if !slices.Contains(r.places, e.Place) {
			return false
		}
	case strings.HasPrefix(r.relation, "… "):
		if e.Prep != strings.TrimPrefix(r.relation, "… ") {
			return false
		}
	case e.Relation != r.relation:
		return false
	}
	return r.others == 0 && r.heads == "" || r.others>>e.Other&1 != 0 || wordclass.Has(r.heads, e.OtherHead)
}

// excludedKinds returns a bit for each kind that a row excludes. now is the kind of the noun that is
// there now.
func (r *Filler) excludedKinds(now Kind) uint32 {
	named := r.named
	if r.same {
		named = 1 << now
	}
	if r.only {
		return ^named
	}
	return named
}
