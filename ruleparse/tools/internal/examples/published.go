package examples

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"capgraph/internal/annotated"
)

// publishedGraphs has graphs without the texts of their captions, which are in the data: gzip of
// JSON lines, each a publishedGraph.
//
//go:embed graphs.jsonl.gz
var publishedGraphs []byte

// publishedGraph is a graph whose caption is identified by file and row. The texts of names and
// attributes are empty; only their offsets are stored.
type publishedGraph struct {
	Source    string               `json:"source"`
	File      string               `json:"file"` // path in the folder of the data
	Row       int                  `json:"row"`  // index of the caption in the file
	Hash      string               `json:"hash"` // of the caption, by hashText
	Objects   []annotated.Object   `json:"objects"`
	Relations []annotated.Relation `json:"relations"`
}

// captionFiles are the files with the captions of publishedGraphs.
var captionFiles = []string{"webalt/train_5000.parquet", "webalt/train_more.parquet", "cc3m/cc3m_val_first8000.tsv", "coco/captions_val2017.json"}

// ReadPublished returns the graphs in graphs.jsonl.gz with their captions, which it reads from the
// data.
func (s *Source) ReadPublished() ([]annotated.Row, error) { return s.readPublished(publishedGraphs) }

func (s *Source) readPublished(file []byte) ([]annotated.Row, error) {
	z, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("graphs.jsonl.gz: %w", err)
	}
	var rows []annotated.Row
	captions, d := map[string][]string{}, json.NewDecoder(z)
	for n := 1; ; n++ {
		var g publishedGraph
		if err := d.Decode(&g); err == io.EOF {
			return rows, nil
		} else if err != nil {
			return nil, fmt.Errorf("graphs.jsonl.gz: row %d: %w", n, err)
		}
		if captions[g.File] == nil {
			if captions[g.File], err = s.readCaptions(g.File); err != nil {
				return nil, fmt.Errorf("graphs.jsonl.gz: row %d: %w", n, err)
			}
		}
		row, err := g.addCaption(captions[g.File])
		if err != nil {
			return nil, fmt.Errorf("graphs.jsonl.gz: row %d: %w", n, err)
		}
		rows = append(rows, row)
	}
}

// addCaption returns g as a row with its caption, which is one of captions.
func (g *publishedGraph) addCaption(captions []string) (row annotated.Row, err error) {
	if g.Row < 0 || g.Row >= len(captions) {
		return row, fmt.Errorf("%s has %d captions and not the one of row %d: is it the file that the graphs were made for?", g.File, len(captions), g.Row)
	}
	for _, text := range annotatedForms(captions[g.Row]) {
		if hashText(text) != g.Hash {
			continue
		}
		row = annotated.Row{Source: g.Source, Text: text, Objects: g.Objects, Relations: g.Relations}
		if err := row.Validate(); err != nil {
			return row, err
		}
		eachText(&row, func(s *string, at annotated.Span) {
			if at.Begin < 0 {
				err = fmt.Errorf("a name or an attribute has no offsets")
				return
			}
			*s = text[at.Begin:at.End]
		})
		return row, err
	}
	return row, fmt.Errorf("%s has another caption in row %d than the one that was annotated: is it the file that the graphs were made for?", g.File, g.Row)
}

// WriteGraphs writes the result of ReadPublished as JSON lines, for capgraph eval graphs.
func (s *Source) WriteGraphs(out io.Writer) error {
	rows, err := s.ReadPublished()
	if err != nil {
		return err
	}
	e := json.NewEncoder(out)
	for i := range rows {
		if err := e.Encode(&rows[i]); err != nil {
			return err
		}
	}
	return nil
}

// PackGraphs reads annotated graphs as JSON lines and writes them as graphs.jsonl.gz. Their
// captions must be in the data.
func (s *Source) PackGraphs(in io.Reader, out io.Writer) error {
	places, err := s.placesOfCaptions()
	if err != nil {
		return err
	}
	z, _ := gzip.NewWriterLevel(out, gzip.BestCompression)
	e, n := json.NewEncoder(z), 0
	for row, err := range annotated.Read(in, "standard input") {
		if err != nil {
			return err
		}
		n++
		g, ok := places[row.Text]
		if !ok {
			return fmt.Errorf("standard input: row %d: %q is in none of %s", n, row.Text, strings.Join(captionFiles, ", "))
		}
		eachText(&row, func(s *string, at annotated.Span) {
			if err == nil && (at.Begin < 0 || *s != row.Text[at.Begin:at.End]) {
				err = fmt.Errorf("standard input: row %d: %q is not the text at %d", n, *s, at.Begin)
			}
			*s = ""
		})
		if err != nil {
			return err
		}
		g.Source, g.Hash, g.Objects, g.Relations = row.Source, hashText(row.Text), row.Objects, row.Relations
		if err := e.Encode(g); err != nil {
			return err
		}
	}
	return z.Close()
}

// placesOfCaptions returns for each form of each caption the first file and row that has it.
func (s *Source) placesOfCaptions() (map[string]publishedGraph, error) {
	places := map[string]publishedGraph{}
	for _, file := range captionFiles {
		captions, err := s.readCaptions(file)
		if err != nil {
			return nil, err
		}
		for i, c := range captions {
			for _, text := range annotatedForms(c) {
				if _, ok := places[text]; !ok {
					places[text] = publishedGraph{File: file, Row: i}
				}
			}
		}
	}
	return places, nil
}

// readCaptions returns the captions of one of captionFiles.
func (s *Source) readCaptions(file string) ([]string, error) {
	if !slices.Contains(captionFiles, file) {
		return nil, fmt.Errorf("%q is none of %s", file, strings.Join(captionFiles, ", "))
	}
	path := filepath.Join(s.Data, filepath.FromSlash(file))
	switch filepath.Ext(file) {
	case ".parquet":
		return readTextColumn(path)
	case ".tsv":
		return readTSV(path)
	}
	return readCOCO(path)
}

// boldMarks removes HTML tags that annotators were not shown.
var boldMarks = strings.NewReplacer("<b>", "", "</b>", "", "<i>", "", "</i>", "")

// annotatedForms returns the texts that annotators may have been shown for a caption: on one line,
// with and without HTML tags.
func annotatedForms(caption string) [2]string {
	oneLine := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	return [2]string{oneLine(caption), oneLine(boldMarks.Replace(html.UnescapeString(caption)))}
}

// hashText returns the first 16 hexadecimal digits of the SHA-256 of a text.
func hashText(text string) string {
	sum := sha256.Sum256([]byte(text))
	return fmt.Sprintf("%x", sum[:8])
}

// eachText calls f with each text in a row that is copied from the caption, and its offsets.
func eachText(r *annotated.Row, f func(text *string, at annotated.Span)) {
	for i := range r.Objects {
		o := &r.Objects[i]
		f(&o.Name, annotated.Span{Begin: o.Begin, End: o.End})
		for k := range o.Attributes {
			f(&o.Attributes[k].Text, o.Attributes[k].Span)
		}
		if o.Quantity.Span != (annotated.Span{}) {
			f(&o.Quantity.Text, o.Quantity.Span)
		}
	}
}
