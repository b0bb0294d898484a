// Package quality predicts how likely a reader calls a positive text good: true of its caption,
// whole, and English.
//
// The model is a logistic regression over hashed features of the text, of the parts of the graph
// that it says, and of the words around them in the caption. docs/positives.md describes how it was
// taught and how well it does.
package quality

import (
	"slices"

	"capgraph/internal/linear"
	"capgraph/negatives/grammar"
	"capgraph/scenegraph"
	"capgraph/schemas"
)

// Features is the scratch memory in which features are collected.
type Features struct {
	list  []uint32
	words []uint32 // hashes of the text's words in lower case
	sure  float32  // the product of the confidence of the parts
}

// kinds of texts, which all features are joined with.
const (
	object uint32 = iota
	relation
)

// Collect returns the features of a text that says a part of a caption's graph. They are valid
// until the next call.
func (f *Features) Collect(c *grammar.Caption, part scenegraph.SubGraph, text string) []uint32 {
	f.list, f.sure = f.list[:0], 1
	f.addText(text, part)
	f.addCaption(c)
	g := &c.Graph
	f.addObject(c, 1, &g.Objects[part.Subject], part.SubjectAttributes)
	if part.Relation == scenegraph.NoRelation {
		f.addAlone(c, part)
		f.add(80, level(f.sure))
		return f.list
	}
	f.addObject(c, 2, &g.Objects[part.Object], part.ObjectAttributes)
	f.addRelation(c, part)
	f.add(81, level(f.sure))
	return f.list
}

// level returns a probability in steps of a sixteenth.
func level(p float32) uint32 { return uint32(16 * p) }

func (f *Features) add(name, value uint32) { f.list = append(f.list, linear.Join(name, value)) }

// both joins two values in order.
func both(a, b uint32) uint32 { return linear.Blend(a, b) }

// addText adds the words of the text, one by one, in pairs, and its first ones.
func (f *Features) addText(text string, part scenegraph.SubGraph) {
	kind := object
	if part.Relation != scenegraph.NoRelation {
		kind = relation
	}
	f.words = f.words[:0]
	for i := 0; i < len(text); {
		for i < len(text) && text[i] == ' ' {
			i++
		}
		from := i
		for i < len(text) && text[i] != ' ' {
			i++
		}
		if from < i {
			f.words = append(f.words, hashLower(text[from:i]))
		}
	}
	before := uint32(1)
	for _, w := range f.words {
		f.add(1+kind, w)
		f.add(3, both(before, w))
		before = w
	}
	f.add(4, both(before, 1))
	f.add(5, kind<<8|uint32(min(len(f.words), 20)))
	if len(f.words) > 1 {
		f.add(6, both(f.words[0], f.words[1])<<1|kind)
	}
}

// addCaption adds what the caption looks like.
func (f *Features) addCaption(c *grammar.Caption) {
	words, capitals, digits, marks := 0, 0, 0, uint32(0)
	for i := range c.Tokens {
		t := &c.Tokens[i]
		w := c.Text[t.Begin:t.End]
		if w == "" {
			continue
		}
		switch b := w[0]; {
		case b >= 'A' && b <= 'Z':
			capitals++
			words++
		case b >= '0' && b <= '9':
			digits++
			words++
		case b >= 'a' && b <= 'z':
			words++
		default:
			for k, m := range []string{",", "-", "|", ":", ".", "(", "/", "&", "!", "?", "#", "\"", "–", "..."} {
				if w == m {
					marks |= 1 << k
					f.add(20, uint32(k))
				}
			}
		}
	}
	if words > 0 {
		f.add(21, uint32(8*capitals/words))
		f.add(22, uint32(min(digits, 3)))
	}
	f.add(23, uint32(min(len(c.Tokens), 40)/4))
	f.add(24, marks)
	if len(c.Tokens) > 0 {
		f.add(25, f.wordAt(c, 0))
		f.add(26, f.wordAt(c, len(c.Tokens)-1))
	}
}

