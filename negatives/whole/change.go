package whole

import (
	"capgraph/negatives/say"
	"capgraph/negatives/words"
)

// Change compares an author's texts with a caption. One may be used for one caption after the
// other; it is not safe for concurrent use.
type Change struct {
	// Difference has the differing statements of caption and text, after Check.
	Difference
	// Before are the statements of the caption.
	Before Statements

	revision revision
	after    Statements
}

// Begin reads a caption.
func (c *Change) Begin(w *words.Cache, caption string, reader Reader) {
	c.revision.begin(caption, reader)
	c.Before.read(w, &c.revision.before.Graph)
}

// Read reads a text that was written for the caption. It is false if the text is no caption.
func (c *Change) Read(text string, reader Reader) bool { return c.revision.revise(text, reader) }

// Text returns the text that Read has read, in the spelling of the caption and with its end.
func (c *Change) Text() string { return c.revision.text + c.revision.end }

// Verdict is the result of Check.
type Verdict uint8

const (
	Fits        Verdict = iota // the text makes the one change that it was asked to
	SameText                   // it is the caption
	SameMeaning                // it says the same in other words
	OtherChange                // it changes something else
	BadGrammar                 // it has no good wording
)

// Check reports whether the text that was read changes the caption by a type and in nothing else, and
// otherwise why it does not.
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
