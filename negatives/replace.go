package negatives

import (
	"slices"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/slots"
	"capgraph/negatives/truth"
	"capgraph/negatives/vocabulary"
	"capgraph/negatives/words"
)

// nounFits says why a noun cannot stand for another, whatever the image; empty
// where it can.
func nounFits(n, original *words.Noun) Reason {
	switch {
	case words.SameThing(n, original), words.OfOneSort(n, original) && (wordclass.Has(n.Key, original.Head) || wordclass.Has(original.Key, n.Head)): // "a sweater jacket" for "a sweater"
		return ReasonSynonym
	case !words.IsNoun(n):
		return ReasonGrammar
	case n.Unsaid, n.Setting.MayHave(original.Setting), original.Setting.InRoom&n.Setting.Room != 0,
		n.Kind == truth.Body && (original.Kind == truth.People || original.Kind == truth.Animals), // "hands washing" for "women washing"
		n.Kind.Within(original.Kind), original.Kind.Within(n.Kind), // "a building with couches" for "a den with couches"
		original.General && n.Kind == original.Kind: // "cake" for "food"
		return ReasonKnownGraph
	case n.Intangible && !original.Intangible: // "tourism on a street" for "a woman on a street"
		return ReasonImplausible
	}
	return noReason
}

// objectFits says why a noun cannot stand for another in the image; empty if
// it can.
func (f *facts) objectFits(n, original *words.Noun, plural bool) Reason {
	if reason := nounFits(n, original); reason != noReason {
		return reason
	}
	switch {
	case f.bare && n.Age == 'c' && original.Age != 'c':
		return ReasonImplausible
	case f.mayBe(n):
		return ReasonKnownGraph
	case f.dict.filter.plausible && (n.Kind == truth.Body) != (original.Kind == truth.Body), // "cars" for "hands"
		plural && wordclass.Has(single, n.Head) && !wordclass.Has(single, original.Head) && n.Kind == truth.Body:
		return ReasonImplausible
	case plural && !n.PluralOnly && !n.Usage.Pluralises(), !plural && n.PluralOnly, n.Plural:
		return ReasonGrammar
	}
	return noReason
}

// attributeApplies reports whether a noun can have an attribute that was said of another: any but
// people has a colour, what is long or tall is a matter of the head, and else the
// corpus has it of this head, or of one of its kind.
func (dict *dictionary) attributeApplies(n *words.Noun, p *words.Property) bool {
	switch c := p.Core; {
	case !dict.filter.plausible:
		return true
	case c.Colour && truth.Natural(n.Kind):
		return n.Kind != truth.People && hasNaturally(n.Word.Attributes.List, c.Text)
	case c.Colour:
		return true
	case c.Size:
		return !n.Usage.Mass()
	case c.Number:
		return true
	case c.Age && n.Age == 'c':
		return false
	}
	heads, kinds := dict.words.HeadsOf(p)
	if wordclass.Has(extents, p.Core.Text) {
		kinds = 0
	}
	return len(heads) == 0 || n.Kind != 0 && kinds>>n.Kind&1 != 0 || vocabulary.Has(heads, n.Head)
}

// attributeAppliesTo is keeps for a noun that comes for another: of one sort with that, it may have what is of no
// dimension ("Binary Code Mens Wallet"), or of materials.
func (dict *dictionary) attributeAppliesTo(original, n *words.Noun, p *words.Property) bool {
	if words.OfOneSort(original, n) && p.Core.Verb == 0 && (len(p.Core.Values) == 0 || p.Core.Material) {
		return true
	}
	return dict.attributeApplies(n, p)
}

// hasNaturally reports whether a list has a word at least naturally times.
func hasNaturally(list []slots.Candidate, word string) bool {
	for w, n := range vocabulary.Counted(list) {
		if w == word {
			return n >= minNaturalCount
		}
	}
	return false
}

// areRelated reports whether the corpus has a relation of one noun to another, or
// need not.
func (dict *dictionary) areRelated(subject, object *words.Noun) bool {
	return !dict.filter.plausible || len(dict.words.Vocab.List(vocabulary.Between, subject.Head, object.Head)) > 0
}

