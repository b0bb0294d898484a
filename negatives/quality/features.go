// Package quality predicts how likely a reader calls a positive text good: true of its caption,
// whole, and English.
//
// The model is a logistic regression over hashed features of the text, of the parts of the graph
// that it says, and of the words around them in the caption. docs/negatives.md describes how it was
// taught and how well it does.
package quality

import (
	"slices"

	"capgraph/internal/linear"
	"capgraph/negatives/grammar"
	"capgraph/scenegraph"
	"capgraph/schemas"
)

// Features collects the features of a text. It reuses its memory.
type Features struct {
	list    []uint32
	caption []uint32 // of the caption
	words   []uint32 // hashes of the text's words in lower case
	sure    float32  // the product of the confidences of the parts
	read    float64  // the mean quality of the text's tokens; 0 if no encoder read the caption
	said    []bool   // for each token of the caption, whether the text has it
	long    bool     // whether the caption is long
}

// The kinds of texts. Each feature is hashed with one of them.
const (
	object uint32 = iota
	relation
)

// ReadCaption sets the caption of the texts that are collected next.
func (f *Features) ReadCaption(c *grammar.Caption) {
	f.list, f.long = f.list[:0], grammar.IsLong(c)
	f.addCaption(c)
	f.caption = append(f.caption[:0], f.list...)
}

// Collect returns the features of a text that states a sub-graph of the current caption. They are valid until the next
// call.
func (f *Features) Collect(c *grammar.Caption, part scenegraph.SubGraph, text string) []uint32 {
	f.list, f.sure = f.list[:0], 1
	f.readTokens(c, part)
	f.addText(text, part)
	f.list = append(f.list, f.caption...)
	g := &c.Graph
	f.addObject(c, 1, &g.Objects[part.Subject], part.SubjectAttributes)
	if part.Relation == scenegraph.NoRelation {
		f.addAlone(c, part)
		f.addFeature(80, toLevel(f.sure))
		return f.list
	}
	f.addObject(c, 2, &g.Objects[part.Object], part.ObjectAttributes)
	f.addRelation(c, part)
	f.addFeature(81, toLevel(f.sure))
	return f.list
}

// maxRead limits how much the encoder adds to the log-odds of a text.
const maxRead = 8

// readTokens sets f.read.
func (f *Features) readTokens(c *grammar.Caption, part scenegraph.SubGraph) {
	f.said = schemas.Resize(f.said, len(c.Tokens))
	clear(f.said)
	f.markObject(c, &c.Graph.Objects[part.Subject], part.SubjectAttributes)
	if part.Relation != scenegraph.NoRelation {
		f.markObject(c, &c.Graph.Objects[part.Object], part.ObjectAttributes)
		r := &c.Graph.Relations[part.Relation]
		f.markTokens(c, r.Begin, r.End)
	}
	sum, n := 0.0, 0
	for i, said := range f.said {
		if said {
			sum += float64(c.Tokens[i].Quality)
			n++
		}
	}
	if f.read = max(-maxRead, min(maxRead, sum/float64(max(n, 1)))); f.read != f.read {
		f.read = 0 // the graph's numbers are damaged
	}
}

func (f *Features) markObject(c *grammar.Caption, o *schemas.Object, attributes uint64) {
	f.markTokens(c, o.Begin, o.End)
	for i := range o.Attributes {
		if i < 64 && attributes>>i&1 == 1 {
			f.markTokens(c, o.Attributes[i].Begin, o.Attributes[i].End)
		}
	}
}

// markTokens marks the tokens that overlap bytes [begin, end) of the caption.
func (f *Features) markTokens(c *grammar.Caption, begin, end int32) {
	first, last := tokensOf(c, begin, end)
	for i := first; i <= last && i >= 0; i++ {
		f.said[i] = true
	}
}

// Said reports, for each token of the caption, whether the text of the last call of Collect has it.
func (f *Features) Said() []bool { return f.said }

// toLevel returns a probability in sixteenths.
func toLevel(p float32) uint32 { return uint32(16 * p) }

func (f *Features) addFeature(name, value uint32) { f.list = append(f.list, linear.Join(name, value)) }

// hashPair returns a hash of two values in order.
func hashPair(a, b uint32) uint32 { return linear.Blend(a, b) }

// addText adds features of the text: its words, pairs of words, and its first words.
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
		f.addFeature(1+kind, w)
		f.addFeature(3, hashPair(before, w))
		before = w
	}
	f.addFeature(4, hashPair(before, 1))
	f.addFeature(5, kind<<8|uint32(min(len(f.words), 20)))
	if len(f.words) > 1 {
		f.addFeature(6, hashPair(f.words[0], f.words[1])<<1|kind)
	}
}

// addCaption adds features of the form of the caption.
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
					f.addFeature(20, uint32(k))
				}
			}
		}
	}
	if words > 0 {
		f.addFeature(21, uint32(8*capitals/words))
		f.addFeature(22, uint32(min(digits, 3)))
	}
	f.addFeature(23, uint32(min(len(c.Tokens), 40)/4))
	f.addFeature(24, marks)
	if len(c.Tokens) > 0 {
		f.addFeature(25, f.wordAt(c, 0))
		f.addFeature(26, f.wordAt(c, len(c.Tokens)-1))
	}
}

