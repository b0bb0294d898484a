package report

import (
	"cmp"
	"context"
	"slices"

	"capgraph/folder"
	"capgraph/look/inspect"
	"capgraph/schemas"
)

// Sizes of what a report looks at and shows. They bound its time, its memory
// and the page, whatever the folder holds.
const (
	sampleBlocks  = 40      // places of a folder that are looked at
	blockRows     = 100     // rows at each
	blockBytes    = 2 << 20 // of their texts
	rejectsShown  = 20      // rows a reason
	rejectsRead   = 200_000
	graphsShown   = 8  // graphs a kind
	pairsShown    = 30 // pairs a changed-class and method
	siblingsShown = 5  // captions beneath a pair
	droppedShards = 8  // whose first captions' texts are made once more
	droppedRows   = 200
	droppedShown  = 12    // candidates a reason
	scoredPairs   = 5_000 // pairs that text alone is asked about
	drawnObjects  = 24    // of a graph
	mostFailures  = 50    // failed shards
	mostErrorText = 2_000 // bytes
)

// sample is the rows that a report looks at, in the order of the folder.
type sample struct {
	graphs []inspect.GraphRow
	texts  []schemas.TextsRow
}

// sampleBlockStarts returns up to sampleBlocks places, each the first of blockRows rows.
func sampleBlockStarts(shards []*folder.Entry, seed uint64) []inspect.Place {
	places := inspect.SampleRows(shards, sampleBlocks, seed)
	for i := range places {
		places[i].Row -= places[i].Row % blockRows
	}
	slices.SortFunc(places, func(a, b inspect.Place) int {
		return cmp.Or(cmp.Compare(a.Shard, b.Shard), cmp.Compare(a.Row, b.Row))
	})
	return slices.Compact(places)
}

// readSample reads the sample of a folder of which some shards are parsed, and of
// some maybe texts made.
func readSample(ctx context.Context, f folder.Folder, t *totals, seed uint64) (*sample, error) {
	s := &sample{}
	if t.parse.Done > 0 {
		shards, err := inspect.PresentShards(f, folder.PassParse)
		if err != nil {
			return nil, err
		}
		for _, at := range sampleBlockStarts(shards, seed) {
			n, size := 0, 0
			for row, err := range inspect.ReadGraphs(f, at.Shard, at.Row) {
				if err := cmp.Or(err, ctx.Err()); err != nil {
					return nil, err
				}
				if size += len(row.Caption) + len(row.Text); n > 0 && size > blockBytes {
					break
				}
				s.graphs = append(s.graphs, *row)
				s.graphs[len(s.graphs)-1].Graph = row.Graph.Clone()
				if n++; n == blockRows {
					break
				}
			}
		}
	}
	if t.texts.Done > 0 {
		shards, err := inspect.PresentShards(f, folder.PassTexts)
		if err != nil {
			return nil, err
		}
		for _, at := range sampleBlockStarts(shards, seed) {
			n, size := 0, 0
			for row, err := range inspect.ReadTexts(f, at.Shard, at.Row) {
				if err := cmp.Or(err, ctx.Err()); err != nil {
					return nil, err
				}
				if size += sizeOf(&row.Pool); n > 0 && size > blockBytes {
					break
				}
				one := *row
				one.Pool.Positives, one.Pool.Negatives = slices.Clone(row.Pool.Positives), slices.Clone(row.Pool.Negatives)
				s.texts = append(s.texts, one)
				if n++; n == blockRows {
					break
				}
			}
		}
	}
	return s, nil
}

// sizeOf returns how many bytes the texts of a pool have.
func sizeOf(p *schemas.Pool) (n int) {
	for i := range p.Positives {
		n += len(p.Positives[i].Text)
	}
	for i := range p.Negatives {
		n += len(p.Negatives[i].Text)
	}
	return n
}

// readRejects reads up to rejectsShown rows of each reason.
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

// shuffle puts s in an order that the seed gives.
func shuffle[T any](s []T, seed uint64) {
	for i := len(s) - 1; i > 0; i-- {
		j := int(inspect.Hash(seed, uint64(i)) % uint64(i+1))
		s[i], s[j] = s[j], s[i]
	}
}