// chooseCandidates gives those proposed that fit what a slot holds, or where none of them does all attributes of its
// dimension where most things have that, and else what the corpus has of things of one sort with its own. Of objects most fit, so that they
// are all there.
func (dict *dictionary) chooseCandidates(s *slot, proposed *words.Candidates) *words.Choices {
	fit := dict.filter.candidatesFor(s, proposed)
	if !fit.Empty() || s.kind != slots.Attribute {
		return fit
	}
	if dict.filter.any {
		return dict.filter.candidatesFor(s, dict.words.Listed(slots.Attribute, dict.words.Vocab.List(vocabulary.Attribute)))
	}
	p := dict.words.Property(s.text).Core
	if len(p.Values) == 0 {
		return fit
	}
	if dimension := dict.words.Lexicon.Dimension(p.Values[0]); slices.Contains(general, dimension) && !(p.Colour && truth.Natural(s.of)) {
		return dict.filter.candidatesFor(s, dict.words.Listed(slots.Attribute, dict.words.Vocab.List(vocabulary.Attribute, dimension)))
	}
	return dict.filter.candidatesFor(s, dict.words.AttributesOfSort(s.head))
}

// general are dimensions that most things have. Of others a head has only what
// the corpus has of it: no "foggy tape" for "clear tape". Animals, people, food,
// plants and land have the colours that the corpus has of them.
var general = []string{"colour", "size", "number"}

// sampleCandidates draws candidates until opts.Candidates of them were taken or passed over, or enough were
// drawn: edit makes the edit or says why not, say says and emits it.
//
// A candidate b for the word a is drawn in proportion to its count among those
// that can replace a, and may be passed over, so that b comes for a as often as a
// comes for b, and no word tells a negative by itself.
func (g *Generator) sampleCandidates(pl *plan, r *random, edit func(c words.Choice) Reason, say func() bool) {
	wanted := g.opts.Candidates
	for _, list := range g.choices[pl.slot] {
		if !list.Empty() && wanted > 0 {
			wanted -= g.sampleFrom(pl, list, wanted, r, edit, say)
		}
	}
	if both := g.choices[pl.slot]; both[0].Empty() && both[1].Empty() {
		g.sink.drop(pl, g.slots[pl.slot].text, ReasonNoCandidates)
	}
}

// sampleFrom is try with one list, of which at most so many are wanted; it says how many were taken or passed
// over.
func (g *Generator) sampleFrom(pl *plan, list *words.Choices, wanted int, r *random, edit func(c words.Choice) Reason, say func() bool) (made int) {
	slot := &g.slots[pl.slot]
	fitting := g.dict.filter.fitting(slot)
	untried, tries := len(list.Urn.Cells), maxTries
	if list.Of.Opposite {
		tries = maxOpposites
	}
	var tried [maxOpposites]int
	for i, draws := 0, 0; i < tries && draws < maxDraws && untried > 0 && made < wanted; {
		c, drew, suits := g.drawFitting(pl, list, &fitting, r, maxDraws-draws)
		if draws += drew; !suits {
			continue
		}
		i++
		if at := c.At + 1; !g.rejectSample(list, c, slot, r) { // of those passed over tried has 0
			if slices.Contains(tried[:i-1], at) {
				continue
			}
			tried[i-1] = at
			untried--
			if reason := edit(c); reason != noReason {
				g.sink.dropChoice(pl, c, reason)
				continue
			}
			if !say() {
				continue
			}
		}
		made++
	}
	return made
}

// drawFitting draws from the choices of a plan's slot until a candidate goes with what is
// said of the object, at most n times, or once where every drop is heard of. It gives
// the last, how often it drew, and whether the last goes with that.
func (g *Generator) drawFitting(pl *plan, list *words.Choices, fitting *fitting, r *random, n int) (c words.Choice, drew int, suits bool) {
	if fitting.any {
		return list.Draw(r), 1, true
	}
	if g.sink.drops.Each != nil {
		n = 1
	}
	for drew < n && !suits {
		c = list.Draw(r)
		suits = fitting.fits(c.Of.Things[c.At])
		drew++
	}
	if g.sink.drops.N[ReasonImplausible] += int64(drew - 1); !suits {
		g.sink.dropChoice(pl, c, ReasonImplausible)
	}
	return c, drew, suits
}

// rejectSample reports whether a candidate that was drawn for the word of a slot is
// not taken. Objects are drawn from all of a list, the word itself among them,
// which is no negative. Of others only those are drawn that can replace the word
// a, whose counts add up to Z(a): b is taken with the probability min(1, Z(a)/Z(b)).
func (g *Generator) rejectSample(list *words.Choices, c words.Choice, s *slot, r *random) bool {
	if s.kind == slots.Object {
		return g.dict.filter.nounOf(c) == s.noun
	}
	back := g.dict.filter.sumOfCounts(c)
	return back > list.Urn.Total && r.Next()%back >= list.Urn.Total
}

// maxTries bounds how many candidates are tried for one slot, maxOpposites those that exclusions.tsv opposes to
// what stands there, of which the corpus has many not so, and maxDraws how many are drawn, of which most go
// with nothing that is said of an object.
const (
	maxTries     = 20
	maxOpposites = 96
	maxDraws     = 288
)
