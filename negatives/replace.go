package negatives

import "slices"

// nounFits says why a noun cannot stand for another, whatever the image; empty
// where it can.
func nounFits(n, original *noun) Reason {
	switch {
	case sameThing(n, original), ofOneSort(n, original) && (contains(n.key, original.head) || contains(original.key, n.head)): // "a sweater jacket" for "a sweater"
		return ReasonSynonym
	case !isNoun(n):
		return ReasonGrammar
	case n.unsaid, n.setting.mayHave(original.setting), original.setting.inRoom&n.setting.room != 0,
		n.kind == body && (original.kind == people || original.kind == animals), // "hands washing" for "women washing"
		n.kind.within(original.kind), original.kind.within(n.kind), // "a building with couches" for "a den with couches"
		original.general && n.kind == original.kind: // "cake" for "food"
		return ReasonKnownGraph
	case n.intangible && !original.intangible: // "tourism on a street" for "a woman on a street"
		return ReasonImplausible
	}
	return noReason
}

// objectFits says why a noun cannot stand for another in the image; empty where
// it can.
func (g *Generator) objectFits(n, original *noun, plural bool) Reason {
	if reason := nounFits(n, original); reason != noReason {
		return reason
	}
	switch {
	case g.known.bare && n.age == 'c' && original.age != 'c':
		return ReasonImplausible
	case g.known.mayBe(n):
		return ReasonKnownGraph
	case g.filtered.plausible && (n.kind == body) != (original.kind == body), // "cars" for "hands"
		plural && contains(single, n.head) && !contains(single, original.head) && n.kind == body:
		return ReasonImplausible
	case plural && !n.pluralOnly && !n.usage.pluralises(), !plural && n.pluralOnly, n.plural:
		return ReasonGrammar
	}
	return noReason
}

// keeps holds where a noun can have an attribute that was said of another: any but
// people has a colour, what is long or tall is a matter of the head, and else the
// corpus has it of this head, or of one of its kind.
func (g *Generator) keeps(n *noun, p *property) bool {
	switch c := p.core; {
	case !g.filtered.plausible:
		return true
	case c.colour && natural(n.kind):
		return n.kind != people && hasNaturally(n.word.attributes.list, c.text)
	case c.colour:
		return true
	case c.size:
		return !n.usage.mass()
	case c.number:
		return true
	case c.age && n.age == 'c':
		return false
	}
	heads, kinds := g.words.headsOf(p)
	if contains(extents, p.core.text) {
		kinds = 0
	}
	return len(heads) == 0 || n.kind != 0 && kinds>>n.kind&1 != 0 || has(heads, n.head)
}

// keepsOf is keeps for a noun that comes for another: of one sort with that, it may have what is of no
// dimension ("Binary Code Mens Wallet"), or of materials.
func (g *Generator) keepsOf(original, n *noun, p *property) bool {
	if ofOneSort(original, n) && p.core.verb == 0 && (len(p.core.values) == 0 || p.core.material) {
		return true
	}
	return g.keeps(n, p)
}

// hasNaturally holds where a list has a word at least naturally times.
func hasNaturally(list []Candidate, word string) bool {
	for w, n := range counted(list) {
		if w == word {
			return n >= naturally
		}
	}
	return false
}

// goTogether holds where the corpus has a relation of one noun to another, or
// need not.
func (g *Generator) goTogether(subject, object *noun) bool {
	return !g.filtered.plausible || len(g.words.vocab.list(CountBetween, subject.head, object.head)) > 0
}

// isNoun turns away what a parser took for an object and no lexicon knows as
// one, names, and nouns that do not say what a thing is.
func isNoun(n *noun) bool { return len(n.senses) > 0 && n.sayable && !n.vague && !n.name }

// vague are nouns that do not say what a thing is, so that putting another in
// their place makes nothing false: "a cat on top of a table".
const vague = ` thing something one other each another someone everyone anyone everything anything nothing it item stuff object kind type
sort lot bunch couple group number pair set variety series way side top front back bottom end middle part piece corner edge center
centre time day view picture photo image scene background foreground area place position shot photograph inside outside left right row
distance air line angle style shape form color colour size name word most some all many few body face pose look
use light dark next close while game trick turn love work fun several half night evening morning afternoon assortment
collection display stack pile slice herd flock crowd team series array selection close-up closeup rest self himself herself themselves
lots tops sides front middle different variety portion section image photography painting drawing `

