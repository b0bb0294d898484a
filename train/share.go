package train

import (
	"errors"
	"slices"

	"capgraph/kernels"
	"capgraph/train/group"
	"capgraph/train/loader"
	"capgraph/train/model"
	"capgraph/train/objective"
)

// share is the part of one process in a step of several. Each encodes its own
// images and a part of the distinct texts; all gather the features, and compute
// the same loss of the whole batch. Each then takes the gradients of the features
// that it encoded to the parameters, and these are summed. The zero share is that
// of a process alone.
type share struct {
	linked
	group     *group.Group
	mine, all []float64
	told      []byte
}

func (s *share) alone() bool { return s.group == nil || s.group.World == 1 }

// ownImages are the rows of the images whose pixels this process has: of the
// samples, and of their partners where there are some.
func (s *share) ownImages(own []span, b *objective.Batch) []span {
	own = append(own[:0], s.withPixels(b.Images, 0, b.N))
	if n := len(b.Images); n > b.N {
		own = append(own, s.withPixels(b.Images, b.N, n))
	}
	return own
}

// withPixels are those of the rows from first to last-1 that have their pixels,
// which stand together.
func (s *share) withPixels(images []*loader.Sample, first, last int) span {
	if s.alone() {
		return span{first, last}
	}
	for first < last && images[first].Pixels == nil {
		first++
	}
	for first < last && images[last-1].Pixels == nil {
		last--
	}
	return span{first, last}
}

// ownTexts are the rows of the texts that this process encodes: about as many
// tokens as all others. Text i has the tokens from offsets[i] to offsets[i+1]-1.
func (s *share) ownTexts(offsets []int) span {
	n := len(offsets) - 1
	if s.alone() {
		return span{0, n}
	}
	from := func(rank int) int {
		row, _ := slices.BinarySearch(offsets, (offsets[n]*rank+s.group.World-1)/s.group.World)
		return row
	}
	return span{from(s.group.Rank), from(s.group.Rank + 1)}
}

var errOtherBatches = errors.New("the processes of a training do not have the same batch: start all with the same recipe and data")

// forward computes the outputs of a tower, its own rows and those of the others, and
// puts them on the tape of the loss.
func (s *share) forward(e *encoder, loss *kernels.Tape) ([]*kernels.Var, error) {
	own := make([]kernels.Tensor, len(e.outputs))
	for i, o := range e.outputs {
		own[i] = o.Tensor
		if !s.alone() && !o.own {
			own[i] = loss.Arena.Tensor(e.count()*o.each, o.Cols)
		}
	}
	e.forward(own)
	var made []*kernels.Var
	for i, o := range e.outputs {
		if !s.alone() && !o.own {
			var parts []kernels.Tensor
			at := 0
			for _, rows := range e.own {
				n := rows.last - rows.first
				parts = append(parts, e.rows(own[i], i, span{at, at + n}))
				at += n
			}
			if err := s.gather(loss.Device, o.Tensor, parts...); err != nil {
				return nil, err
			}
		}
		if e.learns {
			made = append(made, loss.Input(o.Tensor))
		} else {
			made = append(made, loss.Constant(o.Tensor))
		}
	}
	return made, nil
}

// gather writes to all the parts that the processes have: the first of each of them,
// then the second, and so on.
func (s *share) gather(d kernels.Device, all kernels.Tensor, parts ...kernels.Tensor) error {
	if s.cards != nil {
		return s.exchange(all, parts...)
	}
	s.all = s.all[:0]
	for _, p := range parts {
		s.mine = append(s.mine[:0], make([]float64, p.Len())...)
		d.Read(s.mine, p)
		part, err := s.group.Gather(s.mine)
		if err != nil {
			return err
		}
		s.all = append(s.all, part...)
	}
	if len(s.all) != all.Len() {
		return errOtherBatches
	}
	d.Write(all, s.all)
	return nil
}

// backward takes the gradients of what this process encoded to the parameters.
func (s *share) backward(e *encoder, a *kernels.Arena, made []*kernels.Var) {
	gradients := make([]kernels.Tensor, len(made))
	for i, y := range made {
		gradients[i] = y.Grad
		if s.alone() || y.Grad.None() || e.outputs[i].own {
			continue
		}
		gradients[i] = a.Tensor(e.count()*e.outputs[i].each, y.Grad.Cols)
		at := 0
		for _, o := range e.own {
			n := o.last - o.first
			e.tape.Device.Copy(e.rows(gradients[i], i, span{at, at + n}), e.rows(y.Grad, i, o))
			at += n
		}
	}
	e.backward(gradients)
	s.towerDone(e)
}

// summedAtOnce is how many gradients of a device with memory of its own are summed
// at a time.
const summedAtOnce = 1 << 20

// sum makes the parameters' gradients those of all processes: the same bits on
// each.
func (s *share) sum(m *model.Model) error {
	if s.alone() {
		return nil
	}
	d, g := m.Device, m.Grads()
	if tau := m.LogScale(); s.group.Rank > 0 && tau.Needs() {
		d.Zero(tau.Grad) // it is of the whole loss, which each has computed
	}
	switch {
	case s.cards != nil:
		s.ready(0, g.Len(), 1)
		s.cards.SumEnd()
		return nil
	case g.F64 != nil:
		return s.group.Sum(g.F64[:g.Len()])
	case g.F32 != nil:
		return s.group.Sum32(g.F32[:g.Len()])
	}
	return s.sumTensor(d, g)
}

// average makes the running averages of batch norms the means of those of all processes,
// each of which has moved its own by its own images: the same bits on each.
func (s *share) average(m *model.Model) error {
	all := m.Averages()
	if s.alone() || all.None() {
		return nil
	}
	if err := s.sumTensor(m.Device, all); err != nil {
		return err
	}
	m.Device.AddScaled(all, all, 1/float64(s.group.World)-1)
	return nil
}

// sumTensor makes a tensor the sum of those of all processes.
func (s *share) sumTensor(d kernels.Device, t kernels.Tensor) error {
	if s.alone() {
		return nil
	}
	if s.cards != nil {
		s.cards.SumBegin(t)
		s.cards.SumEnd()
		return nil
	}
	for first := 0; first < t.Len(); first += summedAtOnce {
		n := min(summedAtOnce, t.Len()-first)
		some := part(d, t, first, first+n)
		s.mine = append(s.mine[:0], make([]float64, n)...)
		d.Read(s.mine, some)
		if err := s.group.Sum(s.mine); err != nil {
			return err
		}
		d.Write(some, s.mine)
	}
	return nil
}
