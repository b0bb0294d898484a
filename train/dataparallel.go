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

// dataParallel is this process's side of a step of several processes. Each process encodes its own
// images and some of the distinct texts. All gather the features and compute the same loss of the
// whole batch. Each computes the gradients of the parameters from those of its own features; these
// are summed. The zero value is for a single process.
type dataParallel struct {
	group *group.Group
	cards collectives

	sendBuffer, receiveBuffer []float64
	statusBuffer              []byte
}

// isSingle reports whether there is one process only.
func (p *dataParallel) isSingle() bool { return p.group == nil || p.group.World == 1 }

// ownImageRows returns the rows of the images whose pixels this process has: of samples and, if
// there are any, of their partners (hard-negative images).
func (p *dataParallel) ownImageRows(own []span, b *objective.Batch) []span {
	own = append(own[:0], p.rowsWithPixels(b.Images, 0, b.N))
	if n := len(b.Images); n > b.N {
		own = append(own, p.rowsWithPixels(b.Images, b.N, n))
	}
	return own
}

// rowsWithPixels returns the rows in [first, last) whose images have pixels. They are contiguous.
func (p *dataParallel) rowsWithPixels(images []*loader.Sample, first, last int) span {
	if p.isSingle() {
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

// ownTextRows returns the rows of the texts that this process encodes, which have about the same
// number of tokens in every process. Text i has the tokens offsets[i] to offsets[i+1]-1.
func (p *dataParallel) ownTextRows(offsets []int) span {
	n := len(offsets) - 1
	if p.isSingle() {
		return span{0, n}
	}
	from := func(rank int) int {
		row, _ := slices.BinarySearch(offsets, (offsets[n]*rank+p.group.World-1)/p.group.World)
		return row
	}
	return span{from(p.group.Rank), from(p.group.Rank + 1)}
}

var errBatchesDiffer = errors.New("the processes of a training do not have the same batch: start all with the same recipe and data")

// forwardTower computes a tower's outputs for this process's images or texts, gathers those of the
// other processes, and returns all as values on the tape of the loss.
func (p *dataParallel) forwardTower(e *towerEncoder, loss *kernels.Tape) ([]*kernels.Var, error) {
	own := make([]kernels.Tensor, len(e.outputs))
	for i, o := range e.outputs {
		own[i] = o.Tensor
		if !p.isSingle() && !o.ownOnly {
			own[i] = loss.Arena.Tensor(o.ownRows(span{0, e.ownCount()}).last, o.Cols)
		}
	}
	e.forward(own)
	var outputs []*kernels.Var
	for i, o := range e.outputs {
		if !p.isSingle() && !o.ownOnly {
			var parts []kernels.Tensor
			at := 0
			for _, rows := range e.ownRows {
				n := rows.last - rows.first
				parts = append(parts, e.rowsOf(own[i], o.ownRows(span{at, at + n})))
				at += n
			}
			if err := p.allGather(loss.Device, o.Tensor, parts...); err != nil {
				return nil, err
			}
		}
		if e.needsGradients {
			outputs = append(outputs, loss.Input(o.Tensor))
		} else {
			outputs = append(outputs, loss.Constant(o.Tensor))
		}
	}
	return outputs, nil
}

// allGather writes the parts of all processes to all: the first part of each process, then the
// second, and so on.
func (p *dataParallel) allGather(d kernels.Device, all kernels.Tensor, parts ...kernels.Tensor) error {
	if p.cards.device != nil {
		return p.allGatherOnDevice(all, parts...)
	}
	p.receiveBuffer = p.receiveBuffer[:0]
	for _, part := range parts {
		p.sendBuffer = append(p.sendBuffer[:0], make([]float64, part.Len())...)
		d.Read(p.sendBuffer, part)
		gathered, err := p.group.Gather(p.sendBuffer)
		if err != nil {
			return err
		}
		p.receiveBuffer = append(p.receiveBuffer, gathered...)
	}
	if len(p.receiveBuffer) != all.Len() {
		return errBatchesDiffer
	}
	d.Write(all, p.receiveBuffer)
	return nil
}

// backwardTower computes the gradients of the tower's parameters from the gradients of the outputs
// that this process encoded.
func (p *dataParallel) backwardTower(e *towerEncoder, a *kernels.Arena, outputs []*kernels.Var) {
	gradients := make([]kernels.Tensor, len(outputs))
	for i, y := range outputs {
		gradients[i] = y.Grad
		if p.isSingle() || y.Grad.IsNone() || e.outputs[i].ownOnly {
			continue
		}
		o, at := &e.outputs[i], 0
		gradients[i] = a.Tensor(o.ownRows(span{0, e.ownCount()}).last, y.Grad.Cols)
		for _, rows := range e.ownRows {
			n := rows.last - rows.first
			e.tape.Device.Copy(e.rowsOf(gradients[i], o.ownRows(span{at, at + n})), e.rowsOf(y.Grad, o.batchRows(rows)))
			at += n
		}
	}
	e.backward(gradients)
	p.cards.startTowerAllReduce(e)
}

// maxHostReduce is how many numbers of a device with its own memory are summed at a time.
const maxHostReduce = 1 << 20

// sumGradients sums the parameters' gradients over all processes, which get the same bits.
func (p *dataParallel) sumGradients(m *model.Model) error {
	if p.isSingle() {
		return nil
	}
	d, g := m.Device, m.Gradients()
	for _, v := range m.SharedVars() {
		if p.group.Rank > 0 && v.NeedsGrad() {
			d.Zero(v.Grad) // every process has computed this gradient of the whole loss: it must count once
		}
	}
	switch {
	case p.cards.device != nil:
		p.cards.startAllReduce(0, g.Len(), 1)
		p.cards.device.WaitAllReduce()
		return nil
	case g.F64 != nil:
		return p.group.Sum(g.F64[:g.Len()])
	case g.F32 != nil:
		return p.group.Sum32(g.F32[:g.Len()])
	}
	return p.allReduce(d, g)
}

// averageBatchNorms replaces the running averages of batch norms, which differ, by their mean over
// all processes, which get the same bits.
func (p *dataParallel) averageBatchNorms(m *model.Model) error {
	all := m.RunningAverages()
	if p.isSingle() || all.IsNone() {
		return nil
	}
	if err := p.allReduce(m.Device, all); err != nil {
		return err
	}
	m.Device.AddScaled(all, all, 1/float64(p.group.World)-1)
	return nil
}

// allReduce replaces a tensor by its sum over all processes.
func (p *dataParallel) allReduce(d kernels.Device, t kernels.Tensor) error {
	if p.isSingle() {
		return nil
	}
	if p.cards.device != nil {
		p.cards.device.StartAllReduce(t)
		p.cards.device.WaitAllReduce()
		return nil
	}
	for first := 0; first < t.Len(); first += maxHostReduce {
		n := min(maxHostReduce, t.Len()-first)
		some := sliceTensor(d, t, first, first+n)
		p.sendBuffer = append(p.sendBuffer[:0], make([]float64, n)...)
		d.Read(p.sendBuffer, some)
		if err := p.group.Sum(p.sendBuffer); err != nil {
			return err
		}
		d.Write(some, p.sendBuffer)
	}
	return nil
}
