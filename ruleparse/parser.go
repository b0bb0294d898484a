// Package ruleparse turns captions into scene graphs on one CPU core: tokens with their tags and
// lemmas, objects with attributes and quantities, and relations between them, all with byte
// offsets.
//
//	p, err := ruleparse.New()
//	...
//	var parsed schemas.Parsed
//	p.ParseText("a man riding a brown horse", &parsed)
//
// Its model is embedded. docs/parser.md describes how it was trained, how well it does and where it
// fails.
package ruleparse

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"capgraph/internal/linear"
	"capgraph/internal/portable"
	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/model"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/rules"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/scenegraph"
	"capgraph/schemas"
)

// Parser parses captions. It holds nothing but its model and is safe for concurrent use.
type Parser struct {
	model *model.Model
	rules rules.Set
	pool  sync.Pool // of *work
}

// workspace is the memory of one parse, used again for the next.
type workspace struct {
	text    tokens.Text
	reading rules.Reading
	decoder analysis.Decoder
}

// maxConfidence bounds the confidence: no graph is certain.
const maxConfidence = 0.999

// New returns a parser with the embedded model.
func New() (*Parser, error) {
	m, err := model.Embedded()
	if err != nil {
		return nil, err
	}
	return newFromModel(m)
}

func newFromModel(m *model.Model) (*Parser, error) {
	set, err := rules.NewSet(m.Reader.Lexicon)
	if err != nil {
		return nil, err
	}
	p := &Parser{model: m, rules: set}
	p.pool.New = func() any { return new(workspace) }
	return p, nil
}

// Name returns the name and the version of the parser and its model.
func (p *Parser) Name() string { return "ruleparse/32" }

// Parse fills out[i] from texts[i]. It returns an error only if ctx is done.
func (p *Parser) Parse(ctx context.Context, texts []string, out []schemas.Parsed) error {
	if len(texts) != len(out) {
		return fmt.Errorf("ruleparse: %d texts, %d results", len(texts), len(out))
	}
	for i, t := range texts {
		if err := ctx.Err(); err != nil {
			return err
		}
		p.ParseText(t, &out[i])
	}
	return nil
}

// ParseText fills out from one text. It reuses the memory of out.
func (p *Parser) ParseText(text string, out *schemas.Parsed) {
	w := p.pool.Get().(*workspace)
	defer p.pool.Put(w)
	out.Reset()
	out.Parser = p.Name()
	p.model.Reader.Read(&w.text, text)
	x := p.model.Analyst.Analyse(&w.decoder, w.text.Tokens)
	w.reading.Analysis = x
	out.Confidence = min(float32(portable.Exp(float64(x.Score))), maxConfidence)
	p.rules.Correct(&w.reading, w.text.Tokens)
	out.Tokens = p.model.Reader.AppendTokens(&w.text, out.Tokens) // rules may have given them other tags
	p.rules.Build(text, w.text.Low, w.text.Tokens, &w.reading, &out.Graph)
}

// Tokens appends the tokens of text, with tags and lemmas, to out[:0].
func (p *Parser) Tokens(text string, out []schemas.Token) []schemas.Token {
	w := p.pool.Get().(*workspace)
	defer p.pool.Put(w)
	p.model.Reader.Read(&w.text, text)
	return p.model.Reader.AppendTokens(&w.text, out[:0])
}

// NounPhrase fills out with text as one object: the last noun and the nouns before it are the name,
// adjectives before them attributes.
func (p *Parser) NounPhrase(text string, out *schemas.Object) {
	var parsed schemas.Parsed
	p.ParseText(text, &parsed)
	parsed.Graph.KeepAsserted()
	if n := len(parsed.Graph.Objects); n > 0 {
		*out = parsed.Graph.Objects[n-1]
		return
	}
	*out = schemas.Object{Name: strings.ToLower(text), End: int32(len(text))}
	if n := len(parsed.Tokens); n > 0 {
		last := parsed.Tokens[n-1]
		w := strings.ToLower(text[last.Begin:last.End])
		out.Head = p.model.Reader.Lexicon.BaseForm(w, p.model.Reader.Lexicon.Find(w, linear.Hash(w)), 0)
	}
}

// LeaveOut makes p skip the rules of these names, to measure what they are worth. Do not call it
// while p parses.
func (p *Parser) LeaveOut(names ...string) error { return p.rules.LeaveOut(names...) }

// Factual returns the graph of x in FACTUAL's conventions and linearised form. An empty graph is
// the empty string.
func (p *Parser) Factual(x *schemas.Parsed) string {
	return p.model.Rewriter.Linearise(withoutDenied(&x.Graph), severalSentences(x))
}

// Triples returns the graph of x in FACTUAL's conventions, or DiscoSG's if x has several sentences:
// relations first, then attributes, then objects that have neither.
func (p *Parser) Triples(x *schemas.Parsed) []scenegraph.Triple {
	return p.model.Rewriter.Triples(withoutDenied(&x.Graph), severalSentences(x))
}

// withoutDenied returns g, or a copy without what the caption denies.
func withoutDenied(g *schemas.SceneGraph) *schemas.SceneGraph {
	c := g.Clone()
	c.RemoveDenied()
	return &c
}

// severalSentences reports whether a token follows the end of a sentence.
func severalSentences(x *schemas.Parsed) bool {
	end := slices.IndexFunc(x.Tokens, func(t schemas.Token) bool { return t.Tag == penn.Period.String() })
	return end >= 0 && end+1 < len(x.Tokens)
}
