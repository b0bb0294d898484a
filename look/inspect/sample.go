package inspect

import (
	"encoding/binary"
	"strings"

	"github.com/cespare/xxhash/v2"

	"capgraph/folder"
	"capgraph/schemas"
)

// Pair is a hard negative and the positive that it was made from.
type Pair struct {
	Key, ImageKey, Text string
	Positive            schemas.Positive
	Negative            schemas.HardNegative
}

// Filter selects pairs by their negatives. An empty field matches all.
type Filter struct{ Changed, Method string }

// matches reports whether the filter selects a negative.
func (f Filter) matches(n *schemas.HardNegative) bool {
	return (f.Changed == "" || n.Changed == f.Changed) && (f.Method == "" || n.Method == f.Method)
}

// SampleRows draws n different rows of the shards at random, or all if there are fewer. Equal seeds
// give equal rows.
func SampleRows(shards []*folder.Entry, n int, seed uint64) []schemas.RowRef {
	total := int64(0)
	for _, s := range shards {
		total += s.RowsOut
	}
	var places []schemas.RowRef
	seen := map[int64]bool{}
	for i := uint64(0); len(places) < n && int64(len(seen)) < total; i++ {
		row := int64(RandomAt(seed, i) % uint64(total))
		if seen[row] {
			continue
		}
		seen[row] = true
		for _, s := range shards {
			if row < s.RowsOut {
				places = append(places, schemas.RowRef{Shard: s.Shard, Row: row})
				break
			}
			row -= s.RowsOut
		}
	}
	return places
}

// SamplePairs draws n pairs at random, at most one from a caption. It reads at most 200·n rows and
// may find fewer pairs.
func SamplePairs(f folder.Folder, want Filter, n int, seed uint64) ([]Pair, error) {
	const tries = 200
	shards, err := PresentShards(f, folder.PassTexts)
	if err != nil {
		return nil, err
	}
	var pairs []Pair
	for i, place := range SampleRows(shards, n*tries, seed) {
		if len(pairs) == n {
			break
		}
		row, err := TextsAt(f, place)
		if err != nil {
			return nil, err
		}
		var fits []*schemas.HardNegative
		for j := range row.Pool.Negatives {
			if want.matches(&row.Pool.Negatives[j]) {
				fits = append(fits, &row.Pool.Negatives[j])
			}
		}
		if len(fits) == 0 {
			continue
		}
		negative := *fits[RandomAt(seed+1, uint64(i))%uint64(len(fits))]
		positive := row.Pool.Positives[negative.Of]
		for _, text := range []*string{&row.Key, &row.ImageKey, &row.Text, &positive.Text, &negative.Text} {
			*text = strings.Clone(*text) // the text is in the memory of the batch
		}
		pairs = append(pairs, Pair{row.Key, row.ImageKey, row.Text, positive, negative})
	}
	return pairs, nil
}

// RandomAt returns the i-th random number of a seed.
func RandomAt(seed, i uint64) uint64 {
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:], seed)
	binary.LittleEndian.PutUint64(b[8:], i)
	return xxhash.Sum64(b[:])
}