// addObject adds an object, its attributes, and the words around them. slot is 1 of the subject and
// 2 of the object of a relation.
func (f *Features) addObject(c *grammar.Caption, slot uint32, o *schemas.Object, attributes uint64) {
	base := slot << 8
	head := linear.Hash(o.Head)
	first, last := tokensOf(c, o.Begin, o.End)
	f.add(base+28, level(o.Confidence))
	f.sure *= o.Confidence
	f.add(base+1, head)
	f.add(base+2, suffix(o.Head))
	if o.Quantity != "" {
		f.add(base+3, linear.Hash(o.Quantity))
	}
	said := 0
	for i := range o.Attributes {
		if i >= 64 || attributes>>i&1 == 0 {
			continue
		}
		said++
		a := &o.Attributes[i]
		f.add(base+29, level(a.Confidence))
		f.sure *= a.Confidence
		w := linear.Hash(a.Text)
		from, to := tokensOf(c, a.Begin, a.End)
		f.add(base+4, w)
		f.add(base+5, both(w, head))
		f.add(base+6, both(tagAt(c, to), uint32(len(a.Form))))
		f.add(base+7, both(tagAt(c, from-1), tagAt(c, to+1)))
		f.add(base+8, both(shapeAt(c, to), shapeAt(c, last)))
		f.add(base+9, suffix(a.Text))
		if from >= 0 && first >= 0 {
			f.add(base+10, uint32(max(-8, min(8, first-to))+8))
		}
	}
	f.add(base+11, uint32(said)<<4|uint32(min(15, len(o.Attributes))))
	if first < 0 {
		f.add(base+12, 0)
		return
	}
	f.add(base+13, tagAt(c, last))
	f.add(base+14, both(tagAt(c, first-1), both(tagAt(c, last), tagAt(c, last+1))))
	f.add(base+15, f.wordAt(c, first-1))
	f.add(base+16, f.wordAt(c, last+1))
	f.add(base+17, both(f.wordAt(c, first-1), head))
	f.add(base+18, both(head, f.wordAt(c, last+1)))
	f.add(base+19, both(shapeAt(c, first-1), both(shapeAt(c, last), shapeAt(c, last+1))))
	f.add(base+20, uint32(last-first)<<4|shapeAt(c, last))
	f.add(base+21, both(shapeAt(c, first), shapeAt(c, last)))
	f.add(base+22, uint32(min(first, 6))<<4|uint32(min(len(c.Tokens)-1-last, 6)))
	f.add(base+23, both(f.wordAt(c, first-2), f.wordAt(c, first-1)))
	f.add(base+24, both(f.wordAt(c, last+1), f.wordAt(c, last+2)))
	if len(f.words) > 0 && slot == 1 {
		f.add(base+25, both(f.words[0], both(tagAt(c, last), shapeAt(c, last))))
		f.add(base+26, both(f.words[0], head))
		f.add(base+27, both(f.words[0], tagAt(c, first-1)))
	}
}

// addAlone adds the relations of the caption that a text of one object leaves out.
func (f *Features) addAlone(c *grammar.Caption, part scenegraph.SubGraph) {
	for i := range c.Graph.Relations {
		r := &c.Graph.Relations[i]
		switch part.Subject {
		case r.Subject:
			f.add(50, linear.Hash(r.Lemma))
		case r.Object:
			f.add(51, linear.Hash(r.Lemma))
		}
	}
	f.add(52, uint32(min(len(c.Graph.Objects), 12)))
}

