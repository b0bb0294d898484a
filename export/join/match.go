package join

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"

	"crypto/sha256"
)

// hashSize is how many bytes of a value's SHA-256 are compared.
const hashSize = 16

func hashOf(value string) (h [hashSize]byte) {
	sum := sha256.Sum256([]byte(value))
	copy(h[:], sum[:])
	return h
}

// place is the position of a sample: the number of its tar, its own number in the tar, and its key.
type place struct {
	tar, number uint32
	key         string
}

func (p place) compare(other place) int {
	return cmp.Or(cmp.Compare(p.tar, other.tar), cmp.Compare(p.number, other.number))
}

func appendPlace(b []byte, p place) []byte {
	b = binary.LittleEndian.AppendUint32(b, p.tar)
	b = binary.LittleEndian.AppendUint32(b, p.number)
	return append(b, p.key...)
}

func parsePlace(b []byte) place {
	return place{binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:]), string(b[8:])}
}

// hashSamples adds a record for each sample to to: the hash of its value and its place.
func (j *joiner) hashSamples(ctx context.Context, to *spill) error {
	var record []byte
	for i, name := range j.tars {
		number := uint32(0)
		for s, err := range tarSamples(j.options.Store, name, j.options.By) {
			if err := cmp.Or(err, ctx.Err()); err != nil {
				return err
			}
			if number == maxSamples {
				return fmt.Errorf("%s has more than %d samples", name, maxSamples)
			}
			h := [hashSize]byte{}
			if s.value != "" {
				h = hashOf(s.value)
			}
			record = appendPlace(append(record[:0], h[:]...), place{uint32(i), number, s.key})
			if err := to.addRecord(int(h[0])%hashParts, record); err != nil {
				return err
			}
			number++
			j.summary.Samples++
		}
	}
	return nil
}

// hashTexts adds a record for each text to to: the hash of its value and its row. It returns the approximate
// size of the texts in bytes.
func (j *joiner) hashTexts(ctx context.Context, to *spill) (bytes int64, err error) {
	column := j.texts.schema.FieldIndices(j.options.Column)[0]
	var record []byte
	for b, err := range j.texts.readBatches() {
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return 0, err
		}
		for _, c := range b.rec.Columns() {
			bytes += int64(c.Data().SizeInBytes())
		}
		for i := range int(b.rec.NumRows()) {
			h := [hashSize]byte{}
			if v := j.options.By.ofText(textAt(b.rec.Column(column), i)); v != "" {
				h = hashOf(v)
			}
			record = binary.LittleEndian.AppendUint64(append(record[:0], h[:]...), uint64(j.summary.Texts))
			j.summary.Texts++
			if err := to.addRecord(int(h[0])%hashParts, record); err != nil {
				b.rec.Release()
				return 0, err
			}
		}
		b.rec.Release()
	}
	return bytes, nil
}

// The outcomes of a match.
const (
	isJoined byte = iota
	hasNoSample
	isRepeated
)

// matchParts joins samples and rows part by part and writes records to matches: the row of a text, the
// outcome and the place of a sample. Samples without a text are added to g.
func (j *joiner) matchParts(ctx context.Context, samples, rows, matches *spill, partRows int64, g *grouper) error {
	for part := range hashParts {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := j.matchPart(part, samples, rows, matches, partRows, g); err != nil {
			return err
		}
	}
	return nil
}

func (j *joiner) matchPart(part int, samples, rows, matches *spill, partRows int64, g *grouper) error {
	type value struct {
		places []place
		taken  bool
	}
	values := map[[hashSize]byte]*value{}
	for record, err := range samples.readRecords(part) {
		if err != nil {
			return err
		}
		h := [hashSize]byte(record)
		v := values[h]
		if v == nil {
			v = &value{}
			values[h] = v
		}
		v.places = append(v.places, parsePlace(record[hashSize:]))
	}
	var out []byte
	add := func(row uint64, what byte, p place) error {
		out = append(binary.LittleEndian.AppendUint64(out[:0], row), what)
		return matches.addRecord(int(int64(row)/partRows), appendPlace(out, p))
	}
	for record, err := range rows.readRecords(part) {
		if err != nil {
			return err
		}
		h, row := [hashSize]byte(record), binary.LittleEndian.Uint64(record[hashSize:])
		v, what := values[h], hasNoSample
		switch {
		case v == nil || h == [hashSize]byte{}:
			j.summary.TextsWithout++
		case v.taken:
			j.summary.Repeated++
			what = isRepeated
		default:
			v.taken = true
			j.summary.Joined += int64(len(v.places))
			for _, p := range v.places {
				if err := add(row, isJoined, p); err != nil {
					return err
				}
			}
			continue
		}
		if err := add(row, what, place{}); err != nil {
			return err
		}
	}
	for _, v := range values { // their order does not matter, since groups are sorted
		if v.taken {
			continue
		}
		for _, p := range v.places {
			j.summary.SamplesWithout++
			if err := g.addUnmatched(p); err != nil {
				return err
			}
		}
	}
	return nil
}
