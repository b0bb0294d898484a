package kernels

type visionOps interface {
	// Vision puts the class token before the patches of each image and adds the
	// positions: patches [n·p, w], class [1, w], positions [1+p, w], y [n·(1+p), w].
	Vision(y, patches, class, positions Tensor)
	// VisionBackward computes gradients from dy [n·length, w], where length is 1+p. Each may be
	// none.
	VisionBackward(dpatches, dclass, dpositions Grad, dy Tensor, length int)
}

// Vision returns the token sequences of images [n·(1+p), w] (Dosovitskiy et al. 2021, eq. 1) from
// their embedded patches [n·p, w]: the class token, then the patches, each plus its position
// embedding.
func (t *Tape) Vision(patches, class, positions *Var) *Var {
	p := positions.Value.Rows - 1
	checkShape(p > 0 && patches.Value.Rows%p == 0, "the patches are no whole images")
	checkShape(class.Value.Len() == patches.Value.Cols && positions.Value.Cols == patches.Value.Cols, "the embeddings of an image have several widths")
	y := t.newResult(patches.Value.Rows/p*(1+p), patches.Value.Cols, patches, class, positions)
	t.Device.Vision(y.Value, patches.Value, class.Value, positions.Value)
	return t.addRecord(record{backward: visionBackward, in: [4]*Var{patches, class, positions}, out: y})
}

func visionBackward(t *Tape, r *record) {
	t.Device.VisionBackward(t.gradOf(r.in[0]), t.gradOf(r.in[1]), t.gradOf(r.in[2]), r.out.Grad, r.in[2].Value.Rows)
}

// Vision implements Device.
func (*Reference) Vision(y, patches, class, positions Tensor) {
	length := positions.Rows
	for i := range y.Rows {
		from := class.F64
		if image, at := i/length, i%length; at > 0 {
			from = patches.row(image*(length-1) + at - 1)
		}
		to, position := y.row(i), positions.row(i%length)
		for k, v := range from {
			to[k] = v + position[k]
		}
	}
}

// VisionBackward implements Device.
func (*Reference) VisionBackward(dpatches, dclass, dpositions Grad, dy Tensor, length int) {
	for _, g := range []Grad{dclass, dpositions} {
		if !g.IsNone() && !g.Add {
			clear(g.F64)
		}
	}
	for i := range dy.Rows {
		image, at := i/length, i%length
		for k, v := range dy.row(i) {
			if !dpositions.IsNone() {
				dpositions.F64[at*dy.Cols+k] += v
			}
			if at == 0 && !dclass.IsNone() {
				dclass.F64[k] += v
			}
			if at > 0 && !dpatches.IsNone() {
				dpatches.store((image*(length-1)+at-1)*dy.Cols+k, v)
			}
		}
	}
}
