package graphs

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/internal/parquetio"
	"capgraph/schemas"
)

// graphRow is a row of graphs/.
type graphRow struct {
	key, text string
	words     int
	triples   []Triple
}

// listShards lists the Parquet files of graphs/ of a run in the order of their names. The run is
// named by its folder or by graphs/ itself.
func listShards(run string) ([]string, error) {
	for _, dir := range []string{filepath.Join(run, "graphs"), run} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		var files []string
		for _, e := range entries {
			if filepath.Ext(e.Name()) == ".parquet" && e.Name()[0] != '.' {
				files = append(files, filepath.Join(dir, e.Name()))
			}
		}
		if len(files) > 0 {
			return files, nil
		}
	}
	if _, err := os.Stat(run); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("%s: no .parquet file of graphs: name the folder of a run whose pass parse is done", run)
}

// readGraphs reads shards one after the other. It ends at the first error, which names the file.
func readGraphs(files []string) iter.Seq2[graphRow, error] {
	return func(yield func(graphRow, error) bool) {
		for _, f := range files {
			more, err := readShard(f, yield)
			if err != nil {
				yield(graphRow{}, fmt.Errorf("%s: %w", f, err))
			}
			if err != nil || !more {
				return
			}
		}
	}
}

// readShard returns false if yield did.
func readShard(path string, yield func(graphRow, error) bool) (more bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return false, err
	}
	r, err := parquetio.NewReader(f, info.Size(), parquetio.ReaderOptions{Columns: []string{schemas.ColKey, schemas.ColText, schemas.ColGraph}})
	if err != nil {
		return false, err
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return true, nil
		}
		if err != nil {
			return false, err
		}
		more, err := readBatch(rec, yield)
		rec.Release()
		if err != nil || !more {
			return false, err
		}
	}
}

// readBatch returns false if yield did.
func readBatch(rec arrow.Record, yield func(graphRow, error) bool) (more bool, err error) {
	keys, err := schemas.Column[*array.String](rec, schemas.ColKey)
	if err != nil {
		return false, err
	}
	texts, err := schemas.Column[*array.String](rec, schemas.ColText)
	if err != nil {
		return false, err
	}
	graphs, err := schemas.NewGraphView(rec)
	if err != nil {
		return false, err
	}
	var g schemas.SceneGraph
	for i := range int(rec.NumRows()) {
		graphs.At(i, &g)
		text := strings.Clone(texts.Value(i))
		row := graphRow{strings.Clone(keys.Value(i)), text, len(strings.Fields(text)), triplesOf(&g)}
		for k, t := range row.triples {
			row.triples[k] = Triple{Subject: strings.Clone(t.Subject), Predicate: strings.Clone(t.Predicate), Object: strings.Clone(t.Object)}
		}
		if !yield(row, nil) {
			return false, nil
		}
	}
	return true, nil
}
