package ruleparse

import (
	"io"
	"sync"
)

const foldCount = 3

// folds are the examples in parts, and for each a parser that has learned from the
// others.
type folds struct {
	parts   [foldCount][]*example
	parsers [foldCount]*Parser
}

// trainFolds trains the parsers of the folds of xs.
func (p *Parser) trainFolds(xs []*example, log io.Writer) (*folds, error) {
	f := new(folds)
	for k := range f.parts {
		var others []*example
		for i, x := range xs {
			if i%foldCount == k {
				f.parts[k] = append(f.parts[k], x)
			} else {
				others = append(others, x)
			}
		}
		labels, pairs := trainBoth(others, log)
		q := &Parser{lexicon: p.lexicon, closed: p.closed, tagger: p.tagger, rewriter: p.rewriter}
		q.pool.New = func() any { return new(work) }
		var err error
		if q.labels, err = readWeights(string(labels)); err != nil {
			return nil, err
		}
		if q.pairs, err = readWeights(string(pairs)); err != nil {
			return nil, err
		}
		f.parsers[k] = q
	}
	return f, nil
}

// trainBoth trains the tables of labels and of pairs.
func trainBoth(xs []*example, log io.Writer) (labels, pairs []byte) {
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
