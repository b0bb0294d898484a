package negatives

import (
	_ "embed"
	"slices"
	"strings"

	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/grammar"
	"capgraph/negatives/say"
	"capgraph/negatives/truth"
	"capgraph/negatives/words"
	"capgraph/schemas"
)

//go:embed directions.tsv
var directionTable string

// direction is a row of directions.tsv: words, their opposite, and the words allowed before and after.
type direction struct {
	words                   []string
	opposite, before, after string
	example, falseExample   string
}

var directions = parseDirections(directionTable)

func parseDirections(tsv string) (list []direction) {
	for line := range strings.Lines(tsv) {
		if f := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(f) == 6 {
			list = append(list, direction{strings.Fields(f[0]), f[1], f[2], f[3], f[4], f[5]})
		}
	}
	return list
}

// reverseDirection replaces a direction of a sub-graph, or of the caption, by its opposite.
func reverseDirection(job *captionJob, pl *plan) {
	if pl.said == nil {
		reverseInCaption(job, pl)
		return
	}
	p := pl.said.phrase
	subject, object := job.classesOf(pl)
	if d := directionOf(&p); d == nil || d.isPlane() && !mayBeNear(p.Subject.Noun) {
		return
	} else if d.before == "*" {
		if !d.canReverseBetween(p.Subject.Noun, p.Object.Noun) {
			return
		}
		p.Relation = job.dict.words.RelationOf(strings.TrimSuffix(p.Relation.Key, strings.Join(d.words, " "))+d.opposite, "")
	} else {
		p.Object.Noun = job.dict.words.Noun(d.opposite)
		object = job.facts.classOf(p.Object.Noun)
	}
	_, _, differ := findExchangeable(job.dict, &p.Subject, &p.Object)
	switch {
	case !differ && words.SameThing(p.Subject.Noun, p.Object.Noun): // "a car in front of a car"
		job.sink.dropPhrase(pl, &p, ReasonSymmetric)
		return
	case job.facts.mayRelate(subject, object, p.Relation, nil, truth.Anything):
		job.sink.dropPhrase(pl, &p, ReasonMayBeTrue)
		return
	}
	job.sink.emitPhrase(pl, &p, schemas.ChangedRelation, schemas.CategoryRelation)
}

// directionOf returns the direction that a phrase's relation ends with, or that its object names ("in the foreground").
// It returns nil if there is none.
func directionOf(p *say.Phrase) *direction {
	for k := range directions {
		d := &directions[k]
		words := strings.Join(d.words, " ")
		if d.before == "*" && (p.Relation.Key == words || strings.HasSuffix(p.Relation.Key, " "+words)) ||
			d.isPlane() && p.Object.Noun.Key == words && p.Object.N == 0 && p.Relation.Prep == "in" {
			return d
		}
	}
	return nil
}

// reverseInCaption replaces each direction of a caption by its opposite: "A dog on the left side of a bench" becomes "A
// dog on the right side of a bench". If a sentence has both, they are exchanged.
func reverseInCaption(job *captionJob, pl *plan) {
	w := &job.words
	for i := range w.tokens {
		for k := range directions {
			d := &directions[k]
			last := i + len(d.words) - 1
			if !d.standsAt(w, i, last) {
				continue
			}
			if reason := w.checkOpposite(d, i, last); reason != noReason {
				job.sink.dropSplice(pl, splice{i, last, d.opposite}, reason)
				continue
			}
			other, twice := w.findOpposite(d, i)
			switch {
			case twice || other >= 0 && other < i: // already exchanged at the first of the two words
			case other > i && !w.hasBesides(i+1, other-1, tagCC|tagDT|tagIN): // "in the left and right corners"
				job.sink.dropSplice(pl, splice{i, last, d.opposite}, ReasonSymmetric)
			case other < 0:
				job.sink.emitSplices(pl, schemas.ChangedRelation, splice{i, last, d.opposite})
			default:
				job.sink.emitSplices(pl, schemas.ChangedRelation, splice{i, i, d.opposite}, splice{other, other, d.words[0]})
			}
			break
		}
	}
}

// isPlane reports whether a direction is the foreground or the background. It is reversed only in "in the foreground"
// and the like: not in "isolated on a background".
func (d *direction) isPlane() bool { return wordclass.Has(" foreground background ", d.words[0]) }

// standsAt reports whether tokens first to last are the words of a direction, and the words before and after them are
// among those of its row in directions.tsv.
func (d *direction) standsAt(w *captionWords, first, last int) bool {
	if last >= len(w.lower) || !slices.Equal(w.lower[first:last+1], d.words) || w.hasTag(first, verbs) || w.isWritten(first) {
		return false
	}
	if d.isPlane() && (first < 2 || w.lower[first-2] != "in") { // "isolated on the background"
		return false
	}
	return (d.before == "*" || first > 0 && wordclass.Has(d.before, w.lower[first-1])) && (d.after == "*" || wordclass.Has(d.after, grammar.WordAfter(w.lower, last)))
}

