package negatives

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
)

// decodeNegCLIP reads the TSV of NegCLIP's generator, with the columns title, filepath and
// neg_caption. The last is a Python list literal; the file path is the image key.
func decodeNegCLIP(r io.Reader, name string) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		c := csv.NewReader(r)
		c.Comma = '\t'
		header, err := c.Read()
		if err != nil {
			yield(Row{}, fmt.Errorf("%s: no header line: %w", name, err))
			return
		}
		column := map[string]int{}
		for i, h := range header {
			column[h] = i
		}
		title, image, negatives := column["title"], column["filepath"], column["neg_caption"]
		for _, want := range []string{"title", "filepath", "neg_caption"} {
			if _, ok := column[want]; !ok {
				yield(Row{}, fmt.Errorf("%s: no column %q: NegCLIP's TSV has title, filepath and neg_caption", name, want))
				return
			}
		}
		for n := 1; ; n++ {
			fields, err := c.Read()
			if errors.Is(err, io.EOF) {
				return
			}
			place := fmt.Sprintf("%s, row %d", name, n)
			if err != nil {
				yield(Row{}, fmt.Errorf("%s: %w", place, err))
				return
			}
			texts, err := parseStringList(fields[negatives])
			if err != nil {
				yield(Row{}, fmt.Errorf("%s, column neg_caption: %w", place, err))
				return
			}
			row := Row{Image: fields[image], Positives: []string{fields[title]}}
			for _, text := range texts {
				row.Negatives = append(row.Negatives, Negative{Text: text})
			}
			if !yield(row, nil) {
				return
			}
		}
	}
}