// addRelation adds the relation with its objects, and the words between.
func (f *Features) addRelation(c *grammar.Caption, part scenegraph.SubGraph) {
	r := &c.Graph.Relations[part.Relation]
	s, o := &c.Graph.Objects[part.Subject], &c.Graph.Objects[part.Object]
	h := linear.Hash(r.Predicate)
	f.add(82, level(r.Confidence))
	f.sure *= r.Confidence
	f.add(60, h)
	f.add(61, both(h, linear.Hash(s.Head)))
	f.add(62, both(h, linear.Hash(o.Head)))
	f.add(63, both(linear.Hash(s.Head), linear.Hash(o.Head)))
	first, last := tokensOf(c, r.Begin, r.End)
	_, subject := tokensOf(c, s.Begin, s.End)
	to, _ := tokensOf(c, o.Begin, o.End)
	gap := func(from, to int) uint32 { return uint32(max(-6, min(10, to-from)) + 6) }
	f.add(64, gap(subject, to))
	if first < 0 {
		f.add(65, h)
		return
	}
	f.add(66, both(gap(subject, first), gap(last, to)))
	f.add(67, both(h, both(gap(subject, first), gap(last, to))))
	f.add(68, both(tagAt(c, first), tagAt(c, last)))
	f.add(69, both(tagAt(c, first-1), tagAt(c, last+1)))
	f.add(70, both(f.wordAt(c, first-1), h))
	f.add(71, both(h, f.wordAt(c, last+1)))
	for i := max(subject+1, 0); i < to && i < subject+12; i++ {
		if i < first || i > last {
			f.add(72, f.wordAt(c, i))
			f.add(73, both(h, tagAt(c, i)))
		}
	}
}

// tokensOf returns the first and the last token that bytes [begin, end) of the caption touch, or -1
// twice.
func tokensOf(c *grammar.Caption, begin, end int32) (first, last int) {
	if begin == schemas.NoOffset {
		return -1, -1
	}
	first, _ = slices.BinarySearchFunc(c.Tokens, begin, func(t schemas.Token, at int32) int { return int(t.End - 1 - at) })
	for last = first; last < len(c.Tokens) && c.Tokens[last].Begin < end; last++ {
	}
	if first >= last {
		return -1, -1
	}
	return first, last - 1
}

// wordAt returns the hash of token i in lower case, and a constant beyond the caption.
func (f *Features) wordAt(c *grammar.Caption, i int) uint32 {
	if i < 0 || i >= len(c.Tokens) {
		return 7
	}
	return hashLower(c.Text[c.Tokens[i].Begin:c.Tokens[i].End])
}

func tagAt(c *grammar.Caption, i int) uint32 {
	if i < 0 || i >= len(c.Tokens) {
		return 7
	}
	return linear.Hash(c.Tokens[i].Tag)
}

// shapeAt returns what token i is made of.
func shapeAt(c *grammar.Caption, i int) uint32 {
	if i < 0 || i >= len(c.Tokens) || c.Tokens[i].Begin == c.Tokens[i].End {
		return 0
	}
	w := c.Text[c.Tokens[i].Begin:c.Tokens[i].End]
	upper, lower, digit := 0, 0, 0
	for k := range len(w) {
		switch b := w[k]; {
		case b >= 'A' && b <= 'Z':
			upper++
		case b >= 'a' && b <= 'z':
			lower++
		case b >= '0' && b <= '9':
			digit++
		}
	}
	switch {
	case digit == len(w):
		return 1
	case digit > 0:
		return 2
	case upper == len(w) && upper > 1:
		return 3
	case w[0] >= 'A' && w[0] <= 'Z':
		return 4
	case lower == len(w):
		return 5
	case upper+lower > 0:
		return 6
	}
	return 8
}

// suffix returns the hash of the last three bytes of a word.
func suffix(w string) uint32 { return linear.Hash(w[max(0, len(w)-3):]) }

// hashLower returns the hash of w with ASCII letters in lower case.
func hashLower(w string) uint32 {
	h := uint32(2166136261)
	for i := range len(w) {
		b := w[i]
		if b >= 'A' && b <= 'Z' {
			b += 'a' - 'A'
		}
		h = (h ^ uint32(b)) * 16777619
	}
	return linear.Mix(h)
}
