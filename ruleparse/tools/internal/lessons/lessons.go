// Package lessons writes the training data and the questions for a teacher of the parser, as JSON.
//
// A teacher is a model that is more accurate than the parser and far too slow to replace it: docs/parser.md. It is
// trained on lessons, and then answers the same questions about captions without annotations.
package lessons

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"capgraph/internal/annotated"
	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/ruleparse/tools/internal/examples"
)

// Lesson is a caption with the questions about it and, if known, the annotators' answers.
type Lesson struct {
	Text      string            `json:"text"`
	Tokens    []string          `json:"tokens"`  // in lower case
	Tags      []string          `json:"tags"`    // Penn Treebank
	Shapes    []int             `json:"shapes"`  // by token: a number below 16 for its kind and capitals
	Written   bool              `json:"written"` // in the conventions of the annotated graphs, not of FACTUAL
	Labels    []int             `json:"labels"`  // by token: 0 outside, 1 begin and 2 inside of an object, 3 begin and 4 inside of an attribute
	Nodes     []LessonNode      `json:"nodes"`   // in the order of the text
	Whole     bool              `json:"whole"`   // all of the annotators' graph was found in the text
	Owners    []OwnerQuestion   `json:"owners"`
	Relations []ObjectRelations `json:"relations"`
}

// LessonNode is an object or an attribute: tokens [From, To).
type LessonNode struct {
	From      int  `json:"from"`
	To        int  `json:"to"`
	Attribute bool `json:"attribute"`
}

// OwnerQuestion asks to which object an attribute belongs.
type OwnerQuestion struct {
	Attribute int   `json:"attribute"` // index of a node
	Objects   []int `json:"objects"`   // nodes near it
	Answer    int   `json:"answer"`    // index into Objects, -1 if not known
}

// ObjectRelations asks how an object is related to earlier objects.
type ObjectRelations struct {
	Object int            `json:"object"` // index of a node
	Before []PairQuestion `json:"before"` // the nearest first
	Open   bool           `json:"open"`   // the annotators have a relation that is not among the options
}

// PairQuestion asks which relation the caption states between an object and an earlier one.
type PairQuestion struct {
	Object  int               `json:"object"`
	Options []PredicateOption `json:"options"`
	Answer  int               `json:"answer"` // index into Options, -1 for nothing
}

// PredicateOption is a predicate: words of the caption, or an implied one.
type PredicateOption struct {
	Words []int32 `json:"words"` // indices of tokens
	Form  int     `json:"form"`  // below 64: position of the words, direction, and implied predicate
}

// Write writes lessons to out as JSON lines: from FACTUAL's training part without its last rows, from captions made
// from those, and from the annotated graphs. If last is set, it writes instead those of the last rows and of the
// development captions, on which parsers and teachers are evaluated.
func Write(s *examples.Source, out io.Writer, last bool) error {
	captions, gold, err := s.ReadFactual()
	if err != nil {
		return fmt.Errorf("lessons: %w", err)
	}
	n := len(captions) - examples.HeldOutRows
	if n <= 0 {
		return fmt.Errorf("lessons: %d rows, more than %d are needed", len(captions), examples.HeldOutRows)
	}
	train, development, err := s.ReadAnnotated(examples.FirstGraphs)
	if err != nil {
		return fmt.Errorf("lessons: %w", err)
	}
	more, _, err := s.ReadAnnotated(examples.MoreGraphs)
	if err != nil {
		return fmt.Errorf("lessons: %w", err)
	}
	hard, err := s.ReadHard()
	if err != nil {
		return fmt.Errorf("lessons: %w", err)
	}
	var xs []*examples.Example
	if last {
		xs = append(s.AlignAll(captions[n:], gold[n:]), development...)
	} else {
		xs = slices.Concat(s.AlignAll(captions[:n], gold[:n]), s.Augment(captions[:n], gold[:n]), train, more, hard)
	}
	return writeExamples(xs, out)
}

// WriteNewest writes the lessons of the captions that were annotated last. Write includes them too.
func WriteNewest(s *examples.Source, out io.Writer) error {
	xs, err := s.ReadHard()
	if err != nil {
		return fmt.Errorf("lessons: %w", err)
	}
	return writeExamples(xs, out)
}

func writeExamples(xs []*examples.Example, out io.Writer) error {
	e := json.NewEncoder(out)
	for _, x := range xs {
		if err := e.Encode(newLesson(x)); err != nil {
			return fmt.Errorf("lessons: %w", err)
		}
	}
	return nil
}

// WriteAligned reads annotated graphs from in as JSON lines, and writes their lessons to out.
func WriteAligned(s *examples.Source, in io.Reader, out io.Writer) error {
	e := json.NewEncoder(out)
	for row, err := range annotated.Read(in, "standard input") {
		if err == nil {
			err = e.Encode(newLesson(s.AlignAnnotated(&row)))
		}
		if err != nil {
			return fmt.Errorf("align: %w", err)
		}
	}
	return nil
}

// WriteAllQuestions writes the captions that a teacher annotates, with their tokens.
func WriteAllQuestions(s *examples.Source, out io.Writer) error {
	texts, err := s.ReadQuestionTexts()
	if err == nil {
		err = WriteQuestions(s.Reader, texts, out)
	}
	if err != nil {
		return fmt.Errorf("questions: %w", err)
	}
	return nil
}

