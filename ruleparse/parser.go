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
	"strconv"
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

// Parser parses captions. It is safe for concurrent use.
type Parser struct {
	name  string
	model *model.Model
	rules rules.Set
	pool  sync.Pool // of *work
}

// workspace is the memory of one parse. Later parses reuse it.
type workspace struct {
	text    tokens.Text
	reading rules.Reading
	decoder analysis.Decoder
	given   givenPhrases
}

// maxConfidence bounds the confidence: no graph is certain.
const maxConfidence = 0.999

// The names of readers, as pipeline.yaml and commands have them. A reader is the set of models that reads a caption.
const (
	Fast    = "rules"   // the linear model alone
	Auto    = "auto"    // the encoder reads captions of which the linear model is unsure
	Encoder = "encoder" // the encoder reads all captions
)

// New returns a parser with the embedded model.
func New() (*Parser, error) { return NewReader(DefaultReader) }

// DefaultReader is the reader of New.
const DefaultReader = Auto

// NewReader returns a parser with the embedded model and this reader.
func NewReader(reader string) (*Parser, error) {
	m, err := model.Embedded()
	if err != nil {
		return nil, err
	}
	if reader != Fast {
		if m.Analyst.Encoder, err = model.Encoder(); err != nil {
			return nil, err
		}
	}
	m.Analyst.EncodeAll = reader == Encoder
	p, err := newFromModel(m)
	if err != nil {
		return nil, err
	}
	if reader != DefaultReader {
		p.name += "-" + reader
	}
	return p, nil
}

// Names of devices on which an encoder can run. A further one is a GPU by its number: cuda:1.
const (
	CPU  = "cpu"
	CUDA = "cuda" // the first card
)

// CheckDevice returns an error if name is no name of a device.
func CheckDevice(name string) error {
	_, err := cardNumber(name)
	return err
}

// cardNumber returns the number of the GPU that name names, or -1 for the CPU.
func cardNumber(name string) (int, error) {
	number, isCard := strings.CutPrefix(name, CUDA)
	switch {
	case name == CPU:
		return -1, nil
	case isCard && number == "":
		return 0, nil
	case isCard && number[0] == ':' && len(number) > 1 && len(number) < 6:
		if n, err := strconv.ParseUint(number[1:], 10, 31); err == nil {
			return int(n), nil
		}
	}
	return -1, fmt.Errorf("%q is none of cpu, cuda, cuda:0, cuda:1, …", name)
}

// UseDevice sets the device on which the encoder reads the texts of [Parser.Parse]. The graphs do not depend on the
// device. It returns an error if there is no such GPU. If p has no encoder, it only checks the name. Do not call it
// while p parses.
func (p *Parser) UseDevice(name string) error {
	number, err := cardNumber(name)
	if err != nil {
		return fmt.Errorf("device: %w", err)
	}
	if p.model.Analyst.Encoder == nil || number < 0 {
		p.model.Analyst.Card = nil
		return nil
	}
	card, err := model.EncoderOnCard(number)
	if err != nil {
		return fmt.Errorf("device is %s: %w; cpu needs none", name, err)
	}
	p.model.Analyst.Card = card
	return nil
}

func newFromModel(m *model.Model) (*Parser, error) {
	set, err := rules.NewSet(m.Reader.Lexicon)
	if err != nil {
		return nil, err
	}
	p := &Parser{model: m, rules: set, name: version}
	p.pool.New = func() any { return new(workspace) }
	return p, nil
}

// Name returns the name and the version of the parser and its model.
func (p *Parser) Name() string { return p.name }

// version is the version of the parser and its model.
const version = "ruleparse/32"

// Parse fills out[i] from texts[i]. It returns an error only if ctx is done or a GPU fails.
func (p *Parser) Parse(ctx context.Context, texts []string, out []schemas.Parsed) error {
	return p.ParseGiven(ctx, texts, nil, out)
}

// ParseGiven is Parse with given objects: the objects of texts[i] are the phrases given[i], or those that the model
// finds if given[i] is nil. out[i].Unused has the phrases that do not occur in the text or are no object of its graph.
func (p *Parser) ParseGiven(ctx context.Context, texts []string, given [][]schemas.Phrase, out []schemas.Parsed) error {
	if len(texts) != len(out) || given != nil && len(given) != len(texts) {
		return fmt.Errorf("ruleparse: %d texts, %d lists of phrases, %d results", len(texts), len(given), len(out))
	}
	if given == nil {
		given = make([][]schemas.Phrase, len(texts))
	}
	together := 128 // number of captions; the encoder reads those of which the linear model is unsure
	if p.model.Analyst.Card != nil {
		together = 1024 // enough work for a GPU
	}
	for len(texts) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(len(texts), together)
		if err := p.parseTogether(texts[:n], given[:n], out[:n]); err != nil {
			return fmt.Errorf("ruleparse: %w", err)
		}
		texts, given, out = texts[n:], given[n:], out[n:]
	}
	return nil
}

