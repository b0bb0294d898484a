package train

import (
	"capgraph/kernels"
	"capgraph/train/model"
	"capgraph/train/objective"
)

// binder scores images against the scene graphs of a batch. An image at a time meets
// all graphs, and meets them again for its gradients: what a step keeps of the scores
// of n images with n graphs is the keys and values of each image, the words of all
// graphs, and n² numbers. Each process scores its own images.
type binder struct {
	model         *model.Model
	words, scores *kernels.Tape
	layout        model.Layout

	graphs           *objective.Graphs
	own              span           // images of the batch that this process scores
	starts           []int          // of each image: where its altered graphs begin among all
	nodes, predicate *kernels.Var   // of all texts, on the tape of words
	made             model.Words    // on the tape of words
	image, text      []*kernels.Var // the towers', whose gradients this makes
	all, altered     *kernels.Var   // on the tape of the loss
}

// forward gives the scores of the batch's images with all graphs, and of each with its
// own altered ones: Inputs of the loss.
func (b *binder) forward(s *stepper, image, text []*kernels.Var) (scores, altered *kernels.Var, err error) {
	d, n := b.model.Device, s.batch.N
	b.graphs, b.own, b.image, b.text = s.batch.Graphs, s.image.own[0], image, text
	b.starts = append(b.starts[:0], 0)
	for _, a := range b.graphs.Altered {
		b.starts = append(b.starts, b.starts[len(b.starts)-1]+len(a))
	}
	t := b.words
	t.Reset()
	t.Arena.Empty()
	b.nodes, b.predicate = t.Input(text[0].Value), t.Input(text[1].Value)
	b.made = b.model.BindWords(t, b.nodes, b.predicate, b.graphs.Nodes, b.graphs.Predicates, &b.layout)
	b.layout.Begin(b.model, len(b.graphs.Nodes))
	for i := range b.graphs.Own {
		b.layout.Add(&b.graphs.Own[i])
	}

	a := s.loss.Arena
	scores, altered = s.loss.Input(a.Tensor(n, n)), s.loss.Input(a.Tensor(1, b.starts[n]))
	b.all, b.altered = scores, altered
	first, last := b.own.first, b.own.last
	for i := first; i < last; i++ {
		y := b.score(i, true, nil, nil)
		row, others := b.parts(i, scores.Value, altered.Value)
		d.Copy(row, part(d, y.Value, 0, n))
		d.Copy(others, part(d, y.Value, n, y.Value.Cols))
	}
	if s.alone() {
		return scores, altered, nil
	}
	if err := s.gather(d, scores.Value, t.Rows(scores.Value, first, last)); err != nil {
		return nil, nil, err
	}
	return scores, altered, s.gather(d, altered.Value, part(d, altered.Value, b.starts[first], b.starts[last]))
}

// score does image i with all graphs and its own altered ones, [1, graphs]. Its
// gradients are added to those of image and words, where there are some.
func (b *binder) score(i int, forward bool, image, words []kernels.Tensor) *kernels.Var {
	t := b.scores
	t.Reset()
	t.Arena.Empty()
	t.Forward = forward
	b.layout.Keep(len(b.graphs.Own))
	for k := range b.graphs.Altered[i] {
		b.layout.Add(&b.graphs.Altered[i][k])
	}
	patches := b.model.Config.Image.Grid() * b.model.Config.Image.Grid()
	at := (i - b.own.first) * patches
	var of, made []*kernels.Var
	for k, v := range b.image {
		rows := t.Rows(v.Value, at, at+patches)
		if forward {
			of = append(of, t.Constant(rows))
		} else {
			of = append(of, kernels.NewParameter(rows, t.Rows(image[k], at, at+patches)))
		}
	}
	for k, v := range b.made.List() {
		if forward {
			made = append(made, t.Constant(v.Value))
		} else {
			made = append(made, kernels.NewParameter(v.Value, words[k]))
		}
	}
	return b.model.Scores(t, model.PatchesOf(of), model.WordsOf(made), &b.layout)
}

// backward takes the gradients of the scores to the towers' outputs.
func (b *binder) backward(s *stepper) error {
	d, t, n := b.model.Device, b.words, s.batch.N
	zeros := func(of []*kernels.Var) (g []kernels.Tensor) {
		for _, v := range of {
			g = append(g, t.Arena.Tensor(v.Value.Rows, v.Value.Cols))
			d.Zero(g[len(g)-1])
		}
		return g
	}
	image, words := zeros(b.image), zeros(b.made.List())
	for i := b.own.first; i < b.own.last; i++ {
		y := b.score(i, false, image, words)
		seed := b.scores.Arena.Tensor(1, y.Value.Cols)
		row, others := b.parts(i, b.all.Grad, b.altered.Grad)
		d.Copy(part(d, seed, 0, n), row)
		d.Copy(part(d, seed, n, seed.Cols), others)
		b.scores.Seed(y, seed)
		b.scores.Backward()
	}
	for k, v := range b.made.List() {
		t.Seed(v, words[k])
	}
	t.Backward()
	for k, v := range b.image {
		v.Grad = image[k]
	}
	for k, v := range []*kernels.Var{b.nodes, b.predicate} {
		b.text[k].Grad = v.Grad
		if err := s.sumTensor(d, v.Grad); err != nil {
			return err
		}
	}
	return nil
}

// parts are those of image i: its row of the scores, and of the altered ones its own.
func (b *binder) parts(i int, scores, altered kernels.Tensor) (row, others kernels.Tensor) {
	d := b.model.Device
	if altered.None() { // nobody compared with them
		return part(d, scores, i*scores.Cols, (i+1)*scores.Cols), kernels.Tensor{}
	}
	return part(d, scores, i*scores.Cols, (i+1)*scores.Cols), part(d, altered, b.starts[i], b.starts[i+1])
}

// part are the elements of a tensor from first to last-1, as a row.
func part(d kernels.Device, t kernels.Tensor, first, last int) kernels.Tensor {
	return kernels.Tensor{Rows: 1, Cols: last - first, Memory: d.Slice(t.Memory, first, last-first)}
}
