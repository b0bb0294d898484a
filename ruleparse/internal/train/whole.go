package train

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"

	"capgraph/internal/annotated"
	"capgraph/internal/portable"
	"capgraph/ruleparse/internal/analysis"
	"capgraph/ruleparse/internal/examples"
	"capgraph/ruleparse/internal/rules"
	"capgraph/scenegraph"
	"capgraph/schemas"
)

const (
	wholeBits, wholeEpochs = 18, 6
	wholeFolds             = 3
	wholeScale             = 0.8 // of the weights, learned with half of the features left out
)

// trainBoth trains the tables of labels and of pairs.
func trainBoth(xs []*examples.Example, log io.Writer) (labels, pairs []byte) {
	var g sync.WaitGroup
	g.Go(func() {
		m := trainLabels(xs, log)
		labels = appendWeights(nil, m.w, m.width)
	})
	g.Go(func() {
		m := trainPairs(xs, log)
		pairs = appendWeights(nil, m.w, m.width)
	})
	g.Wait()
	return labels, pairs
}

// proposed is what the reranker chooses among: the features of each analysis
// and how probable its labels and its relations are.
type proposed struct {
	features      [][]uint32
	labels, pairs []float32
	gold          int
}

// trainWhole trains the choice among analyses on what models that have not seen
// a caption propose for it.
func (t *trainer) trainWhole(xs []*examples.Example, log io.Writer) ([]byte, error) {
	all := make([]proposed, 0, len(xs))
	for fold := range wholeFolds {
		var train, apart []*examples.Example
		for i, x := range xs {
			if i%wholeFolds == fold {
				apart = append(apart, x)
			} else {
				train = append(train, x)
			}
		}
		labels, pairs := trainBoth(train, log)
		q, err := analysis.ReadAnalyst(string(labels), string(pairs), "")
		if err != nil {
			return nil, err
		}
		var d analysis.Decoder
		for _, x := range apart {
			if c := t.proposals(&q, &d, x); len(c.features) > 1 {
				all = append(all, c)
			}
		}
	}
	common := newFrequent()
	for _, c := range all {
		for _, f := range c.features {
			common.count(f)
		}
	}
	for _, c := range all {
		for i := range c.features {
			c.features[i] = common.keep(c.features[i], 3)
		}
	}
	m := newLearner(wholeBits, 1, 0.05)
	trust := [2]float32{1, 1}
	rnd := portable.SplitMix64(5)
	var score []float32
	kept := make([][]uint32, 64)
	for epoch := range wholeEpochs {
		for _, k := range shuffle(&rnd, len(all)) {
			c := &all[k]
			score = score[:0]
			for i, f := range c.features {
				kept[i] = drop(&rnd, f, 0.5, kept[i])
				s := float32(trust[0]*c.labels[i]) + float32(trust[1]*c.pairs[i])
				for _, h := range kept[i] {
					s += m.w[h&m.mask]
				}
				score = append(score, s)
			}
			softmax(score)
			score[c.gold]--
			for i, g := range score {
				if g > -1e-3 && g < 1e-3 {
					continue
				}
				trust[0] -= float32(1e-4 * g * c.labels[i])
				trust[1] -= float32(1e-4 * g * c.pairs[i])
				for _, h := range kept[i] {
					m.step(int(h&m.mask), g)
				}
			}
		}
		if epoch >= wholeEpochs/2 {
			m.remember()
		}
	}
	m.average()
	for i := range m.w {
		m.w[i] *= wholeScale
	}
	fmt.Fprintf(log, "whole: %d captions with a choice, trust %.2f %.2f\n", len(all), trust[0], trust[1])
	out := binary.LittleEndian.AppendUint32(nil, math.Float32bits(trust[0]))
	out = binary.LittleEndian.AppendUint32(out, math.Float32bits(trust[1]))
	return appendWeights(out, m.w, 1), nil
}

// proposals are the analyses of x and which comes nearest to its gold.
func (t *trainer) proposals(q *analysis.Analyst, d *analysis.Decoder, x *examples.Example) proposed {
	n := q.Propose(d, x.Tokens)
	var c proposed
	best := -1.0
	var g schemas.SceneGraph
	for k := range n {
		a := &d.Proposals[k]
		c.features = append(c.features, analysis.AppendWhole(x.Tokens, a, d.Room(len(x.Tokens)), nil))
		c.labels, c.pairs = append(c.labels, a.LabelScore), append(c.pairs, a.Score-a.LabelScore)
		score := float64(1e-4 * float64(a.Score))
		ts := slices.Clone(x.Tokens) // rules may give tokens other tags
		r := rules.Reading{Analysis: a}
		t.rules.Correct(&r, ts)
		g.Reset()
		t.rules.Build(x.Caption, x.Low(), ts, &r, &g)
		if f := t.agreement(x, &g) + score; f > best {
			best, c.gold = f, k
		}
	}
	return c
}

// agreement tells how near g comes to the gold of x: the F1 of their tuples, and 1 more
// where they are the same.
func (t *trainer) agreement(x *examples.Example, g *schemas.SceneGraph) float64 {
	if x.Annotated != nil {
		row := annotated.RowOf(x.Caption, &schemas.Parsed{Graph: *g})
		return overlap(annotated.Tuples(&row, annotated.Ends(&row)), annotated.Tuples(x.Annotated, annotated.Ends(x.Annotated)))
	}
	return overlap(scenegraph.Tuples(t.rewriter.Triples(g, false)), scenegraph.Tuples(x.Gold))
}

func overlap[T comparable](got, want map[T]bool) float64 {
	right := 0
	for t := range got {
		if want[t] {
			right++
		}
	}
	f := 2 * float64(right) / float64(len(got)+len(want)+1)
	if right == len(got) && right == len(want) {
		f++
	}
	return f
}
