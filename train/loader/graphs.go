package loader

import (
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/internal/parquetio"
	"capgraph/scenegraph"
	"capgraph/schemas"
	"capgraph/store"
)

// graphReader reads the file of graphs that belongs to a shard of texts. Both have the same rows in
// the same order, but some rows may be missing from the texts.
type graphReader struct {
	file    store.File
	reader  *parquetio.Reader
	batch   arrow.Record
	texts   []*array.String // the columns key and text of the batch
	view    *schemas.GraphView
	nextRow int // of the batch
	graph   schemas.SceneGraph
}

// openGraphs opens the file of graphs of a shard.
func openGraphs(s store.Store, name string) (*graphReader, error) {
	f, err := s.Open(name)
	if err != nil {
		return nil, fmt.Errorf("the graphs of the texts: %w; name the output.dir of a run, which has both", err)
	}
	fields := []arrow.Field{schemas.Field(schemas.ColKey, arrow.BinaryTypes.String), schemas.Field(schemas.ColText, arrow.BinaryTypes.String), schemas.Field(schemas.ColGraph, schemas.GraphType())}
	r, err := parquetio.NewReader(f, f.Size(), parquetio.ReaderOptions{
		Columns: []string{schemas.ColKey, schemas.ColText, schemas.ColGraph}, Types: fields,
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), f.Close())
	}
	return &graphReader{file: f, reader: r}, nil
}

// close frees the current batch and closes the file.
func (g *graphReader) close() {
	if g.batch != nil {
		g.batch.Release()
	}
	g.reader.Close()
	g.file.Close()
}

// graphOf returns the graph, in words, of the row with a key and text. It must be called for rows
// in their order.
func (g *graphReader) graphOf(key, text string) (scenegraph.WordGraph, error) {
	for {
		for ; g.batch != nil && g.nextRow < int(g.batch.NumRows()); g.nextRow++ {
			if g.texts[0].Value(g.nextRow) != key || g.texts[1].Value(g.nextRow) != text {
				continue
			}
			g.graph.Reset()
			if !g.view.Null(g.nextRow) {
				g.view.At(g.nextRow, &g.graph)
			}
			g.nextRow++
			return scenegraph.NewWordGraph(text, &g.graph), nil
		}
		if err := g.nextBatch(); errors.Is(err, io.EOF) {
			return scenegraph.WordGraph{}, errors.New("the graphs beside the texts have no such row: make the texts again")
		} else if err != nil {
			return scenegraph.WordGraph{}, fmt.Errorf("the graphs beside the texts: %w", err)
		}
	}
}

// nextBatch reads the next batch.
func (g *graphReader) nextBatch() (err error) {
	if g.batch != nil {
		g.batch.Release()
		g.batch = nil
	}
	batch, err := g.reader.Next()
	if err != nil {
		return err
	}
	g.batch, g.nextRow = batch, 0
	if g.texts, err = schemas.Strings(batch, schemas.ColKey, schemas.ColText); err != nil {
		return err
	}
	g.view, err = schemas.NewGraphView(batch)
	return err
}
