// Package annotated reads scene graphs that were annotated in the words of their captions, one JSON
// object a line. It decides which rows are for development, and compares graphs by tuples with
// offsets.
package annotated

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"capgraph/scenegraph"
	"capgraph/schemas"
)

// Row is a caption with its graph. Offsets are in bytes of Text, End exclusive. Both are
// schemas.NoOffset for what the text does not mention.
type Row struct {
	Source     string     `json:"source"` // "coco", "cc3m", "web", …, or empty
	Text       string     `json:"text"`
	Objects    []Object   `json:"objects"`
	Relations  []Relation `json:"relations"`
	Confidence float64    `json:"confidence"` // of a parser; 0 without one
}

// Object is a thing with its attributes and quantity.
type Object struct {
	Name       string      `json:"name"`
	Begin      int         `json:"begin"`
	End        int         `json:"end"`
	Quantity   Quantity    `json:"quantity,omitzero"`
	Attributes []Attribute `json:"attributes"`
	Mentions   []Span      `json:"mentions"` // later mentions, also by pronouns and possessives
}

// Span is a range of the text.
type Span struct {
	Begin int `json:"begin"`
	End   int `json:"end"`
}

var noSpan = Span{int(schemas.NoOffset), int(schemas.NoOffset)}

// Quantity is the number of things, or empty.
type Quantity struct {
	Text string `json:"text"`
	Span
}

// UnmarshalJSON reads an object with text, begin and end, or the text alone.
func (q *Quantity) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &q.Text)
	}
	type plain Quantity
	return json.Unmarshal(b, (*plain)(q))
}

// Attribute is a property of an object. Form is "pre" or "post".
type Attribute struct {
	Text string `json:"text"`
	Form string `json:"form"`
	Span
}

// Relation joins two objects, which are counted from 0. Words has the begin of each word of the
// predicate in the text; it is nil if the text does not state the relation.
type Relation struct {
	Subject   int    `json:"subject"`
	Predicate string `json:"predicate"`
	Object    int    `json:"object"`
	Words     []int  `json:"words"`
}

// IsDevelopment reports whether the row of a text is for measuring while a parser is made, and
// never for training. This is so if scenegraph.TextID, as an unsigned number, is a multiple of 5.
// Captions that differ in case or punctuation are on one side.
func IsDevelopment(text string) bool { return uint64(scenegraph.TextID(text))%5 == 0 }

// Read reads rows from JSON lines; name is the file's name in errors. The graph is in the fields of
// the row or in one called graph, as `capgraph parse --format json` prints it. Read ends at the
// first error, which names the file and the row.
func Read(file io.Reader, name string) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		in := bufio.NewReader(file)
		for n := 1; ; n++ {
			line, err := in.ReadBytes('\n')
			if err != nil && !errors.Is(err, io.EOF) {
				yield(Row{}, err)
				return
			}
			if len(strings.TrimSpace(string(line))) > 0 {
				row, bad := decodeRow(line)
				if bad != nil {
					yield(Row{}, fmt.Errorf("%s: row %d: %w", name, n, bad))
					return
				}
				if !yield(row, nil) {
					return
				}
			}
			if err != nil {
				return
			}
		}
	}
}

// decodeRow reads one line and checks its offsets and indices.
func decodeRow(line []byte) (Row, error) {
	var r struct {
		Row
		Graph *struct {
			Objects   []Object   `json:"objects"`
			Relations []Relation `json:"relations"`
		} `json:"graph"`
	}
	if err := json.Unmarshal(line, &r); err != nil {
		return Row{}, err
	}
	if r.Graph != nil {
		r.Objects, r.Relations = r.Graph.Objects, r.Graph.Relations
	} else if r.Objects == nil {
		return Row{}, errors.New(`no "objects" and no "graph" (want a caption with its graph, as capgraph parse --format json prints it)`)
	}
	return r.Row, r.Validate()
}

// Validate returns an error if an offset or an index of r is outside its text or its objects.
func (r *Row) Validate() error {
	for i := range r.Objects {
		o := &r.Objects[i]
		if err := r.checkSpan("is", Span{o.Begin, o.End}); err != nil {
			return fmt.Errorf("object %d %w", i, err)
		}
		for _, m := range o.Mentions {
			if err := r.checkSpan("has a mention", m); err != nil {
				return fmt.Errorf("object %d %w", i, err)
			}
		}
		for _, a := range o.Attributes {
			if err := r.checkSpan("has an attribute", a.Span); err != nil {
				return fmt.Errorf("object %d %w", i, err)
			}
		}
		if q := o.Quantity.Span; q != (Span{}) {
			if err := r.checkSpan("has its quantity", q); err != nil {
				return fmt.Errorf("object %d %w", i, err)
			}
		}
	}
	for i, e := range r.Relations {
		for _, o := range []int{e.Subject, e.Object} {
			if o < 0 || o >= len(r.Objects) {
				return fmt.Errorf("relation %d names object %d of %d", i, o, len(r.Objects))
			}
		}
		for _, w := range e.Words {
			if w < 0 || w >= len(r.Text) {
				return fmt.Errorf("relation %d has a word at %d of %d bytes", i, w, len(r.Text))
			}
		}
	}
	return nil
}

func (r *Row) checkSpan(what string, s Span) error {
	if s == (noSpan) || 0 <= s.Begin && s.Begin < s.End && s.End <= len(r.Text) {
		return nil
	}
	return fmt.Errorf("%s at %d to %d of %d bytes", what, s.Begin, s.End, len(r.Text))
}
