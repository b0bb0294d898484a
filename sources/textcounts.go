package sources

import (
	"capgraph/clean"
	"capgraph/clean/language"
)

// TextCounts says what the captions of the first rows look like.
type TextCounts struct {
	// Captions is how many there are.
	Captions int
	// LinesEach and LinesOne are how many are of texts of several lines that were read as a caption a
	// line, and as one caption.
	LinesEach, LinesOne int
	// Tags is how many are lists of tags, and Foreign how many are not English.
	Tags, Foreign int
	// Unread is the extension of texts beside the captions that are not read.
	Unread string
}

// addRow counts the caption of a row.
func (c *TextCounts) addRow(row *Row) {
	c.Captions++
	switch row.lines {
	case LinesEach:
		c.LinesEach++
	case LinesOne:
		c.LinesOne++
	}
	if row.unread != "" {
		c.Unread = row.unread
	}
	if clean.IsTagList(row.Caption) {
		c.Tags++
	}
	if !language.IsEnglish(row.Caption) {
		c.Foreign++
	}
}
