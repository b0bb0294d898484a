package sources

import (
	"encoding/base64"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// cellKind says how a cell can be used.
type cellKind int

const (
	otherCell  cellKind = iota // carried only
	numberCell                 // an integer: an id
	textCell                   // a string: a caption, a path or an id
)

// cell is the value of a column in one row. bytes is set if the column is binary, single if it is a
// 32-bit floating-point number.
type cell struct {
	Kept
	kind          cellKind
	form          cellForm
	column        string // of a caption
	bytes, single bool
}

// cellForm says how several captions may be written in one text.
type cellForm int

// keptValue returns the value to carry along. Bytes that are not UTF-8 become base64.
func (c cell) keptValue() Kept {
	if c.bytes && !utf8.ValidString(c.Text) {
		c.Text = base64.StdEncoding.EncodeToString([]byte(c.Text))
	}
	return c.Kept
}

// splitElements returns the captions in a cell: the elements of a list, which may be written as
// text, or the lines of a text file, else the cell itself. For an object it is the field with the
// caption.
func (c cell) splitElements() (all []cell, err error) {
	if c.kind == numberCell {
		return []cell{c}, nil
	}
	list := literalValue(c.Text)
	if list == nil {
		if c.form == plainForm {
			return []cell{c}, nil
		}
		for _, line := range splitLines(c.Text, c.form) {
			all = append(all, cell{Kept: Kept{Text: line}, kind: textCell})
			if len(all) > maxElements {
				return nil, errTooMany
			}
		}
		return all, nil
	}
	if caption := captionField(list); caption != nil {
		list = caption
	}
	if list = numberedList(list); list.Kind() != '[' && list.Kind() != '{' {
		return []cell{jsonCell(list)}, nil
	}
	values, err := listElements(list)
	if errors.Is(err, errTooMany) {
		return nil, err
	}
	if err != nil || c.kind == textCell && (len(values) == 0 || strings.IndexByte("\"{[", byte(values[0].Kind())) < 0) {
		return []cell{c}, nil
	}
	for _, v := range joinTokens(values) {
		if caption := captionField(v); caption != nil {
			v = caption
		}
		for _, inner := range innerCaptions(v, 0) {
			if all = append(all, jsonCell(inner)); len(all) > maxElements {
				return nil, errTooMany
			}
		}
	}
	return all, nil
}

// firstText returns the first element of a list if that is a string, else the cell itself.
func (c cell) firstText() cell {
	if c.kind != otherCell || !strings.HasPrefix(c.Text, "[") {
		return c
	}
	if values, err := listElements(jsontext.Value(c.Text)); err == nil && len(values) > 0 && values[0].Kind() == '"' {
		return jsonCell(values[0])
	}
	return c
}

// innerCaptions returns the captions in an element of a list of captions. For a list of strings these
// are the strings; numbers beside them, such as a score, are left out.
func innerCaptions(v jsontext.Value, depth int) []jsontext.Value {
	if v.Kind() != '[' || depth == maxNesting {
		return []jsontext.Value{v}
	}
	values, err := listElements(v)
	if err != nil || len(values) == 0 {
		return []jsontext.Value{v}
	}
	var all []jsontext.Value
	for _, inner := range joinTokens(values) {
		switch inner.Kind() {
		case '0':
		case '"', '[':
			all = append(all, innerCaptions(inner, depth+1)...)
		default:
			return []jsontext.Value{v}
		}
	}
	return all
}

// numberedList turns an object of numbered texts, {"0": "a dog", "1": "a brown dog"}, into a list. The
// numbers begin with 0 or 1. Other values are returned unchanged.
func numberedList(v jsontext.Value) jsontext.Value {
	var o jsonObject
	if v.Kind() != '{' || o.parseFields(v) != nil || len(o.names) == 0 {
		return v
	}
	first := 0
	if !slices.Contains(o.names, "0") {
		first = 1
	}
	var values []jsontext.Value
	for i := range o.names {
		value := o.valueOf(strconv.Itoa(first + i))
		if len(value) == 0 || value.Kind() != '"' && value.Kind() != '[' {
			return v
		}
		values = append(values, value)
	}
	return joinValues(values)
}

// captionFields are the fields with the caption in an object, the likeliest first.
var captionFields = []string{"raw", Caption, listColumn}

// captionField returns the caption in an object such as {"caption": "a dog"}, or a sentence in
// Karpathy's format; nil if there is none.
func captionField(v jsontext.Value) jsontext.Value {
	var o jsonObject
	if v.Kind() != '{' || o.parseFields(v) != nil {
		return nil
	}
	for _, name := range captionFields {
		if text := o.valueOf(name); text != nil {
			return text.Clone()
		}
	}
	return nil
}

// id returns the cell as an id of a row or an image: 9.0 becomes "9".
func (c cell) id() string {
	s := c.String()
	if c.kind != numberCell || !strings.ContainsAny(s, ".eE") {
		return s
	}
	f, _ := strconv.ParseFloat(s, 64)
	return strconv.FormatInt(int64(f), 10)
}
