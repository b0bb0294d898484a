package evalneg

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/parquet-go/parquet-go"
)

// textsRow is what is read of a row of texts/.
type textsRow struct {
	Key        string   `parquet:"key"`
	ImageKey   string   `parquet:"image_key"`
	Pos        []string `parquet:"pos,list"`
	Neg        []string `parquet:"neg,list"`
	NegOf      []int32  `parquet:"neg_of,list"`
	NegMethod  []string `parquet:"neg_method,list"`
	NegChanged []string `parquet:"neg_changed,list"`
}

// decodeTexts reads one Parquet file of texts/.
func decodeTexts(f *os.File, name string) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		size, err := f.Stat()
		if err != nil {
			yield(Row{}, err)
			return
		}
		file, err := parquet.OpenFile(f, size.Size())
		if err != nil {
			yield(Row{}, fmt.Errorf("%s: not a Parquet file: %w", name, err))
			return
		}
		if err := checkTexts(file.Schema()); err != nil {
			yield(Row{}, fmt.Errorf("%s: %w", name, err))
			return
		}
		reader := parquet.NewGenericReader[textsRow](file)
		defer reader.Close()
		buffer := make([]textsRow, 256)
		for n := 0; ; {
			got, err := reader.Read(buffer)
			for _, r := range buffer[:got] {
				row, rowErr := r.row(fmt.Sprintf("%s, row %d (key %s)", name, n, r.Key))
				n++
				if !yield(row, rowErr) || rowErr != nil {
					return
				}
			}
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(Row{}, fmt.Errorf("%s, after row %d: %w", name, n, err))
				return
			}
		}
	}
}

// checkTexts says which column a file lacks that texts/ has, or has with
// another type, which the reader would convert in silence.
func checkTexts(schema *parquet.Schema) error {
	want := parquet.SchemaOf(textsRow{})
	for _, path := range want.Columns() {
		leaf, ok := schema.Lookup(path...)
		if !ok {
			return fmt.Errorf("no column %q: not a file of texts/", path[0])
		}
		expected, _ := want.Lookup(path...)
		if got, want := leaf.Node.Type().Kind(), expected.Node.Type().Kind(); got != want {
			return fmt.Errorf("column %q: want %s, it is %s", path[0], want, got)
		}
	}
	return nil
}

func (r textsRow) row(place string) (Row, error) {
	n := len(r.Neg)
	if len(r.NegOf) != n || len(r.NegMethod) != n || len(r.NegChanged) != n {
		return Row{}, fmt.Errorf("%s: neg has %d values, neg_of %d, neg_method %d, neg_changed %d: they should be parallel",
			place, n, len(r.NegOf), len(r.NegMethod), len(r.NegChanged))
	}
	if len(r.Pos) == 0 {
		return Row{}, fmt.Errorf("%s: no positive; the caption itself should be the first", place)
	}
	row := Row{Place: place, Image: r.ImageKey, Positives: append([]string(nil), r.Pos...), Negatives: make([]Negative, n)}
	for i := range r.Neg {
		if of := r.NegOf[i]; of < 0 || int(of) >= len(r.Pos) {
			return Row{}, fmt.Errorf("%s: neg_of %d is no index of the %d positives", place, of, len(r.Pos))
		}
		row.Negatives[i] = Negative{Text: r.Neg[i], Of: int(r.NegOf[i]), Method: r.NegMethod[i], Changed: r.NegChanged[i]}
	}
	return row, nil
}
