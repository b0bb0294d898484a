package train

import (
	"capgraph/kernels"
	"capgraph/train/model"
	"capgraph/train/objective"
)

// graphScorer scores images against the scene graphs of a batch, as OC-CLIP does. Each image is
// scored against all graphs by itself, and once more for its gradients. So a step of n images and n
// graphs keeps only the keys and values of each image, the words of all graphs, and n² scores. Each
// process scores its own images.
type graphScorer struct {
	model               *model.Model
	wordTape, scoreTape *kernels.Tape
	layout              model.Layout

	graphs                *objective.Graphs
	ownImages             span           // images of the batch that this process scores
	alteredStarts         []int          // for each image, the index of its first altered graph among all altered graphs
	nodes, predicate      *kernels.Var   // of all texts, on the tape wordTape
	words                 model.Words    // on wordTape
	image, text           []*kernels.Var // the towers' outputs, whose gradients backward sets
	scores, alteredScores *kernels.Var   // inputs on the tape of the loss
}

// forward returns the scores of the batch's images with all graphs, and of each image with its own
// altered graphs. Both are inputs of the loss.
func (b *graphScorer) forward(s *stepper, image, text []*kernels.Var) (scores, altered *kernels.Var, err error) {
	d, n := b.model.Device, s.batch.N
	b.graphs, b.ownImages, b.image, b.text = s.batch.Graphs, s.image.ownRows[0], image, text
	b.alteredStarts = append(b.alteredStarts[:0], 0)
	for _, a := range b.graphs.Altered {
		b.alteredStarts = append(b.alteredStarts, b.alteredStarts[len(b.alteredStarts)-1]+len(a))
	}
	t := b.wordTape
	t.Reset()
	t.Arena.Reset()
	b.nodes, b.predicate = t.Input(text[0].Value), t.Input(text[1].Value)
	b.words = b.model.BindWords(t, b.nodes, b.predicate, b.graphs.Nodes, b.graphs.Predicates, &b.layout)
	b.layout.Reset(b.model, len(b.graphs.Nodes))
	for i := range b.graphs.Own {
		b.layout.Add(&b.graphs.Own[i])
	}

	a := s.loss.Arena
	scores, altered = s.loss.Input(a.Tensor(n, n)), s.loss.Input(a.Tensor(1, b.alteredStarts[n]))
	b.scores, b.alteredScores = scores, altered
	first, last := b.ownImages.first, b.ownImages.last
	for i := first; i < last; i++ {
		y := b.scoreImage(i, true, nil, nil)
		row, others := b.imageScores(i, scores.Value, altered.Value)
		d.Copy(row, sliceTensor(d, y.Value, 0, n))
		d.Copy(others, sliceTensor(d, y.Value, n, y.Value.Cols))
	}
	if s.parallel.isSingle() {
		return scores, altered, nil
	}
	if err := s.parallel.allGather(d, scores.Value, t.Rows(scores.Value, first, last)); err != nil {
		return nil, nil, err
	}
	return scores, altered, s.parallel.allGather(d, altered.Value, sliceTensor(d, altered.Value, b.alteredStarts[first], b.alteredStarts[last]))
}

// scoreImage scores image i against all graphs and its own altered ones: [1, graphs]. Unless
// forward is set, image and words are gradients, to which a later Backward adds.
func (b *graphScorer) scoreImage(i int, forward bool, image, words []kernels.Tensor) *kernels.Var {
	t := b.scoreTape
	t.Reset()
	t.Arena.Reset()
	t.ForwardOnly = forward
	b.layout.Truncate(len(b.graphs.Own))
	for k := range b.graphs.Altered[i] {
		b.layout.Add(&b.graphs.Altered[i][k])
	}
	patches := b.model.Config.Image.Patches()
	at := (i - b.ownImages.first) * patches
	var of, made []*kernels.Var
	for k, v := range b.image {
		rows := t.Rows(v.Value, at, at+patches)
		if forward {
			of = append(of, t.Constant(rows))
		} else {
			of = append(of, kernels.NewParameter(rows, t.Rows(image[k], at, at+patches)))
		}
	}
	for k, v := range b.words.List() {
		if forward {
			made = append(made, t.Constant(v.Value))
		} else {
			made = append(made, kernels.NewParameter(v.Value, words[k]))
		}
	}
	return b.model.Scores(t, model.PatchesOf(of), model.WordsOf(made), &b.layout)
}

// backward computes the gradients of the towers' outputs from those of the scores.
func (b *graphScorer) backward(s *stepper) error {
	d, t, n := b.model.Device, b.wordTape, s.batch.N
	zeros := func(of []*kernels.Var) (g []kernels.Tensor) {
		for _, v := range of {
			g = append(g, t.Arena.Tensor(v.Value.Rows, v.Value.Cols))
			d.Zero(g[len(g)-1])
		}
		return g
	}
	image, words := zeros(b.image), zeros(b.words.List())
	for i := b.ownImages.first; i < b.ownImages.last; i++ {
		y := b.scoreImage(i, false, image, words)
		seed := b.scoreTape.Arena.Tensor(1, y.Value.Cols)
		row, others := b.imageScores(i, b.scores.Grad, b.alteredScores.Grad)
		d.Copy(sliceTensor(d, seed, 0, n), row)
		d.Copy(sliceTensor(d, seed, n, seed.Cols), others)
		b.scoreTape.Seed(y, seed)
		b.scoreTape.Backward()
	}
	for k, v := range b.words.List() {
		t.Seed(v, words[k])
	}
	t.Backward()
	for k, v := range b.image {
		v.Grad = image[k]
	}
	for k, v := range []*kernels.Var{b.nodes, b.predicate} {
		b.text[k].Grad = v.Grad
		if err := s.parallel.allReduce(d, v.Grad); err != nil {
			return err
		}
	}
	return nil
}

// imageScores returns the elements of image i: its row of scores, and its part of altered.
func (b *graphScorer) imageScores(i int, scores, altered kernels.Tensor) (row, others kernels.Tensor) {
	d := b.model.Device
	if altered.IsNone() { // the objective does not use them
		return sliceTensor(d, scores, i*scores.Cols, (i+1)*scores.Cols), kernels.Tensor{}
	}
	return sliceTensor(d, scores, i*scores.Cols, (i+1)*scores.Cols), sliceTensor(d, altered, b.alteredStarts[i], b.alteredStarts[i+1])
}

// sliceTensor returns the elements first to last-1 of a tensor as a row.
func sliceTensor(d kernels.Device, t kernels.Tensor, first, last int) kernels.Tensor {
	return kernels.Tensor{Rows: 1, Cols: last - first, Memory: d.Slice(t.Memory, first, last-first)}
}
