package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"capgraph/internal/usage"
	"capgraph/look/inspect"
	"capgraph/ruleparse"
	"capgraph/schemas"
)

// parseCommand parses captions with the rule parser.
type parseCommand struct {
	Parser  string `help:"rules: a linear model; auto: an encoder too, where that is unsure; encoder: always (docs/parser.md)." enum:"rules,auto,encoder" default:"auto"`
	Device  string `help:"What the encoder computes on: cpu, cuda (an NVIDIA GPU) or cuda:N (docs/gpu.md)." placeholder:"NAME" default:"cpu"`
	Phrases bool   `help:"The objects of a caption are given: marked in it as in Flickr30k Entities, [/EN#1/people Two men], or a JSON list after a tab (docs/parser.md)."`
	Format  string `help:"text (a tree), json (tokens and graph, one line a caption) or factual (FACTUAL's form, one line a caption)." enum:"text,json,factual" default:"text"`
}

// Run implements parse.
func (c *parseCommand) Run(std streams) error {
	p, err := ruleparse.NewReader(c.Parser)
	if err != nil {
		return err
	}
	if err := p.UseDevice(c.Device); err != nil {
		return usage.Errorf("--%v", err)
	}
	r := phraseReader{on: c.Phrases}
	in := bufio.NewReaderSize(std.in, 1<<16)
	out := bufio.NewWriter(std.out)
	var texts []string
	parsed := make([]schemas.Parsed, parseBatch)
	for {
		line, err := in.ReadString('\n')
		if line != "" {
			text, err := r.readLine(strings.ToValidUTF8(strings.TrimRight(line, "\r\n"), "\uFFFD")) // offsets refer to the printed text
			if err != nil {
				return errors.Join(c.writeGraphs(std, out, p, texts, &r, parsed[:len(texts)]), err)
			}
			texts = append(texts, text)
		}
		if len(texts) == parseBatch || err != nil || in.Buffered() == 0 { // someone may be waiting at a terminal
			if err := c.writeGraphs(std, out, p, texts, &r, parsed[:len(texts)]); err != nil {
				return err
			}
			texts = texts[:0]
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("standard input: %w", err)
		}
	}
}

// parseBatch bounds the captions that are parsed together.
const parseBatch = 256

// writeGraphs parses texts into parsed and writes the graphs.
func (c *parseCommand) writeGraphs(std streams, w *bufio.Writer, parser *ruleparse.Parser, texts []string, r *phraseReader, parsed []schemas.Parsed) error {
	if err := parser.ParseGiven(context.Background(), texts, r.takePhrases(), parsed); err != nil {
		return err
	}
	for i, text := range texts {
		for _, u := range parsed[i].Unused {
			fmt.Fprintf(std.err, "line %d: phrase %q is no object: %s\n", r.lines-len(texts)+i+1, u.Text, u.Reason)
		}
		if err := c.writeParsed(w, parser, text, &parsed[i]); err != nil {
			return err
		}
	}
	return w.Flush()
}

func (c *parseCommand) writeParsed(w io.Writer, parser *ruleparse.Parser, text string, parsed *schemas.Parsed) error {
	switch c.Format {
	case "factual":
		_, err := fmt.Fprintln(w, parser.Factual(parsed))
		return err
	case "json":
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		return e.Encode(newParseLine(text, parsed))
	}
	p := inspect.NewPrinter(w)
	fmt.Fprintln(p, text)
	inspect.WriteTree(p, &parsed.Graph)
	fmt.Fprintln(p)
	return p.Err()
}

func (c *parseCommand) stopError() error {
	return errors.New("stopped before the end of standard input")
}

// parseLine is a line of parse --format json. It has the columns tokens (without quality), graph and confidence of
// graphs/.
type parseLine struct {
	Text       string      `json:"text"`
	Tokens     []parseItem `json:"tokens"`
	Graph      parseGraph  `json:"graph"`
	Parser     string      `json:"parser"`
	Confidence float32     `json:"confidence"`
}

type parseItem struct {
	Begin int32  `json:"begin"`
	End   int32  `json:"end"`
	Tag   string `json:"tag"`
	Lemma string `json:"lemma"`
}

type parseGraph struct {
	Objects   []parseObject   `json:"objects"`
	Relations []parseRelation `json:"relations"`
}

type parseObject struct {
	Name       string           `json:"name"`
	Head       string           `json:"head"`
	Quantity   string           `json:"quantity"`
	Attributes []parseAttribute `json:"attributes"`
	Begin      int32            `json:"begin"`
	End        int32            `json:"end"`
	Confidence float32          `json:"confidence"`
	Status     string           `json:"status,omitempty"`
}

type parseAttribute struct {
	Text       string  `json:"text"`
	Form       string  `json:"form"`
	Begin      int32   `json:"begin"`
	End        int32   `json:"end"`
	Confidence float32 `json:"confidence"`
	Status     string  `json:"status,omitempty"`
}

type parseRelation struct {
	Subject    int32   `json:"subject"`
	Predicate  string  `json:"predicate"`
	Lemma      string  `json:"lemma"`
	Object     int32   `json:"object"`
	Begin      int32   `json:"begin"`
	End        int32   `json:"end"`
	Confidence float32 `json:"confidence"`
	Status     string  `json:"status,omitempty"`
}

func newParseLine(text string, p *schemas.Parsed) parseLine {
	l := parseLine{
		Text: text, Tokens: []parseItem{}, Parser: p.Parser, Confidence: p.Confidence,
		Graph: parseGraph{Objects: []parseObject{}, Relations: []parseRelation{}},
	}
	for _, t := range p.Tokens {
		l.Tokens = append(l.Tokens, parseItem{t.Begin, t.End, t.Tag, t.Lemma})
	}
	for _, o := range p.Graph.Objects {
		x := parseObject{Name: o.Name, Head: o.Head, Quantity: o.Quantity, Attributes: []parseAttribute{}, Begin: o.Begin, End: o.End, Confidence: o.Confidence, Status: o.Status}
		for _, a := range o.Attributes {
			x.Attributes = append(x.Attributes, parseAttribute(a))
		}
		l.Graph.Objects = append(l.Graph.Objects, x)
	}
	for _, r := range p.Graph.Relations {
		l.Graph.Relations = append(l.Graph.Relations, parseRelation(r))
	}
	return l
}
