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

// forward writes the features of all rows, its own and those of the others.
func (s *share) forward(e *encoder, a *kernels.Arena, features kernels.Tensor) error {
	if s.alone() {
		e.forward(features)
		return nil
	}
	d := e.tape.Device
	own := a.Tensor(e.count(), features.Cols)
	e.forward(own)
	s.mine = append(s.mine[:0], make([]float64, own.Len())...)
	d.Read(s.mine, own)
	s.all = s.all[:0]
	mine := s.mine
	for _, o := range e.own {
		n := (o.last - o.first) * features.Cols
		part, err := s.group.Gather(mine[:n])
		if err != nil {
			return err
		}
		s.all, mine = append(s.all, part...), mine[n:]
	}
	if len(s.all) != features.Len() {
		return errOtherBatches
	}
	d.Write(features, s.all)
	return nil
}

// backward takes the gradients of the features that this process encoded to the
// parameters.
func (s *share) backward(e *encoder, a *kernels.Arena, gradients kernels.Tensor) {
	if !s.alone() && !gradients.None() {
		own, at := a.Tensor(e.count(), gradients.Cols), 0
		for _, o := range e.own {
			n := o.last - o.first
			e.tape.Device.Copy(e.rows(own, span{at, at + n}), e.rows(gradients, o))
			at += n
		}
		gradients = own
	}
	e.backward(gradients)
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
	case g.F64 != nil:
		return s.group.Sum(g.F64[:g.Len()])
	case g.F32 != nil:
		return s.group.Sum32(g.F32[:g.Len()])
	}
	for first := 0; first < g.Len(); first += summedAtOnce {
		n := min(summedAtOnce, g.Len()-first)
		part := kernels.Tensor{Rows: 1, Cols: n, Memory: d.Slice(g.Memory, first, n)}
		s.mine = append(s.mine[:0], make([]float64, n)...)
		d.Read(s.mine, part)
		if err := s.group.Sum(s.mine); err != nil {
			return err
		}
		d.Write(part, s.mine)
	}
	return nil
}
