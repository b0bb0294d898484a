package ruleparse

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"capgraph/schemas"
)

// Parser parses captions. It holds nothing but its model and is safe for
// concurrent use.
type Parser struct {
	lexicon               *lexicon
	known                 knownNames
	persons               persons
	closed                map[string]tag
	tagger                *tagger // nil: tags by the lexicon alone
	labels                weights // of tokens as parts of objects and attributes
	pairs                 weights // of attributes and objects, of candidates for relations
	whole                 weights // of a whole analysis; empty: the likeliest is chosen
	labelTrust, pairTrust float32 // what the logarithms of probabilities count beside it
	rewriter              *rewriter
	without               map[string]bool // names of rules that are left out, to measure them
	pool                  sync.Pool       // of *work
}

// work is the memory of one parse, used again for the next.
type work struct {
	spans   []span
	low     string
	bytes   []byte
	decoder decoder
}

// surest is the highest confidence: no graph is certain.
const surest = 0.999

// New returns a parser with the embedded model.
func New() (*Parser, error) { return read(embedded) }

// read returns a parser with the model whose file holds s.
func read(s string) (*Parser, error) {
	parts, err := sections(s)
	if err != nil {
		return nil, err
	}
	p := &Parser{closed: closedTags()}
	if p.lexicon, err = readLexicon(parts["lexicon"]); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	p.known, p.persons = readKnownNames(parts["names"]), readPersons(personsFile)
	if s, ok := parts["tagger"]; ok {
		if p.tagger, err = readTagger(s); err != nil {
			return nil, fmt.Errorf("model: %w", err)
		}
	}
	if p.labels, err = readWeights(parts["labels"], labelCount); err != nil {
		return nil, fmt.Errorf("model: labels: %w", err)
	}
	if p.pairs, err = readWeights(parts["pairs"], 1); err != nil {
		return nil, fmt.Errorf("model: pairs: %w", err)
	}
	if s, ok := parts["whole"]; ok {
		if len(s) < 8 {
			return nil, fmt.Errorf("model: whole: cut off")
		}
		p.labelTrust = math.Float32frombits(binary.LittleEndian.Uint32([]byte(s[:4])))
		p.pairTrust = math.Float32frombits(binary.LittleEndian.Uint32([]byte(s[4:8])))
		if p.whole, err = readWeights(s[8:], 1); err != nil {
			return nil, fmt.Errorf("model: whole: %w", err)
		}
	}
	if p.rewriter, err = readRewriter(parts["rewriter"]); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	p.pool.New = func() any { return new(work) }
	return p, nil
}

// Name is the name and the version of the parser and its model.
func (p *Parser) Name() string { return "ruleparse/22" }

// Parse fills out[i] from texts[i]. It returns an error only where ctx is done.
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
	w := p.pool.Get().(*work)
	defer p.pool.Put(w)
	out.Reset()
	out.Parser = p.Name()
	p.read(w, text)
	x := p.analyse(&w.decoder, w.spans)
	out.Confidence = min(exp(x.score), surest)
	p.mend(x, w.spans)
	out.Tokens = p.tokens(w, out.Tokens) // rules may have given them other tags
	p.buildGraph(text, w.low, w.spans, x, &out.Graph)
}

// Tokens appends the tokens of text, with tags and lemmas, to out[:0].
func (p *Parser) Tokens(text string, out []schemas.Token) []schemas.Token {
	w := p.pool.Get().(*work)
	defer p.pool.Put(w)
	p.read(w, text)
	return p.tokens(w, out[:0])
}

// read tokenises and tags text into w.
func (p *Parser) read(w *work, text string) {
	w.low, w.bytes = lower(text, w.bytes)
	w.spans = tokenize(text, w.low, w.spans[:0])
	p.lexicon.look(w.spans)
	if p.tagger != nil {
		p.tagger.run(w.spans)
	} else {
		tagByLexicon(p.closed, w.spans)
	}
	for i := range w.spans {
		t := &w.spans[i]
		base := p.lexicon.plain(t)
		t.lemma, t.be = hashString(base), base == "be"
	}
	markMeasures(w.spans)
	p.known.mark(w.low, w.spans)
	p.persons.mark(w.spans)
	locate(w.spans)
}

func (p *Parser) tokens(w *work, out []schemas.Token) []schemas.Token {
	out = slices.Grow(out, len(w.spans))
	for i := range w.spans {
		t := &w.spans[i]
		out = append(out, schemas.Token{Begin: t.begin, End: t.end, Tag: t.tag.String(), Lemma: p.lexicon.lemma(t)})
	}
	return out
}

// NounPhrase fills out with text as one object: the last noun and the nouns
// before it are the name, adjectives before them attributes.
func (p *Parser) NounPhrase(text string, out *schemas.Object) {
	var parsed schemas.Parsed
	p.ParseText(text, &parsed)
	if n := len(parsed.Graph.Objects); n > 0 {
		*out = parsed.Graph.Objects[n-1]
		return
	}
	*out = schemas.Object{Name: strings.ToLower(text), End: int32(len(text))}
	if n := len(parsed.Tokens); n > 0 {
		last := parsed.Tokens[n-1]
		w := strings.ToLower(text[last.Begin:last.End])
		out.Head = p.lexicon.baseOf(w, p.lexicon.find(w, hashString(w)), 0)
	}
}