// findOpposite returns the token of a one-word direction's opposite in the sentence of token i, or −1. twice reports
// whether the direction or its opposite occurs there more than once.
func (w *captionWords) findOpposite(d *direction, i int) (at int, twice bool) {
	first, last := w.sentenceOf(i)
	at = -1
	for j := first; j <= last; j++ {
		switch {
		case j != i && w.lower[j] == d.words[0]:
			twice = true
		case w.lower[j] == d.opposite:
			twice = twice || at >= 0
			at = j
		}
	}
	return at, twice
}

// checkOpposite returns the reason why a direction cannot be replaced by its opposite: the result makes no sense (the
// sky under a field), or may be true too (a car behind another car). A place in the picture ("on the left") can be
// replaced for any object.
func (w *captionWords) checkOpposite(d *direction, first, last int) Reason {
	if head := w.headAfter(last); wordclass.Has(" left right ", d.words[0]) && head >= 0 {
		if n := w.nounAt(head, head); n.Kind != truth.Body && !wordclass.Has(" side corner edge half end part hand lane turn arrow ", n.Head) { // "the right software"
			return ReasonImplausible
		}
	}
	if placed := w.nounPlacedBy(first); d.isPlane() && placed >= 0 && !mayBeNear(w.nounAt(placed, placed)) {
		return ReasonImplausible
	}
	if d.before != "*" && (last+2 >= len(w.lower) || w.lower[last+1] != "of" && w.lower[last+1] != "side") {
		return noReason
	}
	if last+1 < len(w.tokens) && w.tokens[last+1].Tag == "PRP" {
		return noReason
	}
	end := last
	for end+1 < len(w.lower) && wordclass.Has(" of side ", w.lower[end+1]) {
		end++
	}
	object := w.headAfter(end + 1)
	if w.hasTag(end+1, nouns) {
		object = w.runEnd(end + 1)
	}
	subject := first - 1
	for subject >= 0 && first-subject < 8 && w.tokens[subject].Tag != "." && !w.hasTag(subject, nouns) {
		subject--
	}
	if object >= 0 && (subject < 0 || w.tokens[subject].Tag == ".") { // "Above the wall, the sky opens up"
		for subject = object + 1; subject < len(w.tokens)-1 && subject < object+6 && !w.hasTag(subject, nouns); {
			subject++
		}
	}
	if object < 0 || subject < 0 || subject >= len(w.tokens) || !w.hasTag(subject, nouns) {
		if d.before != "*" {
			return noReason
		}
		return ReasonImplausible
	}
	x, y := w.nounAt(subject, subject), w.nounAt(object, object)
	switch {
	case d.before == "*" && !d.canReverseBetween(x, y):
		return ReasonImplausible
	case words.SameThing(x, y) && !w.hasAdjective(subject) && !w.hasAdjective(object): // "a car behind another car"
		return ReasonSymmetric
	}
	return noReason
}

// farThings are nouns of what is behind everything else, such as the sky.
var farThings = wordclass.Words("far things")

// mayBeNear reports whether a thing in the background could also be in the foreground.
func mayBeNear(n *words.Noun) bool {
	return !wordclass.Has(farThings, n.Head) && n.Kind != truth.Land && n.Kind != truth.Weather && !n.Vague && !n.Intangible
}

// nounPlacedBy returns the noun that is said to be in the foreground or background, or −1. i is the last token of that
// place. If the place begins a clause ("In the background, a sky"), it is the first noun after it, else the last one
// before it.
func (w *captionWords) nounPlacedBy(i int) int {
	if before := i - 3; before < 0 || w.hasTag(before, tagComma|tagCC|tagIN) || w.tokens[before].Tag == "." {
		for i++; i < len(w.tokens) && w.tokens[i].Tag != "."; i++ {
			if w.hasTag(i, nouns) {
				return w.runEnd(i)
			}
		}
		return -1
	}
	for i -= 3; i >= 0 && w.tokens[i].Tag != "."; i-- {
		if w.hasTag(i, nouns) {
			return i
		}
	}
	return -1
}

// hasBesides reports whether one of the tokens first to last has a tag that is not allowed.
func (w *captionWords) hasBesides(first, last int, allowed tags) bool {
	for i := first; i <= last; i++ {
		if !w.hasTag(i, allowed) {
			return true
		}
	}
	return false
}

// hasAdjective reports whether a descriptive adjective is right before a noun: "red", but not "other".
func (w *captionWords) hasAdjective(noun int) bool {
	return w.hasTag(noun-1, tagJJ|tagVBN) && !wordclass.Has(" other same different next ", w.lower[noun-1])
}

// concernsBehind reports whether a direction or its opposite is "behind".
func (d *direction) concernsBehind() bool { return d.words[0] == "behind" || d.opposite == "behind" }

// canReverseBetween reports whether the opposite of a direction is possible between two objects.
func (d *direction) canReverseBetween(subject, object *words.Noun) bool {
	for _, n := range []*words.Noun{subject, object} {
		switch {
		case d.opposite == "behind" && n == object && wordclass.Has(" wall curtain backdrop ", n.Head): // what is behind a wall is not visible
			return false
		case wordclass.Has(farThings, n.Head), n.Vague, n.Intangible, n.Kind == truth.Weather, n.Size() == truth.Vast && !wordclass.Has(" inside outside towards toward away ", d.words[0]) && !(n.Kind == truth.Structures && d.concernsBehind()):
			return false
		}
	}
	return true
}
