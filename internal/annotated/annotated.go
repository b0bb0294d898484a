// Package annotated reads scene graphs that were annotated in the words of their
// captions, a JSON object a line, and says which of their rows are kept for
// development.
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

// Row is a caption with its graph. Offsets are in bytes of Text, End exclusive; both
// are schemas.NoOffset where the text does not say a thing.
type Row struct {
	Source     string     `json:"source"` // "coco", "cc3m", "web", …, or empty
	Text       string     `json:"text"`
	Objects    []Object   `json:"objects"`
	Relations  []Relation `json:"relations"`
	Confidence float64    `json:"confidence"` // of a parser; 0 where a row has none
}

// Object is a thing with what is said of it.
type Object struct {
	Name       string      `json:"name"`
	Begin      int         `json:"begin"`
	End        int         `json:"end"`
	Quantity   Quantity    `json:"quantity,omitzero"`
	Attributes []Attribute `json:"attributes"`
	Mentions   []Span      `json:"mentions"` // its later namings, pronouns and possessives among them
}

// Span is a range of the text.
type Span struct {
	Begin int `json:"begin"`
	End   int `json:"end"`
}

var nowhere = Span{int(schemas.NoOffset), int(schemas.NoOffset)}

// Quantity is how many there are, or empty.
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

// Relation joins two objects, which are counted from 0. Words is where each word
// of the predicate begins in the text, and nil where the text does not say it.
type Relation struct {
	Subject   int    `json:"subject"`
	Predicate string `json:"predicate"`
	Object    int    `json:"object"`
	Words     []int  `json:"words"`
}

// Development reports whether the row of a text is kept to measure with while a
// parser is made, and never trained on: where scenegraph.TextID, read as a number
// without a sign, is a multiple of 5. Captions that differ in case or punctuation
// are on the same side.
func Development(text string) bool { return uint64(scenegraph.TextID(text))%5 == 0 }

// Read reads rows from JSON lines; name is what errors call the file. The graph is
// in the fields of the row itself or in one called graph, so that what
// `capgraph parse --format json` prints is read too. It ends at the first error,
// which names the file and the row.
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
				row, bad := decode(line)
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

// decode reads one line and checks that what it names is there.
func decode(line []byte) (Row, error) {
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
	return r.Row, r.check()
}

func (r *Row) check() error {
	for i := range r.Objects {
		o := &r.Objects[i]
		if err := r.within("is", Span{o.Begin, o.End}); err != nil {
			return fmt.Errorf("object %d %w", i, err)
		}
		for _, m := range o.Mentions {
			if err := r.within("has a mention", m); err != nil {
				return fmt.Errorf("object %d %w", i, err)
			}
		}
		for _, a := range o.Attributes {
			if err := r.within("has an attribute", a.Span); err != nil {
				return fmt.Errorf("object %d %w", i, err)
			}
		}
		if q := o.Quantity.Span; q != (Span{}) {
			if err := r.within("has its quantity", q); err != nil {
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

func (r *Row) within(what string, s Span) error {
	if s == (nowhere) || 0 <= s.Begin && s.Begin < s.End && s.End <= len(r.Text) {
		return nil
	}
	return fmt.Errorf("%s at %d to %d of %d bytes", what, s.Begin, s.End, len(r.Text))
}
