package emoji

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"

	"capgraph/internal/portable"
	"capgraph/scenegraph"
	"capgraph/schemas"
)

// stream is a sequence of random numbers.
type stream struct{ portable.SplitMix64 }

// newStream returns the random numbers for a purpose, which differ between purposes.
func newStream(seed uint64, purpose ...any) *stream {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %q", seed, fmt.Sprint(purpose...)))
	return &stream{portable.SplitMix64(binary.LittleEndian.Uint64(sum[:]))}
}

// choose returns one of several values.
func choose[T any](r *stream, from []T) T { return from[r.IntN(len(from))] }

// chooseSome returns at most n of several values, each once.
func chooseSome[T any](r *stream, from []T, n int) (some []T) {
	rest := append([]T(nil), from...)
	for len(some) < n && len(rest) > 0 {
		i := r.IntN(len(rest))
		some = append(some, rest[i])
		rest = append(rest[:i], rest[i+1:]...)
	}
	return some
}

// sentence is a caption of two things.
type sentence struct {
	things  [2]thing
	form    int
	wording string // with {1} and {2} for the things
}

func (s sentence) text() string {
	return strings.NewReplacer("{1}", s.things[0].phrase(s.form), "{2}", s.things[1].phrase(s.form)).Replace(s.wording)
}

// replaceThing returns the sentence with thing i replaced by t.
func (s sentence) replaceThing(i int, t thing) sentence {
	s.things[i] = t
	return s
}

// swapAttributes returns the sentence with the two attributes exchanged. It returns false if the
// things have different kinds of attributes, or the new sentence says the same.
func (s sentence) swapAttributes() (sentence, bool) {
	a, b := s.things[0], s.things[1]
	s.things = [2]thing{a.withAttribute(b.attribute), b.withAttribute(a.attribute)}
	return s, a.family == b.family && a.attribute != b.attribute && a.kind != b.kind
}

// vocabulary has the words that the captions of a corpus use.
type vocabulary struct {
	combinations map[combination]bool
	attributes   map[*family][]string
	kinds        map[*family][]string // that may replace each other
	// hasPair reports whether the corpus has two things together. If it is nil, it is enough that the
	// corpus has each thing.
	hasPair func(s sentence) bool
}

// addThings records the combinations of two things in a caption.
func (v *vocabulary) addThings(things [2]thing) {
	for _, t := range things {
		v.combinations[t.combination] = true
	}
}

// isFair reports whether the combinations of a changed sentence also occur in captions of the corpus.
// Otherwise a model would learn that whatever occurs only in negatives is false.
func (v *vocabulary) isFair(s sentence) bool {
	return v.combinations[s.things[0].combination] && v.combinations[s.things[1].combination] && (v.hasPair == nil || v.hasPair(s))
}

// otherAttributes returns the attributes, except the thing's own, that make a fair changed sentence
// or, if alone is true, a fair phrase of the thing by itself.
func (v *vocabulary) otherAttributes(s sentence, i int, alone bool) (others []string) {
	t := s.things[i]
	for _, attribute := range v.attributes[t.family] {
		changed := t.withAttribute(attribute)
		isFair := v.combinations[changed.combination]
		if !alone {
			isFair = v.isFair(s.replaceThing(i, changed))
		}
		if attribute != t.attribute && isFair {
			others = append(others, attribute)
		}
	}
	return others
}

// otherKinds returns the kinds with which the changed sentence is fair, and false.
func (v *vocabulary) otherKinds(s sentence, i int) (others []string) {
	t := s.things[i]
	for _, kind := range v.kinds[t.family] {
		if !overlaps(kind, s.things[0].kind) && !overlaps(kind, s.things[1].kind) && v.isFair(s.replaceThing(i, t.withKind(kind))) {
			others = append(others, kind)
		}
	}
	return others
}

// rightPool returns the texts that a faultless parser and fair negatives would give for a caption.
// The positives are the caption and each thing with its attribute. In negatives, attributes are
// exchanged or replaced, and kinds are replaced.
func (v *vocabulary) rightPool(s sentence, r *stream) schemas.Pool {
	var p schemas.Pool
	said := map[string]bool{}
	addPositive := func(text, kind string) int16 {
		said[text] = true
		p.Positives = append(p.Positives, schemas.Positive{Text: text, Kind: kind, ID: scenegraph.TextID(text), Confidence: 1, Count: 1})
		return int16(len(p.Positives) - 1)
	}
	addNegative := func(text string, of int16, method, changed, category string) {
		if !said[text] {
			said[text] = true
			p.Negatives = append(p.Negatives, schemas.HardNegative{Text: text, Of: of, Method: method, Changed: changed, Category: category})
		}
	}
	caption := addPositive(s.text(), schemas.KindCaption)
	for _, t := range s.things {
		if t.attribute != "" && !said[t.phrase(s.form)] {
			addPositive(t.phrase(s.form), schemas.KindObject)
		}
	}
	if swapped, ok := s.swapAttributes(); ok && v.isFair(swapped) {
		addNegative(swapped.text(), caption, "swap_attributes", schemas.ChangedAttribute, schemas.CategoryAttribute)
	}
	part := caption
	for i, t := range s.things {
		for _, attribute := range chooseSome(r, v.otherAttributes(s, i, false), 1) {
			addNegative(s.replaceThing(i, t.withAttribute(attribute)).text(), caption, "replace_attribute", schemas.ChangedAttribute, schemas.CategoryAttribute)
		}
		kinds := v.otherKinds(s, i)
		for _, kind := range chooseSome(r, kinds, 1) {
			addNegative(s.replaceThing(i, t.withKind(kind)).text(), caption, "replace_object", schemas.ChangedObject, schemas.CategoryRelation)
		}
		if int(part)+1 == len(p.Positives) || p.Positives[part+1].Text != t.phrase(s.form) {
			continue
		}
		part++
		other := s.things[1-i]
		attributes := chooseSome(r, v.otherAttributes(s, i, true), 2)
		if other.family == t.family && v.combinations[t.withAttribute(other.attribute).combination] {
			attributes = append(attributes, other.attribute)
		}
		for _, attribute := range attributes {
			if t.withAttribute(attribute).combination != other.combination {
				addNegative(t.withAttribute(attribute).phrase(s.form), part, "replace_attribute", schemas.ChangedAttribute, schemas.CategoryAttribute)
			}
		}
		for _, kind := range chooseSome(r, kinds, 1) {
			addNegative(t.withKind(kind).phrase(s.form), part, "replace_object", schemas.ChangedObject, schemas.CategoryObject)
		}
	}
	return p
}