// WriteQuestions writes texts with their tokens as lessons without answers.
func WriteQuestions(r *tokens.Reader, texts []string, out io.Writer) error {
	e := json.NewEncoder(out)
	var w tokens.Text
	for _, t := range texts {
		r.Read(&w, t)
		if err := e.Encode(Lesson{Text: t, Tokens: lowerWords(w.Tokens), Tags: tagNames(w.Tokens), Shapes: tokenShapes(w.Tokens), Written: true}); err != nil {
			return err
		}
	}
	return nil
}

// WriteDecisions reads lessons with texts and labels as JSON lines. It writes them with their nodes and the questions
// about these.
func WriteDecisions(r *tokens.Reader, in io.Reader, out io.Writer) error {
	err := answerEach(in, out, func(l Lesson) (Lesson, error) {
		x, err := ReadLabelled(r, l.Text, l.Labels)
		if err != nil {
			return l, err
		}
		return newLesson(x), nil
	})
	if err != nil {
		return fmt.Errorf("ask: %w", err)
	}
	return nil
}

// answerEach reads JSON lines from in, and writes the result of answer for each to out.
func answerEach[T any](in io.Reader, out io.Writer, answer func(T) (T, error)) error {
	d, e := json.NewDecoder(in), json.NewEncoder(out)
	for {
		var x T
		if err := d.Decode(&x); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		y, err := answer(x)
		if err != nil {
			return err
		}
		if err := e.Encode(y); err != nil {
			return err
		}
	}
}

// ReadLabelled returns the example of a text whose tokens have labels.
func ReadLabelled(r *tokens.Reader, text string, labels []int) (*examples.Example, error) {
	var w tokens.Text
	r.Read(&w, text)
	if len(labels) != len(w.Tokens) {
		return nil, fmt.Errorf("%q: %d labels of %d tokens", text, len(labels), len(w.Tokens))
	}
	x := &examples.Example{Caption: text, Tokens: w.Tokens, IsComplete: true}
	bytes := make([]uint8, len(labels))
	before := analysis.Outside
	for i, l := range labels {
		if l < 0 || l >= analysis.LabelCount || !analysis.MayFollow(l, before) {
			return nil, fmt.Errorf("%q: token %d has label %d after %d", text, i, l, before)
		}
		bytes[i], before = uint8(l), l
		x.InNode = append(x.InNode, l != analysis.Outside)
	}
	x.Nodes = analysis.AppendNodes(nil, x.Tokens, bytes)
	return x, nil
}

func lowerWords(ts []tokens.Token) []string {
	out := make([]string, len(ts))
	for i := range ts {
		out[i] = ts[i].Low
	}
	return out
}

func tagNames(ts []tokens.Token) []string {
	out := make([]string, len(ts))
	for i := range ts {
		out[i] = ts[i].Tag.String()
	}
	return out
}

func tokenShapes(ts []tokens.Token) []int {
	out := make([]int, len(ts))
	for i := range ts {
		out[i] = int(ts[i].Shape())
	}
	return out
}

// newLesson returns the questions about x, with x's links and edges as answers.
func newLesson(x *examples.Example) Lesson {
	l := Lesson{Text: x.Caption, Tokens: lowerWords(x.Tokens), Tags: tagNames(x.Tokens), Shapes: tokenShapes(x.Tokens), Written: x.Annotated != nil, Whole: x.IsComplete, Labels: []int{}, Nodes: []LessonNode{}, Owners: []OwnerQuestion{}, Relations: []ObjectRelations{}}
	for _, k := range x.Labels() {
		l.Labels = append(l.Labels, int(k))
	}
	for i, n := range x.Nodes {
		l.Nodes = append(l.Nodes, LessonNode{int(n.From), int(n.To), n.IsAttribute})
		if !n.IsAttribute {
			l.Relations = append(l.Relations, askRelations(x, i))
			continue
		}
		o := OwnerQuestion{Attribute: i, Answer: -1, Objects: nearbyObjects(x, i)}
		for _, k := range x.Links {
			for j, object := range o.Objects {
				if k == [2]int{i, object} {
					o.Answer = j
				}
			}
		}
		l.Owners = append(l.Owners, o)
	}
	return l
}

// nearbyObjects returns the objects that attribute k may belong to.
func nearbyObjects(x *examples.Example, k int) []int {
	out := []int{}
	for o := range x.Nodes {
		if !x.Nodes[o].IsAttribute && analysis.MayBeLinked(x.Tokens, x.Nodes, k, o) {
			out = append(out, o)
		}
	}
	return out
}

func askRelations(x *examples.Example, b int) ObjectRelations {
	t := ObjectRelations{Object: b, Before: []PairQuestion{}, Open: !x.KnowsAllRelations(b)}
	for a := b - 1; a >= 0; a-- {
		if x.Nodes[a].IsAttribute || !analysis.MayBeRelated(x.Tokens, x.Nodes, a, b) {
			continue
		}
		tie := PairQuestion{Object: a, Options: []PredicateOption{}, Answer: -1}
		for k, c := range x.Candidates(a, b) {
			form := int(c.Implied)*8 + int(c.Position)*2
			if c.Reversed {
				form++
			}
			tie.Options = append(tie.Options, PredicateOption{c.Words[:c.N], form})
			for _, e := range x.Edges {
				if e.A == a && e.B == b && e.Candidate == c {
					tie.Answer = k
				}
			}
		}
		t.Before = append(t.Before, tie)
	}
	return t
}