// choose gives those proposed that fit what a slot holds, or where none of them does all attributes of its
// dimension where most things have that, and else what the corpus has of things of one sort with its own. Of objects most fit, so that they
// are all there.
func (g *Generator) choose(s *slot, proposed *candidates) *choices {
	fit := g.filtered.of(s, proposed)
	if !fit.empty() || s.kind != SlotAttribute {
		return fit
	}
	if g.opts.AnyDimension {
		return g.filtered.of(s, g.words.listed(SlotAttribute, g.words.vocab.list(CountAttribute)))
	}
	p := g.words.property(s.text).core
	if len(p.values) == 0 {
		return fit
	}
	if dimension := g.words.lexicon.Dimension(p.values[0]); slices.Contains(general, dimension) && !(p.colour && natural(s.of)) {
		return g.filtered.of(s, g.words.listed(SlotAttribute, g.words.vocab.list(CountAttribute, dimension)))
	}
	return g.filtered.of(s, g.words.attributesOfSort(s.head))
}

// general are dimensions that most things have. Of others a head has only what
// the corpus has of it: no "foggy tape" for "clear tape". Animals, people, food,
// plants and land have the colours that the corpus has of them.
var general = []string{"colour", "size", "number"}

// try draws candidates until opts.Candidates of them were taken or passed over, or enough were
// drawn: edit makes the edit or says why not, say says and emits it.
//
// A candidate b for the word a is drawn in proportion to its count among those
// that can replace a, and may be passed over, so that b comes for a as often as a
// comes for b, and no word tells a negative by itself.
func (g *Generator) try(pl *plan, r *random, edit func(c choice) Reason, say func() bool) {
	wanted := g.opts.Candidates
	for _, list := range g.choices[pl.slot] {
		if !list.empty() && wanted > 0 {
			wanted -= g.tryOf(pl, list, wanted, r, edit, say)
		}
	}
	if both := g.choices[pl.slot]; both[0].empty() && both[1].empty() {
		g.drop(pl, g.slots[pl.slot].text, ReasonNoCandidates)
	}
}

// tryOf is try with one list, of which at most so many are wanted; it says how many were taken or passed
// over.
func (g *Generator) tryOf(pl *plan, list *choices, wanted int, r *random, edit func(c choice) Reason, say func() bool) (made int) {
	slot := &g.slots[pl.slot]
	fitting := g.filtered.fitting(slot)
	untried, tries := len(list.urn.cells), maxTries
	if list.of.opposite {
		tries = maxOpposites
	}
	var tried [maxOpposites]int
	for i, draws := 0, 0; i < tries && draws < maxDraws && untried > 0 && made < wanted; {
		c, drew, suits := g.draw(pl, list, &fitting, r, maxDraws-draws)
		if draws += drew; !suits {
			continue
		}
		i++
		if at := c.at + 1; !g.passesOver(list, c, slot, r) { // of those passed over tried has 0
			if slices.Contains(tried[:i-1], at) {
				continue
			}
			tried[i-1] = at
			untried--
			if reason := edit(c); reason != noReason {
				g.dropChoice(pl, c, reason)
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

// draw draws from the choices of a plan's slot until a candidate goes with what is
// said of the object, at most n times, or once where every drop is heard of. It gives
// the last, how often it drew, and whether the last goes with that.
func (g *Generator) draw(pl *plan, list *choices, fitting *fitting, r *random, n int) (c choice, drew int, suits bool) {
	if fitting.any {
		return list.draw(r), 1, true
	}
	if g.drops.Each != nil {
		n = 1
	}
	for drew < n && !suits {
		c = list.draw(r)
		suits = fitting.suits(c.of.things[c.at])
		drew++
	}
	if g.drops.N[ReasonImplausible] += int64(drew - 1); !suits {
		g.dropChoice(pl, c, ReasonImplausible)
	}
	return c, drew, suits
}

// passesOver says whether a candidate that was drawn for the word of a slot is
// not taken. Objects are drawn from all of a list, the word itself among them,
// which is no negative. Of others only those are drawn that can replace the word
// a, whose counts add up to Z(a): b is taken with the probability min(1, Z(a)/Z(b)).
func (g *Generator) passesOver(list *choices, c choice, s *slot, r *random) bool {
	if s.kind == SlotObject {
		return g.filtered.noun(c) == s.noun
	}
	back := g.filtered.sum(c)
	return back > list.urn.total && r.Next()%back >= list.urn.total
}

// maxTries bounds how many candidates are tried for one slot, maxOpposites those that exclusions.tsv opposes to
// what stands there, of which the corpus has many not so, and maxDraws how many are drawn, of which most go
// with nothing that is said of an object.
const (
	maxTries     = 20
	maxOpposites = 96
	maxDraws     = 288
)
