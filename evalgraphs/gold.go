package evalgraphs

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"

	"capgraph/scenegraph"
)

// Gold is one row of FACTUAL's CSV.
type Gold struct {
	Caption string
	Triples []Triple
}

// ReadGold reads a CSV with the columns caption and scene_graph. It ends at the
// first error, which names the file and the row. With skip, a row whose graph
// cannot be read is left out and given to skip instead.
func ReadGold(path string, skip func(row int, err error)) iter.Seq2[Gold, error] {
	return func(yield func(Gold, error) bool) {
		f, err := os.Open(path)
		if err != nil {
			yield(Gold{}, err)
			return
		}
		defer f.Close()
		r := csv.NewReader(f)
		header, err := r.Read()
		if err != nil {
			yield(Gold{}, fmt.Errorf("%s: no header: %w", path, err))
			return
		}
		caption, graph := slices.Index(header, "caption"), slices.Index(header, "scene_graph")
		if caption < 0 || graph < 0 {
			yield(Gold{}, fmt.Errorf("%s: the header lacks caption or scene_graph: %q", path, header))
			return
		}
		for row := 1; ; row++ {
			fields, err := r.Read()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(Gold{}, fmt.Errorf("%s: row %d: %w", path, row, err))
				return
			}
			ts, err := scenegraph.ParseTriples(fields[graph])
			if err != nil && skip != nil {
				skip(row, err)
				continue
			}
			if err != nil {
				yield(Gold{}, fmt.Errorf("%s: row %d: %w", path, row, err))
				return
			}
			if !yield(Gold{fields[caption], ts}, nil) {
				return
			}
		}
	}
}
