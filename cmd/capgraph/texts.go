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

// textsBatch is the number of captions whose texts are made together.
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
	inBatch := map[string]bool{}
	flush := func() error {
		err := writeTexts(ctx, out, maker, batch)
		batch = batch[:0]
		clear(inBatch)
		return err
	}
	for row := int64(0); ; row++ {
		line, err := in.ReadString('\n')
		if line != "" {
			text := strings.ToValidUTF8(strings.TrimRight(line, "\r\n"), "\uFFFD")
			if inBatch[text] { // a repeated line is not a second caption of an image
				if err := flush(); err != nil {
					return err
				}
			}
			inBatch[text] = true
			batch = append(batch, stages.Caption{Row: row, Text: text, Key: text, ImageKey: "\x00" + text})
		}
		ended := errors.Is(err, io.EOF)
		if err != nil && !ended {
			return fmt.Errorf("standard input: %w", err)
		}
		if ended || len(batch) == textsBatch || in.Buffered() == 0 { // someone may be waiting at a terminal
			if err := flush(); err != nil {
				return err
			}
		}
		if ended {
			return nil
		}
	}
}

func (c *textsCommand) stopError() error {
	return errors.New("stopped before the end of standard input")
}

// textsLine is a line of output: the texts of a caption. Without positives or negatives, the list is []
// and not left out.
type textsLine struct {
	Row       int64           `json:"row"`
	Text      string          `json:"text"`
	Positives []textsPositive `json:"positives"`
	Negatives []textsNegative `json:"negatives"`
}

// textsReject is the line of a rejected caption, with the reason. Its lists are empty.
type textsReject struct {
	textsLine
	Reject string `json:"reject"`
	Detail string `json:"detail,omitempty"`
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

// writeTexts writes a line for each caption.
func writeTexts(ctx context.Context, out *bufio.Writer, maker *stages.Maker, captions []stages.Caption) error {
	if len(captions) == 0 {
		return nil
	}
	made, rejects, err := maker.Texts(ctx, captions, stages.TextColumns())
	if err != nil {
		return fmt.Errorf("lines %d to %d: %w", captions[0].Row+1, captions[len(captions)-1].Row+1, err)
	}
	defer made.Release()
	reader, err := newTextsReader(made)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	at := 0
	for _, c := range captions {
		var line any
		if len(rejects) > 0 && rejects[0].Row == c.Row {
			none := textsLine{Row: c.Row, Positives: []textsPositive{}, Negatives: []textsNegative{}}
			line, rejects = textsReject{none, rejects[0].Reason, rejects[0].Detail}, rejects[1:]
		} else {
			line = reader.readRow(at, c.Row)
			at++
		}
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	return out.Flush()
}

// textsReader reads the rows of a batch of texts.
type textsReader struct {
	text                            *array.String
	pos, kind, neg, method, changed *array.String
	confidence, score               *array.Float32
	of                              *array.Int16
	positives, negatives            *array.List
}

func newTextsReader(batch arrow.Record) (*textsReader, error) {
	texts, err := schemas.Strings(batch, schemas.ColText)
	if err != nil {
		return nil, err
	}
	column := func(name string) *array.List {
		return batch.Column(batch.Schema().FieldIndices(name)[0]).(*array.List)
	}
	text := func(name string) *array.String { return column(name).ListValues().(*array.String) }
	number := func(name string) *array.Float32 { return column(name).ListValues().(*array.Float32) }
	return &textsReader{
		text: texts[0], positives: column(schemas.ColPos), negatives: column(schemas.ColNeg),
		pos: text(schemas.ColPos), kind: text(schemas.ColPosKind), confidence: number(schemas.ColPosConf),
		neg: text(schemas.ColNeg), method: text(schemas.ColNegMethod), changed: text(schemas.ColNegChanged), score: number(schemas.ColNegScore),
		of: column(schemas.ColNegOf).ListValues().(*array.Int16),
	}, nil
}

// readRow returns the line of row i.
func (r *textsReader) readRow(i int, row int64) *textsLine {
	line := &textsLine{Row: row, Text: r.text.Value(i), Positives: []textsPositive{}, Negatives: []textsNegative{}}
	begin, end := r.positives.ValueOffsets(i)
	for j := int(begin); j < int(end); j++ {
		line.Positives = append(line.Positives, textsPositive{r.pos.Value(j), r.kind.Value(j), r.confidence.Value(j)})
	}
	begin, end = r.negatives.ValueOffsets(i)
	for j := int(begin); j < int(end); j++ {
		line.Negatives = append(line.Negatives, textsNegative{r.neg.Value(j), r.of.Value(j), r.method.Value(j), r.changed.Value(j), r.score.Value(j)})
	}
	return line
}
