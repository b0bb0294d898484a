package sources

import (
	"maps"
	"slices"
	"strings"

	"capgraph/clean"
	"capgraph/clean/language"
)

// TextCounts describes the captions in the first rows.
type TextCounts struct {
	// Captions is their number.
	Captions int
	// LinesEach and LinesOne count the texts of several lines that were read as one caption per line,
	// and as one caption.
	LinesEach, LinesOne int
	// Parted counts captions with parts that are separated as several captions in a cell are.
	Parted int
	// Tags counts captions that are lists of tags, Foreign those that are not English, and Bare those
	// of several words without one such as a, of or is.
	Tags, Foreign, Bare int
	// Unread is the extension of text files beside the captions that are not read.
	Unread string

	texts     int // beside images or in cells
	sentences int // of LinesEach, the texts whose lines are sentences
	// parts maps a number of captions to the number of texts that are, or may be, split into so many.
	// last is the set of the last parts. If it is small, the last part is often the name of a web
	// site.
	parts map[int]int
	last  map[string]bool
	image string // the last row's
}

// addRow adds the caption of a row to the counts.
func (c *TextCounts) addRow(row *Row) {
	c.Captions++
	if row.ImageKey != c.image || row.lines == "" {
		c.addText(row)
	}
	c.image = row.ImageKey
	if row.unread != "" {
		c.Unread = row.unread
	}
	if clean.IsTagList(row.Caption) {
		c.Tags++
	} else if isBare(row.Caption) {
		c.Bare++
	}
	if !language.IsEnglish(row.Caption) {
		c.Foreign++
	}
}

// leastBareWords is the fewest words of a caption that is not just a name.
const leastBareWords = 4

// isBare reports whether a caption has several words but neither function words such as a, of or is nor
// punctuation between words: "dog beach ball sand".
func isBare(caption string) bool {
	words := strings.Fields(caption)
	return len(words) >= leastBareWords && !strings.ContainsAny(caption, ".,;:!?|") && !slices.ContainsFunc(words, func(w string) bool {
		return slices.ContainsFunc(functionWords, func(f string) bool { return strings.EqualFold(w, f) })
	})
}

// addText adds how the text of a caption is split to the counts.
func (c *TextCounts) addText(row *Row) {
	if c.parts == nil {
		c.parts, c.last = map[int]int{}, map[string]bool{}
	}
	c.texts++
	switch row.lines {
	case LinesEach:
		c.LinesEach++
		c.parts[row.parts]++
		if row.sentences {
			c.sentences++
		}
		return
	case LinesOne:
		c.LinesOne++
		return
	}
	if clean.IsTagList(row.Caption) {
		return
	}
	parts, captions := splitCell(row.Caption)
	if len(parts) > 1 {
		c.Parted++
	}
	if captions {
		c.parts[len(parts)]++
		c.last[parts[len(parts)-1]] = true
	}
}

// mostAlike returns how many texts have the most frequent number of parts.
func (c *TextCounts) mostAlike() int {
	return slices.Max(append(slices.Collect(maps.Values(c.parts)), 0))
}

// chooseLines returns how all texts of several lines are to be read. Lines are captions of their own
// if they look so in most texts, and if either all texts have the same number of lines or the lines
// are not sentences, which may belong together.
func (c *TextCounts) chooseLines() string {
	switch {
	case c.LinesEach+c.LinesOne == 0:
		return LinesAuto
	case c.LinesEach > 4*c.LinesOne && (2*c.mostAlike() >= c.texts || 2*c.sentences < c.LinesEach):
		return LinesEach
	}
	return LinesOne
}

// leastAlike is the least share of cells with the same number of parts for the parts to be captions.
const leastAlike = 0.9

// haveCaptionsInParts reports whether the parts of cells are captions: nearly all cells have the same
// number of parts, each part has several words, and the last part is seldom the same.
func (c *TextCounts) haveCaptionsInParts() bool {
	n := c.mostAlike()
	return c.texts > 1 && c.Parted > 0 && float64(n) >= leastAlike*float64(c.texts) && 2*len(c.last) > n
}
