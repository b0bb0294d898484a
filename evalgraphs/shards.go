package evalgraphs

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/schemas"
)

// labelled is a row of graphs/.
type labelled struct {
	key, text string
	words     int
	triples   []Triple
}

// readGraphs reads all Parquet files of a folder in the order of their names. It
// ends at the first error, which names the file.
func readGraphs(dir string) iter.Seq2[labelled, error] {
	return func(yield func(labelled, error) bool) {
		files, err := filepath.Glob(filepath.Join(dir, "*.parquet"))
		if err == nil && len(files) == 0 {
			err = fmt.Errorf("%s: no .parquet file; name the graphs folder of a run", dir)
		}
		if err != nil {
			yield(labelled{}, err)
			return
		}
		slices.Sort(files)
		for _, f := range files {
			if err := readShard(f, yield); err != nil {
				if !errors.Is(err, errStopped) {
					yield(labelled{}, fmt.Errorf("%s: %w", f, err))
				}
				return
			}
		}
	}
}

// errStopped says that the caller wants no more rows.
var errStopped = errors.New("stopped")

func readShard(path string, yield func(labelled, error) bool) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	r, err := schemas.NewParquetReader(f, info.Size(), schemas.ReaderOptions{Columns: []string{schemas.ColKey, schemas.ColText, schemas.ColGraph}})
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		column := func(name string) (*array.String, error) {
			at := rec.Schema().FieldIndices(name)
			if len(at) == 1 {
				if s, ok := rec.Column(at[0]).(*array.String); ok {
					return s, nil
				}
			}
			return nil, fmt.Errorf("no column %s of strings", name)
		}
		err = func() error {
			defer rec.Release()
			keys, err := column(schemas.ColKey)
			if err != nil {
				return err
			}
			texts, err := column(schemas.ColText)
			if err != nil {
				return err
			}
			graphs, err := schemas.NewGraphView(rec)
			if err != nil {
				return err
			}
			var g schemas.SceneGraph
			for i := range int(rec.NumRows()) {
				graphs.At(i, &g)
				text := strings.Clone(texts.Value(i))
				row := labelled{strings.Clone(keys.Value(i)), text, len(strings.Fields(text)), triplesOf(&g)}
				for k, t := range row.triples {
					row.triples[k] = Triple{Subject: strings.Clone(t.Subject), Predicate: strings.Clone(t.Predicate), Object: strings.Clone(t.Object)}
				}
				if !yield(row, nil) {
					return errStopped
				}
			}
			return nil
		}()
		if err != nil {
			return err
		}
	}
}
