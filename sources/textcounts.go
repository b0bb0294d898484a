package sources

import (
	"maps"
	"slices"
	"strings"

	"capgraph/clean"
	"capgraph/clean/language"
)

// TextCounts says what the captions of the first rows look like.
type TextCounts struct {
	// Captions is how many there are.
	Captions int
	// LinesEach and LinesOne are how many texts of several lines were read as a caption a line, and as
	// one caption.
	LinesEach, LinesOne int
	// Parted is how many captions have parts that are divided as captions in a cell are.
	Parted int
	// Tags is how many are lists of tags, and Foreign how many are not English. Bare is how many have
	// several words, and none such as a, of or is.
	Tags, Foreign, Bare int
	// Unread is the extension of texts beside the captions that are not read.
	Unread string

	texts     int // beside images, or in cells
	sentences int // of LinesEach, those whose lines are sentences
	// parts counts texts by the number of captions that they are divided into, or may be; last are the
	// last ones of these, by which the name of a site behind a title is known.
	parts map[int]int
	last  map[string]bool
	image string // the last row's
}

// addRow counts the caption of a row.
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

// leastBareWords is the fewest words of a caption that is more than a name.
const leastBareWords = 4

// isBare reports whether a caption has several words, and none such as a, of or is, nor a sign between them:
// "dog beach ball sand".
func isBare(caption string) bool {
	words := strings.Fields(caption)
	return len(words) >= leastBareWords && !strings.ContainsAny(caption, ".,;:!?|") && !slices.ContainsFunc(words, func(w string) bool {
		return slices.ContainsFunc(functionWords, func(f string) bool { return strings.EqualFold(w, f) })
	})
}

// addText counts how the text of a caption is divided.
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
	parts, captions := dividedCell(row.Caption)
	if len(parts) > 1 {
		c.Parted++
	}
	if captions {
		c.parts[len(parts)]++
		c.last[parts[len(parts)-1]] = true
	}
}

// mostAlike returns how many texts have the number of parts that most have.
func (c *TextCounts) mostAlike() int {
	return slices.Max(append(slices.Collect(maps.Values(c.parts)), 0))
}

// chooseLines returns how all texts of several lines are read. The lines are captions of their own if
// they look so in most texts, and either the texts have as many lines as each other, or the lines are
// no sentences, which may belong together.
func (c *TextCounts) chooseLines() string {
	switch {
	case c.LinesEach+c.LinesOne == 0:
		return LinesAuto
	case c.LinesEach > 4*c.LinesOne && (2*c.mostAlike() >= c.texts || 2*c.sentences < c.LinesEach):
		return LinesEach
	}
	return LinesOne
}

// leastAlike is the share of cells with the same number of parts from which on the parts are captions.
const leastAlike = 0.9

// haveCaptionsInParts reports whether the parts of cells are captions of their own: nearly all cells have
// as many, each of several words, and the last is not the same in many.
func (c *TextCounts) haveCaptionsInParts() bool {
	n := c.mostAlike()
	return c.texts > 1 && c.Parted > 0 && float64(n) >= leastAlike*float64(c.texts) && 2*len(c.last) > n
}
