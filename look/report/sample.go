package report

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"capgraph/folder"
	"capgraph/look/inspect"
	"capgraph/schemas"
)

// These sizes bound the time and memory of a report and the size of its page, whatever the size of the
// folder.
const (
	sampleBlocks  = 40      // blocks of rows that are read from each pass
	blockRows     = 100     // rows of a block
	blockBytes    = 2 << 20 // bytes of texts in a block; the first row may have more
	rejectsShown  = 20      // rows shown for each reason
	rejectsRead   = 200_000
	graphsShown   = 8     // graphs shown of each group
	pairsShown    = 30    // pairs shown of each changed class and method
	siblingsShown = 5     // captions shown below a pair
	droppedShards = 8     // shards whose first captions are generated again
	droppedRows   = 200   // captions that are generated again
	droppedShown  = 12    // candidates shown for each reason
	scoredPairs   = 5_000 // pairs for the text-only classifier
	drawnObjects  = 24    // objects of a drawn graph
	maxFailures   = 50    // failed shards
	maxErrorBytes = 2_000
)

// sample is the rows that a report reads, in the folder's order.
type sample struct {
	graphs []inspect.GraphRow
	texts  []schemas.TextsRow
}

// sampleBlockStarts returns the first rows of random blocks, at most sampleBlocks.
func sampleBlockStarts(shards []*folder.Entry, seed uint64) []schemas.RowRef {
	places := inspect.SampleRows(shards, sampleBlocks, seed)
	for i := range places {
		places[i].Row -= places[i].Row % blockRows
	}
	slices.SortFunc(places, func(a, b schemas.RowRef) int {
		return cmp.Or(cmp.Compare(a.Shard, b.Shard), cmp.Compare(a.Row, b.Row))
	})
	return slices.Compact(places)
}

// readSample reads the sample of a folder. A pass without finished shards adds no rows.
func readSample(ctx context.Context, t *totals, seed uint64) (*sample, error) {
	s := &sample{}
	if t.parse.Done > 0 {
		size := func(row *inspect.GraphRow) int { return len(row.Caption) + len(row.Text) }
		err := readBlocks(ctx, t, folder.PassParse, seed, inspect.ReadGraphs, size, func(row *inspect.GraphRow) {
			g := *row
			g.Graph = row.Graph.Clone()
			s.graphs = append(s.graphs, g)
		})
		if err != nil {
			return nil, err
		}
	}
	if t.texts.Done > 0 {
		size := func(row *schemas.TextsRow) int { return poolSize(&row.Pool) }
		err := readBlocks(ctx, t, folder.PassTexts, seed, inspect.ReadTexts, size, func(row *schemas.TextsRow) {
			r := *row
			r.Pool.Positives, r.Pool.Negatives = slices.Clone(row.Pool.Positives), slices.Clone(row.Pool.Negatives)
			s.texts = append(s.texts, r)
		})
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

// poolSize returns the size in bytes of the texts of a pool.
func poolSize(p *schemas.Pool) (size int) {
	for i := range p.Positives {
		size += len(p.Positives[i].Text)
	}
	for i := range p.Negatives {
		size += len(p.Negatives[i].Text)
	}
	return size
}

// readBlocks reads random blocks of rows of a pass and calls add for each row. size returns the bytes
// of a row's texts. A row is valid until add returns.
func readBlocks[R any](ctx context.Context, t *totals, pass folder.Pass, seed uint64,
	read func(f folder.Folder, shard string, first int64) iter.Seq2[*R, error], size func(*R) int, add func(*R)) error {
	shards, err := inspect.PresentShards(t.state.Folder, pass)
	if err != nil {
		return err
	}
	for _, start := range sampleBlockStarts(shards, seed) {
		rows, bytes := 0, 0
		for row, err := range read(t.state.Folder, start.Shard, start.Row) {
			if err := cmp.Or(err, ctx.Err()); err != nil {
				return err
			}
			if bytes += size(row); rows > 0 && bytes > blockBytes {
				break
			}
			add(row)
			if rows++; rows == blockRows {
				break
			}
		}
	}
	return nil
}

// readRejects returns up to rejectsShown rejected rows for each reason.
func readRejects(state *folder.State, seed uint64) (map[string][]folder.Reject, error) {
	rows := map[string][]folder.Reject{}
	for _, pass := range folder.RowPasses() {
		shards := slices.Clone(state.Index.Shards)
		shuffle(shards, seed)
		read := 0
		for _, s := range shards {
			if !state.IsFinished(pass, s) {
				continue
			}
			if read > rejectsRead {
				break
			}
			for r, err := range inspect.ReadRejects(state.Folder, pass, s.Name) {
				if err != nil {
					return nil, err
				}
				if read++; len(rows[r.Reason]) < rejectsShown {
					one := *r
					one.Caption, one.Detail = inspect.Shorten(r.Caption), inspect.Shorten(r.Detail)
					rows[r.Reason] = append(rows[r.Reason], one)
				}
			}
		}
	}
	return rows, nil
}

// shuffle permutes s at random; equal seeds give equal orders.
func shuffle[T any](s []T, seed uint64) {
	for i := len(s) - 1; i > 0; i-- {
		j := int(inspect.RandomAt(seed, uint64(i)) % uint64(i+1))
		s[i], s[j] = s[j], s[i]
	}
}
