package ruleparse

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// A teacher is a model that reads better than the parser and is far too slow to
// take its place: docs/parser.md. It learns from lessons and answers the same
// questions about captions that nobody has annotated.

// Lesson is a caption with what is to be decided about it. With answers they are
// those of FACTUAL's annotators.
type Lesson struct {
	Text      string       `json:"text"`
	Tokens    []string     `json:"tokens"`  // in lower case
	Tags      []string     `json:"tags"`    // Penn Treebank
	Shapes    []int        `json:"shapes"`  // of tokens, below 16: what they are made of and their capitals
	Written   bool         `json:"written"` // in the conventions of the annotated graphs, not in FACTUAL's
	Labels    []int        `json:"labels"`  // of tokens: 0 outside, 1 and 2 begin and continue an object, 3 and 4 an attribute
	Nodes     []LessonNode `json:"nodes"`   // in the order of the text
	Whole     bool         `json:"whole"`   // the annotators' graph was found in the text, all of it
	Owners    []Owner      `json:"owners"`
	Relations []Ties       `json:"relations"`
}

// LessonNode is an object or an attribute: tokens [From, To).
type LessonNode struct {
	From      int  `json:"from"`
	To        int  `json:"to"`
	Attribute bool `json:"attribute"`
}

// Owner asks of which object an attribute is.
type Owner struct {
	Attribute int   `json:"attribute"` // index of a node
	Objects   []int `json:"objects"`   // nodes near it
	Answer    int   `json:"answer"`    // index into Objects, -1 if not known
}

// Ties ask how an object is related to those before it.
type Ties struct {
	Object int   `json:"object"` // index of a node
	Before []Tie `json:"before"` // the nearest first
	Open   bool  `json:"open"`   // the annotators say more than the options do
}

// Tie asks what the caption states of an object and one before it.
type Tie struct {
	Object  int         `json:"object"`
	Options []TieOption `json:"options"`
	Answer  int         `json:"answer"` // index into Options, -1 for nothing
}

// TieOption is a predicate: words of the caption, or one that is implied.
type TieOption struct {
	Words []int32 `json:"words"` // indices of tokens
	Form  int     `json:"form"`  // below 64: where the words stand, which way they read, what is implied
}

// TeachOptions are where lessons are made from and written to.
type TeachOptions struct {
	Data string    // as TrainOptions has it
	Out  io.Writer // JSON, a line each
}

// Lessons writes the lessons of FACTUAL's training part but its last rows, on which
// parsers and teachers are measured, and of the captions made from it, or, where
// last is set, those of its last rows.
func (p *Parser) Lessons(o TeachOptions, last bool) error {
	captions, gold, err := readTraining(o.Data)
	if err != nil {
		return fmt.Errorf("lessons: %w", err)
	}
	n := len(captions) - untaught
	if n <= 0 {
		return fmt.Errorf("lessons: %d rows, more than %d are needed", len(captions), untaught)
	}
	train, development, err := p.annotated(o.Data)
	if err != nil {
		return fmt.Errorf("lessons: %w", err)
	}
	var xs []*example
	if last {
		xs = append(p.alignAll(captions[n:], gold[n:]), development...)
	} else {
		xs = slices.Concat(p.alignAll(captions[:n], gold[:n]), p.augment(captions[:n], gold[:n]), train)
	}
	e := json.NewEncoder(o.Out)
	for _, x := range xs {
		if err := e.Encode(p.lesson(x)); err != nil {
			return fmt.Errorf("lessons: %w", err)
		}
	}
	return nil
}

// Questions writes the captions that a teacher is to annotate, with their tokens.
func (p *Parser) Questions(o TeachOptions) error {
	texts, err := p.untold(o.Data)
	if err == nil {
		err = p.questions(texts, o.Out)
	}
	if err != nil {
		return fmt.Errorf("questions: %w", err)
	}
	return nil
}

func (p *Parser) questions(texts []string, out io.Writer) error {
	e := json.NewEncoder(out)
	var w work
	for _, t := range texts {
		p.read(&w, t)
		if err := e.Encode(Lesson{Text: t, Tokens: words(w.spans), Tags: tags(w.spans), Shapes: shapes(w.spans), Written: true}); err != nil {
			return err
		}
	}
	return nil
}

