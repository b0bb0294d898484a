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
	DedupeExact = "exact" // captions with one normal form
	DedupeNear  = "near"  // captions that share most of their words and pairs of words
)

// KindDuplicate is the kind of counts that bring duplicates together; KindDrop is the kind of counts that are places of rows to leave out.
const (
	KindDuplicate = "duplicate"
	KindDrop      = "drop_row"
)

// Version is the version of what Drops finds.
const Version = "duplicates/2"

// separator separates the parts of a key; no path and no number has it.
const separator = "\x00"

// Place identifies a row of the corpus, even if two files have the same key. Places of one source
// sort as their rows.
func Place(source string, row int64) string { return fmt.Sprintf("%s%s%019d", source, separator, row) }

// PlaceRow returns the row of a place.
func PlaceRow(place string) (int64, error) {
	_, digits, _ := strings.Cut(place, separator)
	row, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is no place of a row", place)
	}
	return row, nil
}

// MinHash with banding (Broder 1997; Leskovec et al., Mining of Massive
// Datasets, §3.4): two captions whose sets of 1- and 2-grams have the Jaccard
// similarity s share a bucket with probability 1-(1-s^rowsOfBand)^bands: 0.03
// at s = 0.5, 0.77 at 0.8, 0.99 at 0.9.
const (
	bands       = 8
	rowsPerBand = 8
)

// EachKey calls add with the keys under which duplicates of a row's text meet, each followed by the
// place of the row. Among rows with one key, the place that sorts first has the lowest source row.
// It does nothing for DedupeOff.
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

// minHashBuckets returns the bucket of a text in each band.
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

// Drops finds the rows that share a bucket with a row of an earlier generation, or of the same
// generation with a lower place. It yields their places in any order; a row of several buckets may
// come several times.
type Drops struct {
	generation     func(source string) int
	drop           func(place string) error
	bucket         string
	kept           string // the place in it that stays so far
	keptGeneration int    // its generation
}

// NewDrops returns Drops that calls drop with such places. generation returns a source's
// generation.
func NewDrops(generation func(source string) int, drop func(place string) error) *Drops {
	return &Drops{generation: generation, drop: drop}
}

// Add takes a key of the kind KindDuplicate. Keys of one bucket come in their order, one after the
// other.
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