// ParseText fills out from one text. It reuses the memory of out.
func (p *Parser) ParseText(text string, out *schemas.Parsed) {
	w := p.pool.Get().(*workspace)
	defer p.pool.Put(w)
	p.read(w, text, nil)
	p.finish(w, text, out)
}

// read sets w to the tokens of text and to the places of the given phrases.
func (p *Parser) read(w *workspace, text string, given []schemas.Phrase) {
	p.model.Reader.Read(&w.text, text)
	if w.given.asked = given != nil; w.given.asked {
		p.findPhrases(w, given)
		w.decoder.SetGiven(w.given.found, w.text.Tokens)
	} else {
		w.decoder.ForgetGiven()
	}
}

// parseTogether fills out[i] from texts[i].
func (p *Parser) parseTogether(texts []string, given [][]schemas.Phrase, out []schemas.Parsed) error {
	if p.model.Analyst.Encoder == nil {
		w := p.pool.Get().(*workspace)
		defer p.pool.Put(w)
		for i, t := range texts {
			p.read(w, t, given[i])
			p.finish(w, t, &out[i])
		}
		return nil
	}
	all, decoders := make([]*workspace, len(texts)), make([]*analysis.Decoder, len(texts))
	for i, t := range texts {
		w := p.pool.Get().(*workspace)
		defer p.pool.Put(w)
		p.read(w, t, given[i])
		p.model.Analyst.Prepare(&w.decoder, w.text.Tokens)
		all[i], decoders[i] = w, &w.decoder
	}
	if err := p.model.Analyst.Encode(decoders); err != nil {
		return err
	}
	for i, w := range all {
		p.finish(w, texts[i], &out[i])
	}
	return nil
}

// finish fills out with the graph of text, whose tokens are in w.
func (p *Parser) finish(w *workspace, text string, out *schemas.Parsed) {
	out.Reset()
	out.Parser = p.Name()
	x := p.model.Analyst.Analyse(&w.decoder, w.text.Tokens)
	w.reading.Analysis = x
	out.Confidence = min(float32(portable.Exp(float64(x.Score))), maxConfidence)
	p.rules.Correct(&w.reading, w.text.Tokens)
	out.Tokens = p.model.Reader.AppendTokens(&w.text, out.Tokens) // rules may have changed their tags
	p.model.Analyst.SetQuality(&w.decoder, out.Tokens)
	p.rules.Build(text, w.text.Low, w.text.Tokens, &w.reading, &out.Graph)
	cutTags(text, &out.Graph)
	if w.given.asked {
		out.Parser += givenMark
		out.Unused = w.appendUnused(out.Unused)
	}
}

// Tokens appends the tokens of text, with tags and lemmas, to out[:0].
func (p *Parser) Tokens(text string, out []schemas.Token) []schemas.Token {
	w := p.pool.Get().(*workspace)
	defer p.pool.Put(w)
	p.model.Reader.Read(&w.text, text)
	return p.model.Reader.AppendTokens(&w.text, out[:0])
}

// NounPhrase fills out with the object that text names: its last noun, with the nouns before that, is the name, and
// adjectives before those are attributes.
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

// LeaveOut makes p skip the rules with these names, to measure their effect. Do not call it while p parses.
func (p *Parser) LeaveOut(names ...string) error { return p.rules.LeaveOut(names...) }

// Factual returns the graph of x in FACTUAL's conventions and linearised form. An empty graph is
// the empty string.
func (p *Parser) Factual(x *schemas.Parsed) string {
	return p.model.Rewriter.Linearise(withoutDenied(&x.Graph), hasSeveralSentences(x))
}

// Triples returns the graph of x in FACTUAL's conventions, or DiscoSG's if x has several sentences:
// relations first, then attributes, then objects that have neither.
func (p *Parser) Triples(x *schemas.Parsed) []scenegraph.Triple {
	return p.model.Rewriter.Triples(withoutDenied(&x.Graph), hasSeveralSentences(x))
}

// withoutDenied returns g without the objects, attributes and relations that the caption denies: g itself if there are
// none, else a copy.
func withoutDenied(g *schemas.SceneGraph) *schemas.SceneGraph {
	c := g.Clone()
	c.RemoveDenied()
	return &c
}

// hasSeveralSentences reports whether x has more than one sentence.
func hasSeveralSentences(x *schemas.Parsed) bool {
	end := slices.IndexFunc(x.Tokens, func(t schemas.Token) bool { return t.Tag == penn.Period.String() })
	return end >= 0 && end+1 < len(x.Tokens)
}
