package graphs

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"capgraph/scenegraph"
)

// Gold is one row of FACTUAL's CSV.
type Gold struct {
	Caption string
	Triples []Triple
}

// ReadGold reads a CSV with the columns caption and scene_graph; name is what
// errors call it. It ends at the first error, which names the file and the row;
// one of reading goes through as it is. With skip, a row whose graph cannot be
// read is left out and given to skip instead.
func ReadGold(file io.Reader, name string, skip func(row int, err error)) iter.Seq2[Gold, error] {
	return func(yield func(Gold, error) bool) {
		r := csv.NewReader(file)
		header, err := r.Read()
		if errors.Is(err, io.EOF) {
			err = fmt.Errorf("%s: is empty and has no header", name)
		}
		if err != nil {
			yield(Gold{}, placed(err, name, 0))
			return
		}
		caption, graph := slices.Index(header, "caption"), slices.Index(header, "scene_graph")
		if caption < 0 || graph < 0 {
			yield(Gold{}, fmt.Errorf("%s: the header lacks caption or scene_graph: %q", name, header))
			return
		}
		for row := 1; ; row++ {
			fields, err := r.Read()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(Gold{}, placed(err, name, row))
				return
			}
			ts, err := scenegraph.ParseTriples(fields[graph])
			if err != nil && skip != nil {
				skip(row, err)
				continue
			}
			if err != nil {
				yield(Gold{}, fmt.Errorf("%s: row %d: %w", name, row, err))
				return
			}
			if !yield(Gold{fields[caption], ts}, nil) {
				return
			}
		}
	}
}

// placed says where CSV is malformed.
func placed(err error, name string, row int) error {
	var p *csv.ParseError
	if errors.As(err, &p) {
		return fmt.Errorf("%s: row %d: %w", name, row, err)
	}
	return err
}
