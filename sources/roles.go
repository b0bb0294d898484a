package sources

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf8"
)

// cellKind says what a cell can be used for.
type cellKind int

const (
	otherCell  cellKind = iota // carried only
	numberCell                 // a whole number: an id
	textCell                   // a caption, a path, an id
)

// cell is the value of a column in one row. bytes is set for text in a column of bytes, single for
// a number of 32 bits.
type cell struct {
	Kept
	kind          cellKind
	bytes, single bool
}

// keptValue returns the value as it is carried: bytes that are not text in base64.
func (c cell) keptValue() Kept {
	if c.bytes && !utf8.ValidString(c.Text) {
		c.Text = base64.StdEncoding.EncodeToString([]byte(c.Text))
	}
	return c.Kept
}

// columnRoles says which columns play which role, in a format whose columns have any names. An
// empty name means that no column does.
type columnRoles struct {
	caption, image, key, imageKey string
	// guessImage is set if the image may be in one of imageColumns.
	guessImage bool
	// published is set if the caption and the image may be in the columns of publishedCorpora.
	published bool
	// readSame is set if sameImageColumns are read.
	readSame bool
	keep     []string
	where    []condition
}

// imageColumns are the columns that may hold the image if none is named; the first that exists is
// used.
var imageColumns = []string{"image", "url"}

// sameImageColumns are columns that identify an image, whichever column plays the role of the
// image.
var sameImageColumns = []string{"url", "sha256", "uid"}

func (in *input) newRoles() columnRoles {
	image := in.opts.columnOf(Image, "")
	return columnRoles{
		caption:    in.opts.columnOf(Caption, Caption),
		image:      image,
		key:        in.opts.columnOf(Key, ""),
		imageKey:   in.opts.columnOf(ImageKey, ""),
		guessImage: image == "",
		// Who names columns knows them.
		published: in.opts.columnOf(Caption, "") == "",
		readSame:  true,
		keep:      in.opts.Keep,
		where:     in.where,
	}
}

// columnRole is a column to read, its role, if any, and whether it is required.
type columnRole struct {
	name, role string
	required   bool
}

// allColumns lists the columns to read, each once.
func (r columnRoles) allColumns() []columnRole {
	all := []columnRole{{r.caption, Caption, !r.published}, {r.image, Image, true}, {r.key, Key, true}, {r.imageKey, ImageKey, true}}
	for _, w := range r.where {
		all = append(all, columnRole{w.name, "", true})
	}
	for _, name := range r.keep {
		all = append(all, columnRole{name, "", true})
	}
	var may []string
	if r.guessImage {
		may = append(may, imageColumns...)
	}
	if r.readSame {
		may = append(may, sameImageColumns...)
	}
	if r.published {
		may = append(may, allPublishedColumns()...)
	}
	for _, name := range may {
		all = append(all, columnRole{name, "", false})
	}
	var once []columnRole
	for _, c := range all {
		if c.name != "" && !slices.ContainsFunc(once, func(o columnRole) bool { return o.name == c.name }) {
			once = append(once, c)
		}
	}
	return once
}

// fillRow sets row from its cells.
func (r columnRoles) fillRow(row *Row, get func(column string) cell) {
	c, from := r.captionOf(get)
	if c.kind == textCell {
		row.Caption = c.Text
	}
	row.Image = r.imageOf(row, get, from.image)
	if r.key != "" {
		row.Key = idOrReject(row, get(r.key), r.key, RejectMissingKey)
	}
	if r.imageKey != "" {
		row.ImageKey = idOrReject(row, get(r.imageKey), r.imageKey, RejectMissingImage)
	}
	if r.readSame {
		for _, name := range sameImageColumns {
			if c := get(name); c.kind != otherCell && c.String() != "" {
				row.addSame(c.String())
			}
		}
	}
	for _, w := range r.where {
		w.checkRow(row, get(w.name))
	}
	switch {
	case row.Reject != "":
	case c.Null:
		row.reject(RejectMissingCaption, "%s is missing or null", r.caption)
	case c.kind != textCell:
		row.reject(RejectWrongType, "%s is no text: %s", r.caption, clip(c.String(), maxDetail/2))
	}
	for _, name := range r.keep {
		row.Keep = append(row.Keep, get(name).keptValue())
	}
}

// captionOf returns the caption, null if there is none, and the published corpus whose columns it
// was found in.
func (r columnRoles) captionOf(get func(column string) cell) (cell, publishedCorpus) {
	c := get(r.caption)
	if !r.published || !c.Null {
		return c, publishedCorpus{}
	}
	for _, p := range publishedCorpora {
		if c := p.joinCaptions(get); !c.Null || !get(p.image).Null {
			return c, p
		}
	}
	return c, publishedCorpus{}
}

// imageOf returns the image. published is the image column of a published corpus.
func (r columnRoles) imageOf(row *Row, get func(column string) cell, published string) string {
	if r.image != "" {
		return idOrReject(row, get(r.image), r.image, RejectMissingImage)
	}
	if !r.guessImage {
		return ""
	}
	for _, name := range append(slices.Clone(imageColumns), published) {
		if c := get(name); !c.Null && c.kind != otherCell && len(c.Text) <= MaxName {
			return c.String()
		}
	}
	return ""
}

// idOrReject returns a cell that identifies a row or an image: text or a whole number. It rejects
// row if the cell is neither.
func idOrReject(row *Row, c cell, name, missing string) string {
	switch {
	case row.Reject != "":
	case c.Null || c.kind == textCell && c.Text == "":
		row.reject(missing, "%s is missing, null or empty", name)
	case c.kind == otherCell:
		row.reject(RejectWrongType, "%s is neither text nor a whole number: %s", name, clip(c.String(), maxDetail/2))
	}
	if c.kind == otherCell {
		return ""
	}
	return c.String()
}

// publishedCorpus names the columns of a published corpus: those that make the caption, one after
// another, and that of the image.
type publishedCorpus struct {
	captions []string
	image    string
}

// publishedCorpora are tried if no column plays the caption and none is called so. The first one of
// which a row has a caption is used.
var publishedCorpora = []publishedCorpus{
	{[]string{"TEXT"}, "URL"},                                     // LAION-400M, LAION-2B, LAION-COCO
	{[]string{"title_clean", "description_clean"}, "downloadurl"}, // YFCC-15M, OpenAI's subset of YFCC100M
}

// allPublishedColumns returns the columns of all published corpora.
func allPublishedColumns() (names []string) {
	for _, p := range publishedCorpora {
		names = append(append(names, p.captions...), p.image)
	}
	return names
}

// joinCaptions joins the texts of a row. The result is null if there are none. A cell that is not
// text is returned as it is.
func (p publishedCorpus) joinCaptions(get func(column string) cell) cell {
	joined := ""
	for _, name := range p.captions {
		c := get(name)
		if !c.Null && c.kind != textCell {
			return c
		}
		said := strings.TrimSpace(c.Text)
		if joined != "" && said != "" {
			if !strings.ContainsAny(joined[len(joined)-1:], ".!?") {
				joined += "."
			}
			joined += " "
		}
		joined += said
	}
	return cell{Kept: Kept{Text: joined, Null: joined == ""}, kind: textCell}
}
