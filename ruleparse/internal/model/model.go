// Package model reads model files of the parser, and embeds the model that the trainer wrote.
package model

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"capgraph/kernels/cuda"
	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/encoder"
	"capgraph/ruleparse/internal/factual"
	"capgraph/ruleparse/internal/tokens"
)

// embedded is written by `go run ./ruleparse/tools/train`; NOTICE names its sources.
//
//go:embed model.bin
var embedded string

// embeddedVerbs is written by `go run ./ruleparse/tools/train -verbs`.
//
//go:embed verbs.bin
var embeddedVerbs string

const magic = "capgraph ruleparse 1\n"

// Model has the learned weights of the parser.
type Model struct {
	Reader   *tokens.Reader
	Analyst  analysis.Analyst
	Rewriter *factual.Rewriter
}

// embeddedEncoder is written by ruleparse/tools/teach; NOTICE names its sources.
//
//go:embed encoder.bin
var embeddedEncoder string

// embeddedQuality is written by `go run ./ruleparse/tools/quality`.
//
//go:embed quality.bin
var embeddedQuality string

// Encoder returns the embedded encoder, which it reads once.
var Encoder = sync.OnceValues(func() (*analysis.Encoder, error) {
	e, err := analysis.ReadEncoder(embeddedEncoder)
	if err != nil {
		return nil, err
	}
	if err := e.AddQuality(embeddedQuality); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	return e, nil
})

// cards are the encoders on GPUs, by number. They stay until the process ends.
var cards = struct {
	sync.Mutex
	open map[int]*encoder.Card
}{open: map[int]*encoder.Card{}}

// EncoderOnCard returns the embedded encoder on a GPU. It copies it there once.
func EncoderOnCard(number int) (*encoder.Card, error) {
	cards.Lock()
	defer cards.Unlock()
	if c := cards.open[number]; c != nil {
		return c, nil
	}
	e, err := Encoder()
	if err != nil {
		return nil, err
	}
	d, err := cuda.Open(number, cuda.Float32)
	if err != nil {
		return nil, err
	}
	c, err := e.MoveTo(d)
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	cards.open[number] = c
	return c, nil
}

// Embedded returns the embedded model.
func Embedded() (*Model, error) {
	m, err := Read(embedded)
	if err != nil {
		return nil, err
	}
	if m.Reader.Tagger.Verbs, err = tokens.ReadSubjectVerbs(embeddedVerbs); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	return m, nil
}

// Read reads a model from the contents of its file.
func Read(s string) (*Model, error) {
	parts, err := readSections(s)
	if err != nil {
		return nil, err
	}
	m := new(Model)
	if m.Reader, err = tokens.NewReader(parts["lexicon"], parts["names"]); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	if m.Reader.Tagger, err = tokens.ReadTagger(parts["tagger"]); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	if m.Reader.Tagger.Plurals, err = tokens.ReadPluralVerbs(parts["plurals"]); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	if m.Analyst, err = analysis.ReadAnalyst(parts["labels"], parts["pairs"], parts["whole"]); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	if m.Rewriter, err = factual.ReadRewriter(parts["rewriter"], m.Reader.Lexicon); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	return m, nil
}

// readSections splits a model file into its sections by name. After the magic each section has: the
// length of its name in one byte, the name, the length of its data in four bytes, the data.
func readSections(s string) (map[string]string, error) {
	if len(s) < len(magic) || s[:len(magic)] != magic {
		return nil, fmt.Errorf("model: not a file of ruleparse's trainer")
	}
	s = s[len(magic):]
	m := make(map[string]string)
	for len(s) > 0 {
		n := int(s[0])
		if len(s) < 1+n+4 {
			return nil, fmt.Errorf("model: cut off")
		}
		name := s[1 : 1+n]
		size := binary.LittleEndian.Uint32([]byte(s[1+n : 5+n]))
		s = s[5+n:]
		if uint64(len(s)) < uint64(size) {
			return nil, fmt.Errorf("model: section %s is cut off", name)
		}
		m[name], s = s[:size], s[size:]
	}
	return m, nil
}

// AppendSection appends a section to a model file in the format that Read reads. If b is empty, it
// writes the magic first.
func AppendSection(b []byte, name string, data []byte) []byte {
	if len(b) == 0 {
		b = append(b, magic...)
	}
	b = append(b, byte(len(name)))
	b = append(b, name...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(data)))
	return append(b, data...)
}
