package ruleparse

import (
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"capgraph/schemas"
)

const (
	omitBits, omitEpochs = 22, 8
	omitLeast            = 5 // how often a feature occurs
)

// written is whether the gold has a claim with these features.
type written struct {
	features []uint32
	gold     bool
}

// trainOmissions learns what the annotators write of what the parsers of the folds
// find in captions that they have not seen.
func (f *folds) trainOmissions(whole string, log io.Writer) ([]byte, error) {
	var all []written
	common := newFrequent()
	var x schemas.Parsed
	for k, p := range f.parsers {
		if err := p.readWhole(whole); err != nil {
			return nil, err
		}
		for _, e := range f.parts[k] {
			if e.made {
				continue
			}
			p.ParseText(e.caption, &x)
			want := Tuples(e.gold)
			cs := p.claims(&x.Graph)
			v := p.view(&x, cs)
			for i := range cs {
				w := written{v.features(&cs[i], nil), want[cs[i].Triple]}
				common.count(w.features)
				all = append(all, w)
			}
		}
	}
	features := map[uint32]bool{}
	for i := range all {
		all[i].features = common.keep(all[i].features, omitLeast)
		for _, h := range all[i].features {
			features[h] = true
		}
	}
	m := newLearner(omitBits, 1, 0.1)
	rnd := noise(9)
	var buf []uint32
	var score [2]float32
	for epoch := range omitEpochs {
		for _, k := range rnd.shuffle(len(all)) {
			w := &all[k]
			buf = rnd.drop(w.features, 0.3, buf)
			gold := 1
			if w.gold {
				gold = 0
			}
			m.choice([][]uint32{buf, nil}, gold, score[:])
		}
		if epoch >= omitEpochs/2 {
			m.remember()
		}
	}
	m.average()
	b := appendOmissions(nil, m, slices.Sorted(maps.Keys(features)))
	fmt.Fprintf(log, "omissions: %d claims, %d features\n", len(all), len(b)/omissionRow-1)
	return b, nil
}

// appendOmissions quantises the weights of features, which are in ascending order. Of
// those whose rows are alike the first is kept.
func appendOmissions(b []byte, m *learner, features []uint32) []byte {
	unit := clipLimit(m.w) / 127
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(unit))
	last := uint32(1)
	for _, h := range features {
		q := math.Round(float64(m.w[h&m.mask] / unit))
		if key := h &^ 0xff; q != 0 && key != last {
			b = append(b, byte(h>>24), byte(h>>16), byte(h>>8), byte(int8(max(-127, min(127, q)))))
			last = key
		}
	}
	return b
}