// addObject adds features of an object, its attributes, and the words around them. slot is 1 for a subject and 2 for
// the object of a relation.
func (f *Features) addObject(c *grammar.Caption, slot uint32, o *schemas.Object, attributes uint64) {
	base := slot << 8
	head := linear.Hash(o.Head)
	first, last := tokensOf(c, o.Begin, o.End)
	f.addFeature(base+28, toLevel(o.Confidence))
	f.sure *= o.Confidence
	f.addFeature(base+1, head)
	f.addFeature(base+2, hashSuffix(o.Head))
	if o.Quantity != "" {
		f.addFeature(base+3, linear.Hash(o.Quantity))
	}
	said := 0
	for i := range o.Attributes {
		if i >= 64 || attributes>>i&1 == 0 {
			continue
		}
		said++
		a := &o.Attributes[i]
		f.addFeature(base+29, toLevel(a.Confidence))
		f.sure *= a.Confidence
		w := linear.Hash(a.Text)
		from, to := tokensOf(c, a.Begin, a.End)
		f.addFeature(base+4, w)
		f.addFeature(base+5, hashPair(w, head))
		f.addFeature(base+6, hashPair(tagAt(c, to), uint32(len(a.Form))))
		f.addFeature(base+7, hashPair(tagAt(c, from-1), tagAt(c, to+1)))
		f.addFeature(base+8, hashPair(shapeAt(c, to), shapeAt(c, last)))
		f.addFeature(base+9, hashSuffix(a.Text))
		if from >= 0 && first >= 0 {
			f.addFeature(base+10, uint32(max(-8, min(8, first-to))+8))
		}
	}
	f.addFeature(base+11, uint32(said)<<4|uint32(min(15, len(o.Attributes))))
	if first < 0 {
		f.addFeature(base+12, 0)
		return
	}
	f.addFeature(base+13, tagAt(c, last))
	f.addFeature(base+14, hashPair(tagAt(c, first-1), hashPair(tagAt(c, last), tagAt(c, last+1))))
	f.addFeature(base+15, f.wordAt(c, first-1))
	f.addFeature(base+16, f.wordAt(c, last+1))
	f.addFeature(base+17, hashPair(f.wordAt(c, first-1), head))
	f.addFeature(base+18, hashPair(head, f.wordAt(c, last+1)))
	f.addFeature(base+19, hashPair(shapeAt(c, first-1), hashPair(shapeAt(c, last), shapeAt(c, last+1))))
	f.addFeature(base+20, uint32(last-first)<<4|shapeAt(c, last))
	f.addFeature(base+21, hashPair(shapeAt(c, first), shapeAt(c, last)))
	f.addFeature(base+22, uint32(min(first, 6))<<4|uint32(min(len(c.Tokens)-1-last, 6)))
	f.addFeature(base+23, hashPair(f.wordAt(c, first-2), f.wordAt(c, first-1)))
	f.addFeature(base+24, hashPair(f.wordAt(c, last+1), f.wordAt(c, last+2)))
	if len(f.words) > 0 && slot == 1 {
		f.addFeature(base+25, hashPair(f.words[0], hashPair(tagAt(c, last), shapeAt(c, last))))
		f.addFeature(base+26, hashPair(f.words[0], head))
		f.addFeature(base+27, hashPair(f.words[0], tagAt(c, first-1)))
	}
}

// addAlone adds features of the relations of the caption that a text of one object omits.
func (f *Features) addAlone(c *grammar.Caption, part scenegraph.SubGraph) {
	for i := range c.Graph.Relations {
		r := &c.Graph.Relations[i]
		switch part.Subject {
		case r.Subject:
			f.addFeature(50, linear.Hash(r.Lemma))
		case r.Object:
			f.addFeature(51, linear.Hash(r.Lemma))
		}
	}
	f.addFeature(52, uint32(min(len(c.Graph.Objects), 12)))
}

// addRelation adds features of the relation, its objects and the words between them.
func (f *Features) addRelation(c *grammar.Caption, part scenegraph.SubGraph) {
	r := &c.Graph.Relations[part.Relation]
	s, o := &c.Graph.Objects[part.Subject], &c.Graph.Objects[part.Object]
	h := linear.Hash(r.Predicate)
	f.addFeature(82, toLevel(r.Confidence))
	f.sure *= r.Confidence
	f.addFeature(60, h)
	f.addFeature(61, hashPair(h, linear.Hash(s.Head)))
	f.addFeature(62, hashPair(h, linear.Hash(o.Head)))
	f.addFeature(63, hashPair(linear.Hash(s.Head), linear.Hash(o.Head)))
	first, last := tokensOf(c, r.Begin, r.End)
	_, subject := tokensOf(c, s.Begin, s.End)
	to, _ := tokensOf(c, o.Begin, o.End)
	gap := func(from, to int) uint32 { return uint32(max(-6, min(10, to-from)) + 6) }
	f.addFeature(64, gap(subject, to))
	if first < 0 {
		f.addFeature(65, h)
		return
	}
	f.addFeature(66, hashPair(gap(subject, first), gap(last, to)))
	f.addFeature(67, hashPair(h, hashPair(gap(subject, first), gap(last, to))))
	f.addFeature(68, hashPair(tagAt(c, first), tagAt(c, last)))
	f.addFeature(69, hashPair(tagAt(c, first-1), tagAt(c, last+1)))
	f.addFeature(70, hashPair(f.wordAt(c, first-1), h))
	f.addFeature(71, hashPair(h, f.wordAt(c, last+1)))
	for i := max(subject+1, 0); i < to && i < subject+12; i++ {
		if i < first || i > last {
			f.addFeature(72, f.wordAt(c, i))
			f.addFeature(73, hashPair(h, tagAt(c, i)))
		}
	}
}

// tokensOf returns the first and the last token that overlap bytes [begin, end) of the caption, or -1 and -1.
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

// wordAt returns the hash of token i in lower case, or a constant if there is no such token.
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

// shapeAt returns which kinds of characters token i has.
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

// hashSuffix returns the hash of the last three bytes of a word.
func hashSuffix(w string) uint32 { return linear.Hash(w[max(0, len(w)-3):]) }

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
