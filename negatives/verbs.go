package negatives

import (
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"capgraph/internal/lexicon"
)

// Tables of truth.tsv, which says what each is.
var (
	alike      = truths["alike"]
	alongside  = truths["alongside"]
	anytime    = truths["anytime"]
	symmetrics = truths["symmetric"]
)

// alikeStill holds for what a vehicle that a picture shows may as well do.
func alikeStill(subject *noun, a, b string) bool {
	return subject.kind == vehicles && contains(inTraffic, a) && contains(inTraffic, b)
}

// verb is what is known of a verb, by its base form.
type verb struct {
	base    string
	hash    int64 // of base
	anytime bool
	alike   uint64 // bit i is set where row i of alike has it
	// with and others have bit i set where row i of alongside has it.
	with, others uint64
	opposes      opposes
	senses       []lexicon.Synset
	kinds        []lexicon.Synset // what its first sense is a kind of
}

// verb gives what is known of a verb; base may be empty.
func (w *words) verb(base string) *verb {
	if v, ok := w.verbs[base]; ok {
		return v
	}
	base = strings.Clone(base)
	v := &verb{base: base, hash: int64(xxhash.Sum64String(base)), anytime: anytime.with(base) != 0, senses: w.lexicon.Verb(base)}
	v.alike, v.with, v.others, v.opposes = alike.with(base), alongside.with(base), alongside.withOther(base), newOpposes(base)
	if len(v.senses) > 0 {
		v.kinds = w.lexicon.Ancestors(v.senses[0], nil)
	}
	w.kept += wordSize
	w.verbs[base] = v
	return v
}

// known holds for a verb of which a lexicon or one of the tables here says
// something, and not for "haning".
func (v *verb) known() bool { return len(v.senses) > 0 || v.alike|v.with|v.others != 0 }

// isKindOf holds where the first sense of a verb is a kind of that of another.
func (v *verb) isKindOf(other *verb) bool {
	return len(other.senses) > 0 && slices.Contains(v.kinds, other.senses[0])
}

// verbsExclude holds where two verbs cannot well be true of the same subject and
// object at once.
func (w *words) verbsExclude(a, b *verb) bool {
	if a.base == b.base || a.anytime || b.anytime || a.alike&b.alike != 0 || a.with&b.others != 0 || a.others&b.with != 0 {
		return false
	}
	for _, s := range a.senses {
		if slices.Contains(b.senses, s) {
			return false
		}
	}
	return a.known() && b.known() && !b.isKindOf(a) && !a.isKindOf(b)
}

// relationsExclude holds where two relations cannot well hold at once between
// the same two things:
//
//   - two verbs that exclude each other ("riding a horse", "feeding a horse");
//   - places that exclude each other ("on a table", "under a table"), with the
//     same verb, another one or none.
//
// A verb may go along with every place that is not excluded, and what says
// neither ("of", "with") excludes nothing.
func (w *words) relationsExclude(a, b *relation) bool {
	switch {
	case w.apart.excludes(a.place, b.place):
		return true
	case a.verb == "" || b.verb == "":
		return false
	}
	return w.verbsExclude(a.does, b.does)
}

// symmetric holds for relations that are true in both directions.
func symmetric(r *predicate) bool {
	if r.place == beside || r.place == nearby {
		return true
	}
	for i := range symmetrics {
		if s := &symmetrics[i]; (s.words == "*" || s.words == r.verb) && (s.others == "*" || s.others == r.prep) {
			return true
		}
	}
	return false
}
