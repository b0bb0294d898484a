package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/folder"
	"capgraph/schemas"
	"capgraph/stages"
	"capgraph/store"
	"capgraph/worker"
)

// textsCommand makes the texts of captions.
type textsCommand struct {
	Vocabulary string   `help:"The output folder of a run, whose counts are used (default: counts of public captions)." placeholder:"DIR"`
	Seed       uint64   `help:"The seed of all choices." default:"0"`
	Set        []string `placeholder:"KEY=VALUE" sep:"none" help:"Set a key of a recipe's sections clean, filter, texts and negatives. May be given several times."`
}

// textsBatch is how many captions are made texts of at a time.
const textsBatch = 128

// Run implements texts.
func (c *textsCommand) Run(ctx context.Context, std streams) error {
	sets := append([]string{fmt.Sprint("seed=", c.Seed)}, c.Set...)
	maker, err := worker.NewTextMaker(sets, folder.Folder{Store: store.Local{}, Dir: c.Vocabulary})
	if err != nil {
		return err
	}
	in, out := bufio.NewReaderSize(std.in, 1<<16), bufio.NewWriter(std.out)
	var batch []stages.Caption
	for row := int64(0); ; row++ {
		line, err := in.ReadString('\n')
		if line != "" {
			text := strings.ToValidUTF8(strings.TrimRight(line, "\r\n"), "\uFFFD")
			batch = append(batch, stages.Caption{Row: row, Text: text, Key: text, ImageKey: "\x00" + text})
		}
		ended := errors.Is(err, io.EOF)
		if err != nil && !ended {
			return fmt.Errorf("standard input: %w", err)
		}
		if ended || len(batch) == textsBatch || in.Buffered() == 0 {
			if err := writeTexts(ctx, out, maker, batch); err != nil {
				return err
			}
			batch = batch[:0]
		}
		if ended {
			return nil
		}
	}
}

func (c *textsCommand) stopError() error {
	return errors.New("stopped before the end of standard input")
}

// textsLine is a line of texts: the texts of a caption, or why it was rejected.
type textsLine struct {
	Row       int64           `json:"row"`
	Text      string          `json:"text,omitempty"`
	Positives []textsPositive `json:"positives,omitempty"`
	Negatives []textsNegative `json:"negatives,omitempty"`
	Reject    string          `json:"reject,omitempty"`
}

type textsPositive struct {
	Text       string  `json:"text"`
	Kind       string  `json:"kind"`
	Confidence float32 `json:"confidence"`
}

type textsNegative struct {
	Text    string  `json:"text"`
	Of      int16   `json:"of"`
	Method  string  `json:"method"`
	Changed string  `json:"changed"`
	Score   float32 `json:"score"`
}

// writeTexts writes a line for each caption. Each is made by itself, so that captions that repeat one
// another are no captions of one image.
func writeTexts(ctx context.Context, out *bufio.Writer, maker *stages.Maker, captions []stages.Caption) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for i := range captions {
		made, rejects, err := maker.Texts(ctx, captions[i:i+1], stages.TextColumns())
		if err != nil {
			return fmt.Errorf("line %d: %w", captions[i].Row+1, err)
		}
		line := textsLine{Row: captions[i].Row}
		if len(rejects) > 0 {
			line.Reject = rejects[0].Reason
		} else if err := line.readTexts(made); err != nil {
			return err
		}
		made.Release()
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	return out.Flush()
}

// readTexts reads the texts of the only row of a batch.
func (l *textsLine) readTexts(batch arrow.Record) error {
	column := func(name string) *array.List {
		return batch.Column(batch.Schema().FieldIndices(name)[0]).(*array.List)
	}
	text := func(name string) *array.String { return column(name).ListValues().(*array.String) }
	number := func(name string) *array.Float32 { return column(name).ListValues().(*array.Float32) }
	texts, err := schemas.Strings(batch, schemas.ColText)
	if err != nil {
		return err
	}
	l.Text = texts[0].Value(0)
	pos, kind, confidence := text(schemas.ColPos), text(schemas.ColPosKind), number(schemas.ColPosConf)
	for i := range pos.Len() {
		l.Positives = append(l.Positives, textsPositive{pos.Value(i), kind.Value(i), confidence.Value(i)})
	}
	neg, method, changed, score := text(schemas.ColNeg), text(schemas.ColNegMethod), text(schemas.ColNegChanged), number(schemas.ColNegScore)
	of := column(schemas.ColNegOf).ListValues().(*array.Int16)
	for i := range neg.Len() {
		l.Negatives = append(l.Negatives, textsNegative{neg.Value(i), of.Value(i), method.Value(i), changed.Value(i), score.Value(i)})
	}
	return nil
}
