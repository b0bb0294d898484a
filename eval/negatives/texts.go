package negatives

import (
	"fmt"
	"iter"
	"os"
	"strings"

	"capgraph/schemas"
)

// decodeTexts reads one Parquet file of texts/.
func decodeTexts(f *os.File, name string) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		if err := readTexts(f, yield); err != nil {
			yield(Row{}, fmt.Errorf("%s: %w", name, err))
		}
	}
}

func readTexts(f *os.File, yield func(Row, error) bool) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	n := 0
	for row, err := range schemas.ReadTexts(f, info.Size()) {
		if err != nil {
			return err
		}
		if len(row.Positives) == 0 {
			return fmt.Errorf("row %d (key %q): no positive; the caption itself should be the first", n, row.Key)
		}
		n++
		if !yield(copyRow(row), nil) {
			return nil
		}
	}
	return nil
}

// copyRow copies what is measured out of the batch.
func copyRow(r *schemas.TextsRow) Row {
	row := Row{Image: strings.Clone(r.ImageKey), Positives: make([]string, len(r.Positives)), Negatives: make([]Negative, len(r.Negatives))}
	for i, p := range r.Positives {
		row.Positives[i] = strings.Clone(p.Text)
	}
	for i, n := range r.Negatives {
		row.Negatives[i] = Negative{Text: strings.Clone(n.Text), Of: int(n.Of), Method: strings.Clone(n.Method), Changed: strings.Clone(n.Changed)}
	}
	return row
}
