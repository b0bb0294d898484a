package sources

import (
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
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
	form          cellForm
	bytes, single bool
}

// cellForm says how several captions may be written in a text.
type cellForm int

// keptValue returns the value as it is carried: bytes that are not text in base64.
func (c cell) keptValue() Kept {
	if c.bytes && !utf8.ValidString(c.Text) {
		c.Text = base64.StdEncoding.EncodeToString([]byte(c.Text))
	}
	return c.Kept
}

// splitElements returns the captions in a cell: the elements of a list, the lines of a text file, else the
// cell itself.
func (c cell) splitElements() (all []cell, err error) {
	switch {
	case c.form == linesForm && strings.Contains(strings.TrimSpace(c.Text), "\n"):
		for line := range strings.Lines(c.Text) {
			if line = strings.TrimSpace(line); line != "" {
				all = append(all, cell{Kept: Kept{Text: line}, kind: textCell})
			}
			if len(all) > maxElements {
				return nil, errTooMany
			}
		}
		return all, nil
	case c.kind == otherCell, c.form == literalForm:
		if !strings.HasPrefix(strings.TrimSpace(c.Text), "[") {
			return []cell{c}, nil
		}
	default:
		return []cell{c}, nil
	}
	values, err := listElements(jsontext.Value(c.Text))
	if errors.Is(err, errTooMany) {
		return nil, err
	}
	if err != nil || c.kind == textCell && (len(values) == 0 || values[0].Kind() != '"') {
		return []cell{c}, nil
	}
	for _, v := range values {
		if o := new(jsonObject); v.Kind() == '{' && o.parseFields(v) == nil { // a sentence of Karpathy's
			if raw := o.valueOf("raw"); raw != nil {
				v = raw
			}
		}
		all = append(all, jsonCell(v))
	}
	return all, nil
}

// id returns the cell as what identifies a row or an image: 9.0 is 9.
func (c cell) id() string {
	s := c.String()
	if c.kind != numberCell || !strings.ContainsAny(s, ".eE") {
		return s
	}
	f, _ := strconv.ParseFloat(s, 64)
	return strconv.FormatInt(int64(f), 10)
}
