package graphs

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"capgraph/scenegraph"
)

// Gold is a caption with its graph in FACTUAL's form.
type Gold struct {
	Caption string
	Triples []Triple
}

// IsAnnotated reports whether a file of gold begins with an object, as JSON lines of annotated
// graphs do. FACTUAL's form does not.
func IsAnnotated(in *bufio.Reader) bool { return firstByte(in) == '{' }

// firstByte returns the first byte of a file after white space, or 0.
func firstByte(in *bufio.Reader) byte {
	for n := 1; ; n++ {
		b, err := in.Peek(n)
		if err != nil {
			return 0
		}
		if c := b[n-1]; !strings.ContainsRune(" \t\r\n", rune(c)) {
			return c
		}
	}
}

// ReadGold reads a CSV with the columns caption and scene_graph, or a JSON array of objects with
// these fields (DiscoSG's form). name is the file's name in errors. It ends at the first error,
// which names the file and the row; an error of reading is returned as it is. With skip, a row
// whose graph cannot be read is passed to skip and left out.
func ReadGold(file io.Reader, name string, skip func(row int, err error)) iter.Seq2[Gold, error] {
	in := bufio.NewReader(file)
	rows := readGoldCSV(in, name)
	if firstByte(in) == '[' {
		rows = readGoldJSON(in, name)
	}
	return func(yield func(Gold, error) bool) {
		row := 0
		for fields, err := range rows {
			if err != nil {
				yield(Gold{}, err)
				return
			}
			row++
			ts, err := scenegraph.ParseTriples(fields.Graph)
			if err != nil && skip != nil {
				skip(row, err)
				continue
			}
			if err != nil {
				yield(Gold{}, fmt.Errorf("%s: row %d: %w", name, row, err))
				return
			}
			if !yield(Gold{fields.Caption, ts}, nil) {
				return
			}
		}
	}
}

// goldFields are the fields of a row.
type goldFields struct {
	Caption string `json:"caption"`
	Graph   string `json:"scene_graph"`
}

func readGoldCSV(in io.Reader, name string) iter.Seq2[goldFields, error] {
	return func(yield func(goldFields, error) bool) {
		r := csv.NewReader(in)
		header, err := r.Read()
		if errors.Is(err, io.EOF) {
			err = fmt.Errorf("%s: is empty and has no header", name)
		}
		if err != nil {
			yield(goldFields{}, locateCSVError(err, name, 0))
			return
		}
		caption, graph := slices.Index(header, "caption"), slices.Index(header, "scene_graph")
		if caption < 0 || graph < 0 {
			yield(goldFields{}, fmt.Errorf("%s: the header lacks caption or scene_graph: %q", name, header))
			return
		}
		for row := 1; ; row++ {
			fields, err := r.Read()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(goldFields{}, locateCSVError(err, name, row))
				return
			}
			if !yield(goldFields{fields[caption], fields[graph]}, nil) {
				return
			}
		}
	}
}

func readGoldJSON(in io.Reader, name string) iter.Seq2[goldFields, error] {
	return func(yield func(goldFields, error) bool) {
		row := 0
		for f, err := range readArray[goldFields](in, name) {
			row++
			if err == nil && f.Caption == "" {
				err = fmt.Errorf("%s: row %d: no caption (want objects with caption and scene_graph)", name, row)
			}
			if !yield(f, err) || err != nil {
				return
			}
		}
	}
}

// locateCSVError adds the file and the row to an error of malformed CSV.
func locateCSVError(err error, name string, row int) error {
	var p *csv.ParseError
	if errors.As(err, &p) {
		return fmt.Errorf("%s: row %d: %w", name, row, err)
	}
	return err
}
