package curate

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"capgraph/internal/ngrams"
	"capgraph/scenegraph"
)

// The values of dedupe: in pipeline.yaml.
const (
	DedupeOff   = "off"
	DedupeExact = "exact" // captions that are equal after normalisation
	DedupeNear  = "near"  // captions that share most of their words and pairs of words
)

// KindDuplicate is the kind of counts whose keys let Drops find duplicates. KindDrop is the kind of counts
// whose keys are the places of rows to leave out.
const (
	KindDuplicate = "duplicate"
	KindDrop      = "drop_row"
)

// Version is the version of the rules by which Drops finds duplicates.
const Version = "duplicates/2"

// separator separates the fields of a key; paths and numbers do not contain it.
const separator = "\x00"

// Place returns an identifier of a row that is unique even if two files have the same keys. Places
// of one source sort in the order of its rows.
func Place(source string, row int64) string { return fmt.Sprintf("%s%s%019d", source, separator, row) }

// PlaceRow returns the row number in a place.
func PlaceRow(place string) (int64, error) {
	_, digits, _ := strings.Cut(place, separator)
	row, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is no place of a row", place)
	}
	return row, nil
}

// Duplicates are found by MinHash with banding (Broder 1997; Leskovec et al., Mining of Massive
// Datasets, §3.4): two captions whose sets of 1- and 2-grams have the Jaccard similarity s share a
// bucket with probability 1-(1-s^rowsPerBand)^bands: 0.03 at s = 0.5, 0.77 at 0.8, 0.99 at 0.9.
const (
	bands       = 8
	rowsPerBand = 8
)

// EachKey calls add with a key for each bucket of a row's text: the bucket, then the row's place.
// Duplicates share a bucket, and within a bucket the keys of a source sort by row. EachKey does
// nothing for DedupeOff.
func EachKey(mode, text, source string, row int64, key string, add func(kind, key string, n int64)) {
	place := separator + Place(source, row) + separator + key
	switch mode {
	case DedupeExact:
		add(KindDuplicate, fmt.Sprintf("%016x", uint64(scenegraph.TextID(text)))+place, 1)
	case DedupeNear:
		for band, bucket := range minHashBuckets(text) {
			add(KindDuplicate, fmt.Sprintf("%x%016x", band, bucket)+place, 1)
		}
	}
}

// minHashBuckets returns the bucket of a text for each band.
func minHashBuckets(text string) [bands]uint64 {
	var buf [128]uint64
	var signature [bands * rowsPerBand]uint64
	for i := range signature {
		signature[i] = math.MaxUint64
	}
	for _, h := range ngrams.Append(buf[:0], scenegraph.NormalizeText(text), 2, ngrams.Words) {
		for i := range signature {
			// A multiplication by an odd number permutes the hashes.
			p := (h ^ h>>31) * (0x9e3779b97f4a7c15 + 2*uint64(i)*0xbf58476d1ce4e5b9)
			signature[i] = min(signature[i], p^p>>32)
		}
	}
	var b [bands]uint64
	for band := range b {
		for _, s := range signature[band*rowsPerBand : (band+1)*rowsPerBand] {
			b[band] = (b[band] ^ s) * 0x9e3779b97f4a7c15
			b[band] ^= b[band] >> 29
		}
	}
	return b
}

// Drops finds the rows that share a bucket with a row of an earlier generation, or with one of the
// same generation and a lower place. It yields their places in any order; a row may be yielded once
// for each of its buckets.
type Drops struct {
	generation     func(source string) int
	drop           func(place string) error
	bucket         string
	kept           string // the place in bucket that is kept so far
	keptGeneration int    // its generation
}

// NewDrops returns Drops that calls drop with the place of each duplicate. generation returns the
// generation of a source.
func NewDrops(generation func(source string) int, drop func(place string) error) *Drops {
	return &Drops{generation: generation, drop: drop}
}

// Add takes a key of the kind KindDuplicate. Keys must come in sorted order, at least within a
// bucket, and the buckets one after the other.
func (d *Drops) Add(key string) error {
	parts := strings.SplitN(key, separator, 4)
	if len(parts) != 4 {
		return fmt.Errorf("count of kind %s: key %q has no bucket, source, row and key", KindDuplicate, key)
	}
	place, of := parts[1]+separator+parts[2], d.generation(parts[1])
	switch {
	case parts[0] != d.bucket:
		d.bucket, d.kept, d.keptGeneration = parts[0], place, of
		return nil
	case of < d.keptGeneration:
		place, d.kept, d.keptGeneration = d.kept, place, of
	}
	return d.drop(place)
}