// Ask reads lessons of which text and labels are known, a line each, and writes
// them with their nodes and what is to be decided about these.
func (p *Parser) Ask(in io.Reader, out io.Writer) error {
	d, w := json.NewDecoder(in), bufio.NewWriter(out)
	e := json.NewEncoder(w)
	for {
		var l Lesson
		switch err := d.Decode(&l); err {
		case nil:
		case io.EOF:
			return w.Flush()
		default:
			return fmt.Errorf("ask: %w", err)
		}
		x, err := p.labelled(l.Text, l.Labels)
		if err != nil {
			return fmt.Errorf("ask: %w", err)
		}
		if err := e.Encode(p.lesson(x)); err != nil {
			return fmt.Errorf("ask: %w", err)
		}
	}
}

// labelled is a text whose tokens have labels.
func (p *Parser) labelled(text string, labels []int) (*example, error) {
	var w work
	p.read(&w, text)
	if len(labels) != len(w.spans) {
		return nil, fmt.Errorf("%q: %d labels of %d tokens", text, len(labels), len(w.spans))
	}
	x := &example{caption: text, spans: w.spans, whole: true}
	bytes := make([]uint8, len(labels))
	before := outside
	for i, l := range labels {
		if l < 0 || l >= labelCount || !allowed(l, before) {
			return nil, fmt.Errorf("%q: token %d has label %d after %d", text, i, l, before)
		}
		bytes[i], before = uint8(l), l
		x.inNode = append(x.inNode, l != outside)
	}
	x.nodes = appendNodes(nil, x.spans, bytes)
	return x, nil
}

func words(ts []span) []string {
	out := make([]string, len(ts))
	for i := range ts {
		out[i] = ts[i].low
	}
	return out
}

func tags(ts []span) []string {
	out := make([]string, len(ts))
	for i := range ts {
		out[i] = ts[i].tag.String()
	}
	return out
}

func shapes(ts []span) []int {
	out := make([]int, len(ts))
	for i := range ts {
		out[i] = int(ts[i].shape())
	}
	return out
}

// lesson asks what is to be decided about x, with its links and edges as answers.
func (p *Parser) lesson(x *example) Lesson {
	l := Lesson{Text: x.caption, Tokens: words(x.spans), Tags: tags(x.spans), Shapes: shapes(x.spans), Written: x.annotated != nil, Whole: x.whole, Labels: []int{}, Nodes: []LessonNode{}, Owners: []Owner{}, Relations: []Ties{}}
	for _, k := range x.labels() {
		l.Labels = append(l.Labels, int(k))
	}
	for i, n := range x.nodes {
		l.Nodes = append(l.Nodes, LessonNode{int(n.from), int(n.to), n.attribute})
		if !n.attribute {
			l.Relations = append(l.Relations, x.ties(i))
			continue
		}
		o := Owner{Attribute: i, Answer: -1, Objects: x.owners(i)}
		for _, k := range x.links {
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

// owners are the objects near attribute k.
func (x *example) owners(k int) []int {
	out := []int{}
	for o := range x.nodes {
		if !x.nodes[o].attribute && linkable(x.spans, x.nodes, k, o) {
			out = append(out, o)
		}
	}
	return out
}

// between lists what may relate nodes a and b.
func (x *example) between(a, b int) []candidate {
	return candidates(x.spans, x.inNode, &x.nodes[a], &x.nodes[b], leftBound(x.nodes, a), rightBound(x.nodes, b, len(x.spans)), nil)
}

func (x *example) ties(b int) Ties {
	t := Ties{Object: b, Before: []Tie{}, Open: !x.knows(b)}
	for a := b - 1; a >= 0; a-- {
		if x.nodes[a].attribute || !related(x.spans, x.nodes, a, b) {
			continue
		}
		tie := Tie{Object: a, Options: []TieOption{}, Answer: -1}
		for k, c := range x.between(a, b) {
			form := int(c.implied)*8 + int(c.where)*2
			if c.reversed {
				form++
			}
			tie.Options = append(tie.Options, TieOption{c.words[:c.n], form})
			for _, e := range x.edges {
				if e.a == a && e.b == b && e.candidate == c {
					tie.Answer = k
				}
			}
		}
		t.Before = append(t.Before, tie)
	}
	return t
}
