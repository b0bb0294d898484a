package whole

import (
	"capgraph/negatives/say"
	"capgraph/negatives/words"
)

// Change compares texts by an author with their caption. It can be reused for one caption after
// another. It is not safe for concurrent use.
type Change struct {
	// Difference has the statements in which caption and text differ, after Check.
	Difference
	// Before are the statements of the caption.
	Before Statements

	revision revision
	after    Statements
}

// Begin sets the caption.
func (c *Change) Begin(w *words.Cache, caption string, reader Reader) {
	c.revision.begin(caption, reader)
	c.Before.read(w, &c.revision.before.Graph)
}

// Read sets the text to compare with the caption. It returns false if the text is not a caption.
func (c *Change) Read(text string, reader Reader) bool { return c.revision.revise(text, reader) }

// Text returns the text that Read was given, in the spelling of the caption and with its final
// punctuation.
func (c *Change) Text() string { return c.revision.text + c.revision.end }

// Verdict is the result of Check.
type Verdict uint8

const (
	Fits        Verdict = iota // the text makes the change that was asked for, and no other
	SameText                   // the text is the caption
	SameMeaning                // the text means the same as the caption
	OtherChange                // the text changes something else
	BadGrammar                 // the text has a wrong article or a repeated word
)

// Check reports whether the text makes one change of a type and no other, or else what is wrong
// with it.
func (c *Change) Check(w *words.Cache, kind string) Verdict {
	r := &c.revision
	c.after.read(w, &r.after.Graph)
	c.Difference.read(&c.Before, &c.after)
	switch {
	case r.countChanges() == 0:
		return SameText
	case r.hasSameOrder(), c.isEmpty() && r.hasSameWords():
		return SameMeaning
	case !c.changesOnly(kind, w, r, &c.Before):
		return OtherChange
	case !r.articlesFit(), say.Doubled([]byte(r.text)):
		return BadGrammar
	}
	return Fits
}
