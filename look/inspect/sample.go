package inspect

import (
	"encoding/binary"
	"strings"

	"github.com/cespare/xxhash/v2"

	"capgraph/folder"
	"capgraph/schemas"
)

// Pair is a hard negative beside the positive that it perturbs.
type Pair struct {
	Key, ImageKey, Text string
	Positive            schemas.Positive
	Negative            schemas.HardNegative
}

// Filter says which pairs are wanted; an empty field wants all.
type Filter struct{ Changed, Method string }

func (f Filter) matches(n *schemas.HardNegative) bool {
	return (f.Changed == "" || n.Changed == f.Changed) && (f.Method == "" || n.Method == f.Method)
}

// SampleRows returns n rows of an output folder drawn at random without repetition,
// all where there are no more. Equal seeds give equal rows.
func SampleRows(shards []*folder.Entry, n int, seed uint64) []Place {
	total := int64(0)
	for _, s := range shards {
		total += s.RowsOut
	}
	var places []Place
	seen := map[int64]bool{}
	for i := uint64(0); len(places) < n && int64(len(seen)) < total; i++ {
		row := int64(Hash(seed, i) % uint64(total))
		if seen[row] {
			continue
		}
		seen[row] = true
		for _, s := range shards {
			if row < s.RowsOut {
				places = append(places, Place{s.Shard, row})
				break
			}
			row -= s.RowsOut
		}
	}
	return places
}

// SamplePairs returns n pairs drawn at random, each of another caption as long as
// there are enough. It looks at no more than 200 rows for a pair.
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
		negative := *fits[Hash(seed+1, uint64(i))%uint64(len(fits))]
		positive := row.Pool.Positives[negative.Of]
		for _, text := range []*string{&row.Key, &row.ImageKey, &row.Text, &positive.Text, &negative.Text} {
			*text = strings.Clone(*text) // which was the batch's
		}
		pairs = append(pairs, Pair{row.Key, row.ImageKey, row.Text, positive, negative})
	}
	return pairs, nil
}

func Hash(seed, i uint64) uint64 {
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:], seed)
	binary.LittleEndian.PutUint64(b[8:], i)
	return xxhash.Sum64(b[:])
}
