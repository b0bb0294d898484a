package words

import (
	"slices"

	"github.com/cespare/xxhash/v2"

	"capgraph/internal/lexicon"
	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/truth"
)

// Tables of truth.tsv, which explains them.
var (
	alike     = truth.Truths["alike"]
	alongside = truth.Truths["alongside"]
	anytime   = truth.Truths["anytime"]
)

// LookAlikeInPhoto reports whether two verbs of a vehicle look the same in a photo: "parked", "driving".
func LookAlikeInPhoto(subject *Noun, a, b string) bool {
	return subject.Kind == truth.Vehicles && wordclass.Has(inTraffic, a) && wordclass.Has(inTraffic, b)
}

// Verb describes a verb, given by its base form.
type Verb struct {
	Base    string
	Gerund  string
	Hash    int64 // of base
	anytime bool
	alike   uint64 // the rows of the table alike with the verb, as bits
	// with and others are the rows of the table alongside with the verb among its words and among
	// the others, as bits.
	with, others uint64
	opposes      truth.Opposes
	senses       []lexicon.Synset
	kinds        []lexicon.Synset // hypernyms of its first sense
}

// Verb returns the verb with a base form, which may be "".
func (w *Cache) Verb(base string) *Verb { return rememberWord(w, w.verbs, base, (*Cache).describeVerb) }

func (w *Cache) describeVerb(base string) *Verb {
	v := &Verb{Base: base, Gerund: w.Inflect.Gerund(base), Hash: int64(xxhash.Sum64String(base)), anytime: anytime.RowsWith(base) != 0, senses: w.Lexicon.VerbSenses(base)}
	v.alike, v.with, v.others, v.opposes = alike.RowsWith(base), alongside.RowsWith(base), alongside.RowsWithOther(base), truth.NewOpposes(base)
	if len(v.senses) > 0 {
		v.kinds = w.Lexicon.Ancestors(v.senses[0], nil)
	}
	w.Kept += WordSize
	return v
}

// isKnown reports whether the lexicon or one of the tables alike and alongside has a verb. They do
// not have errors such as "haning".
func (v *Verb) isKnown() bool { return len(v.senses) > 0 || v.alike|v.with|v.others != 0 }

// isKindOf reports whether the first sense of a verb is a kind of another verb's first sense.
func (v *Verb) isKindOf(other *Verb) bool {
	return len(other.senses) > 0 && slices.Contains(v.kinds, other.senses[0])
}

// VerbsExclude reports whether two verbs can hardly be true of the same subject and object at once.
func (w *Cache) VerbsExclude(a, b *Verb) bool {
	if a.Base == b.Base || a.anytime || b.anytime || a.alike&b.alike != 0 || a.with&b.others != 0 || a.others&b.with != 0 {
		return false
	}
	for _, s := range a.senses {
		if slices.Contains(b.senses, s) {
			return false
		}
	}
	return a.isKnown() && b.isKnown() && !b.isKindOf(a) && !a.isKindOf(b)
}

// RelationsExclude reports whether two relations cannot well hold at once between
// the same two things:
//
//   - two verbs that exclude each other ("riding a horse", "feeding a horse");
//   - places that exclude each other ("on a table", "under a table"), with the
//     same verb, another one or none.
//
// A verb may go along with every place that is not excluded, and what says
// neither ("of", "with") excludes nothing.
func (w *Cache) RelationsExclude(a, b *Relation) bool {
	switch {
	case w.Apart.Excludes(a.Place, b.Place):
		return true
	case a.Verb == "" || b.Verb == "":
		return false
	}
	return w.VerbsExclude(a.Does, b.Does)
}

// Opposed reports whether exclusions.tsv has the two verbs as what nobody and nothing does at once.
func (a *Verb) Opposed(b *Verb, of truth.Actor) bool {
	opposed := func(of truth.Actor) bool {
		x, y := a.opposes.Acts[of], b.opposes.Acts[of]
		return x.With&y.Others|x.Others&y.With != 0
	}
	return opposed(truth.Anything) || of != truth.Anything && opposed(of) || a.opposes.More.With&b.opposes.More.Others != 0
}
