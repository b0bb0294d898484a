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
	"capgraph/ruleparse/internal/rules"
	"capgraph/ruleparse/tools/internal/examples"
	"capgraph/scenegraph"
	"capgraph/schemas"
)

const (
	rerankBits, rerankEpochs = 18, 6
	rerankFolds              = 3
	rerankScale              = 0.8 // factor of the weights, which were trained with half of the features dropped
)

// trainLabelsAndPairs returns the trained tables of labels and of pairs.
func trainLabelsAndPairs(xs []*examples.Example, log io.Writer) (labels, pairs []byte) {
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

// rerankExample is a choice among the analyses of a caption: for each its features, and the log
// probabilities of its labels and of its relations.
type rerankExample struct {
	features      [][]uint32
	labels, pairs []float32
	gold          int
}

// trainReranker trains the choice among whole analyses. The analyses are made by models that were
// not trained on the caption.
func (t *trainer) trainReranker(xs []*examples.Example, log io.Writer) ([]byte, error) {
	all := make([]rerankExample, 0, len(xs))
	for fold := range rerankFolds {
		var train, apart []*examples.Example
		for i, x := range xs {
			if i%rerankFolds == fold {
				apart = append(apart, x)
			} else {
				train = append(train, x)
			}
		}
		labels, pairs := trainLabelsAndPairs(train, log)
		q, err := analysis.ReadAnalyst(string(labels), string(pairs), "")
		if err != nil {
			return nil, err
		}
		var d analysis.Decoder
		for _, x := range apart {
			if c := t.proposeAnalyses(&q, &d, x); len(c.features) > 1 {
				all = append(all, c)
			}
		}
	}
	common := newFeatureCounts()
	for _, c := range all {
		for _, f := range c.features {
			common.countFeatures(f)
		}
	}
	for _, c := range all {
		for i := range c.features {
			c.features[i] = common.keepFrequent(c.features[i], 3)
		}
	}
	m := newLearner(rerankBits, 1, 0.05)
	trust := [2]float32{1, 1}
	rnd := portable.SplitMix64(5)
	var score []float32
	kept := make([][]uint32, 64)
	for epoch := range rerankEpochs {
		for _, k := range permutation(&rnd, len(all)) {
			c := &all[k]
			score = score[:0]
			for i, f := range c.features {
				kept[i] = dropFeatures(&rnd, f, 0.5, kept[i])
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
					m.updateWeight(int(h&m.mask), g)
				}
			}
		}
		if epoch >= rerankEpochs/2 {
			m.addToAverage()
		}
	}
	m.useAverage()
	for i := range m.w {
		m.w[i] *= rerankScale
	}
	fmt.Fprintf(log, "whole: %d captions with a choice, trust %.2f %.2f\n", len(all), trust[0], trust[1])
	out := binary.LittleEndian.AppendUint32(nil, math.Float32bits(trust[0]))
	out = binary.LittleEndian.AppendUint32(out, math.Float32bits(trust[1]))
	return appendWeights(out, m.w, 1), nil
}

// proposeAnalyses returns the analyses of x that q proposes, and which of them agrees best with the
// gold graph.
func (t *trainer) proposeAnalyses(q *analysis.Analyst, d *analysis.Decoder, x *examples.Example) rerankExample {
	n := q.Propose(d, x.Tokens)
	var c rerankExample
	best := -1.0
	var g schemas.SceneGraph
	for k := range n {
		a := &d.Proposals[k]
		c.features = append(c.features, analysis.AppendWholeAnalysis(x.Tokens, a, d.BoolBuffer(len(x.Tokens)), nil))
		c.labels, c.pairs = append(c.labels, a.LabelScore), append(c.pairs, a.Score-a.LabelScore)
		score := float64(1e-4 * float64(a.Score))
		ts := slices.Clone(x.Tokens) // rules may change the tags
		r := rules.Reading{Analysis: a}
		t.rules.Correct(&r, ts)
		g.Reset()
		t.rules.Build(x.Caption, x.LowerCaption(), ts, &r, &g)
		if f := t.goldAgreement(x, &g) + score; f > best {
			best, c.gold = f, k
		}
	}
	return c
}

// goldAgreement returns the F1 of g's tuples against the gold graph of x.
func (t *trainer) goldAgreement(x *examples.Example, g *schemas.SceneGraph) float64 {
	if x.Annotated != nil {
		row := annotated.FromParsed(x.Caption, &schemas.Parsed{Graph: *g})
		return tupleF1(annotated.Tuples(&row, annotated.ObjectEnds(&row)), annotated.Tuples(x.Annotated, annotated.ObjectEnds(x.Annotated)))
	}
	return tupleF1(scenegraph.Tuples(t.rewriter.Triples(g, false)), scenegraph.Tuples(x.Gold))
}

func tupleF1[T comparable](got, want map[T]bool) float64 {
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
