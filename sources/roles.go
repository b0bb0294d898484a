package sources

import (
	"encoding/base64"
	"slices"
	"unicode/utf8"
)

// cellKind is what a cell can be used for.
type cellKind int

const (
	otherCell  cellKind = iota // carried only
	numberCell                 // a whole number: an id
	textCell                   // a caption, a path, an id
)

// cell is the value of a column in one row. A text in bytes is declared to be
// bytes; a single number has 32 bits in the file.
type cell struct {
	Kept
	kind          cellKind
	bytes, single bool
}

// carried is the value as it is kept: bytes that are no text in base64.
func (c cell) carried() Kept {
	if c.bytes && !utf8.ValidString(c.Text) {
		c.Text = base64.StdEncoding.EncodeToString([]byte(c.Text))
	}
	return c.Kept
}

// roles says which columns play which role in a format whose columns have any
// names. An empty name is played by none.
type roles struct {
	caption, image, key, imageKey string
	// guess says that the image may be in one of guessedImages.
	guess bool
	// published says that the caption, and with it the image, may be in one of
	// publishedColumns.
	published bool
	// same says that sameImages are read where they are there.
	same  bool
	keep  []string
	where []condition
}

// guessedImages are the columns that are taken for the image where none is
// named, the first that is there.
var guessedImages = []string{"image", "url"}

// sameImages are the columns that say, where they are there, which image it is,
// whatever plays the role of the image.
var sameImages = []string{"url", "sha256", "uid"}

func (in *input) roles() roles {
	image := in.opts.column(Image, "")
	return roles{
		caption:  in.opts.column(Caption, Caption),
		image:    image,
		key:      in.opts.column(Key, ""),
		imageKey: in.opts.column(ImageKey, ""),
		guess:    image == "",
		// Who names columns knows them.
		published: in.opts.column(Caption, "") == "",
		same:      true,
		keep:      in.opts.Keep,
		where:     in.where,
	}
}

// columnRole is a column that is asked for, the role that it plays or none, and
// whether it must be there.
type columnRole struct {
	name, role string
	must       bool
}

// columns lists the columns that are asked for, each once.
func (r roles) columns() []columnRole {
	all := []columnRole{{r.caption, Caption, !r.published}, {r.image, Image, true}, {r.key, Key, true}, {r.imageKey, ImageKey, true}}
	for _, w := range r.where {
		all = append(all, columnRole{w.name, "", true})
	}
	for _, name := range r.keep {
		all = append(all, columnRole{name, "", true})
	}
	var may []string
	if r.guess {
		may = append(may, guessedImages...)
	}
	if r.same {
		may = append(may, sameImages...)
	}
	if r.published {
		may = append(may, allPublished()...)
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

// fill sets row from its cells.
func (r roles) fill(row *Row, get func(column string) cell) {
	c, from := r.captionOf(get)
	if c.kind == textCell {
		row.Caption = c.Text
	}
	row.Image = r.imageOf(row, get, from.image)
	if r.key != "" {
		row.Key = id(row, get(r.key), r.key, RejectMissingKey)
	}
	if r.imageKey != "" {
		row.ImageKey = id(row, get(r.imageKey), r.imageKey, RejectMissingImage)
	}
	if r.same {
		for _, name := range sameImages {
			if c := get(name); c.kind != otherCell && c.String() != "" {
				row.same(c.String())
			}
		}
	}
	for _, w := range r.where {
		w.check(row, get(w.name))
	}
	switch {
	case row.Reject != "":
	case c.Null:
		row.reject(RejectMissingCaption, "%s is missing or null", r.caption)
	case c.kind != textCell:
		row.reject(RejectWrongType, "%s is no text: %s", r.caption, clip(c.String(), maxDetail/2))
	}
	for _, name := range r.keep {
		row.Keep = append(row.Keep, get(name).carried())
	}
}

// captionOf is the caption, null where there is none, and the corpus that calls its
// columns so.
func (r roles) captionOf(get func(column string) cell) (cell, published) {
	c := get(r.caption)
	if !r.published || !c.Null {
		return c, published{}
	}
	for _, p := range publishedColumns {
		if c := p.caption(get); !c.Null || !get(p.image).Null {
			return c, p
		}
	}
	return c, published{}
}

// imageOf is the image; published is the column that a published corpus has it in.
func (r roles) imageOf(row *Row, get func(column string) cell, published string) string {
	if r.image != "" {
		return id(row, get(r.image), r.image, RejectMissingImage)
	}
	if !r.guess {
		return ""
	}
	for _, name := range append(slices.Clone(guessedImages), published) {
		if c := get(name); !c.Null && c.kind != otherCell && len(c.Text) <= MaxName {
			return c.String()
		}
	}
	return ""
}

// id is a cell that says which row or image this is: a text or a whole number.
func id(row *Row, c cell, name, missing string) string {
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
