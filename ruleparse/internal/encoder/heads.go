package encoder

// Label sets out to the scores (logits) of the labels of a token with this vector.
func (n *Network) Label(out *[LabelCount]float32, vector []float32) {
	copy(out[:], n.labelBias)
	for l := range out {
		w := n.labels[l*Width:][:Width]
		s := out[l]
		for i, v := range vector[:Width] {
			s += float32(v * w[i])
		}
		out[l] = s
	}
}

// Ends has the part of a pair head's hidden layer that each token contributes as the first or last token of a span.
type Ends struct {
	rows   []float32 // for each token a row of headInner numbers for each end
	stride int
	memory rounded
	x, y   []float32 // hidden layers: a row of headInner numbers for each pair
}

// Option is a possible relation of two objects. Ends are the first and last token of the first object, of the second,
// and of the words of the predicate, or -1 if there are none. The other fields are rows of the tables, as in teach.py.
type Option struct {
	Ends                   [6]int32
	Form, Used, Gap, Words int
}

// ComputeOwnerEnds computes e for the head of attributes' owners, from the vectors of a text's tokens.
func (n *Network) ComputeOwnerEnds(e *Ends, vectors []float32) { n.owners.computeEnds(e, vectors) }

// ComputeRelationEnds computes e for the head of relations, from the vectors of a text's tokens.
func (n *Network) ComputeRelationEnds(e *Ends, vectors []float32) {
	n.relations.computeEnds(e, vectors)
}

func (h *pairHead) computeEnds(e *Ends, vectors []float32) {
	rows := len(vectors) / Width
	e.stride = len(h.ends.biases)
	e.memory.reserve(rows, Width)
	if len(e.rows) < rows*e.stride {
		e.rows = make([]float32, rows*e.stride)
	}
	e.memory.multiplyRows(&h.ends, vectors, rows, e.rows, store)
}

// ScoreOwner returns the score of an object as the owner of an attribute. ends are the first and last token of the
// attribute, then of the object. distance is the row of the table of distances.
func (n *Network) ScoreOwner(e *Ends, ends [4]int32, distance int) float32 {
	x := e.newRows(1)
	e.addEnds(x, ends[:])
	addRow(x, n.owners.tables[0], distance)
	n.owners.finish(e, 1)
	return n.owners.score(e, 0)
}

// AppendRelationScores appends the score of each option.
func (n *Network) AppendRelationScores(e *Ends, options []Option, out []float32) []float32 {
	if len(options) == 0 {
		return out
	}
	rows := e.newRows(len(options))
	for i := range options {
		x, o := rows[i*headInner:][:headInner], &options[i]
		e.addEnds(x, o.Ends[:])
		for k, row := range [...]int{o.Form, o.Used, o.Gap, o.Words} {
			addRow(x, n.relations.tables[k], row)
		}
	}
	n.relations.finish(e, len(options))
	for i := range options {
		out = append(out, n.relations.score(e, i))
	}
	return out
}

// newRows returns n rows of e.x, set to 0.
func (e *Ends) newRows(n int) []float32 {
	e.memory.reserve(n, Width)
	if len(e.x) < n*headInner {
		e.x, e.y = make([]float32, n*headInner), make([]float32, n*headInner)
	}
	clear(e.x[:n*headInner])
	return e.x[:n*headInner]
}

// addEnds adds the contributions of the tokens ends to row x of a hidden layer.
func (e *Ends) addEnds(x []float32, ends []int32) {
	for k, t := range ends {
		if t >= 0 {
			addRow(x, e.rows, int(t)*e.stride/headInner+k)
		}
	}
}

func addRow(x, table []float32, row int) {
	for i, v := range table[row*headInner:][:headInner] {
		x[i] += v
	}
}

// finish computes the last hidden layer of n rows of e.x.
func (h *pairHead) finish(e *Ends, n int) {
	for i, v := range e.x[:n*headInner] {
		e.x[i] = gelu(v)
	}
	e.memory.multiplyRows(&h.middle, e.x, n, e.y, storeGELU)
}

// score returns the score of the pair in row i.
func (h *pairHead) score(e *Ends, i int) float32 {
	x, y := e.x[i*headInner:][:headInner], e.y[i*headInner:][:headInner]
	s := h.bias
	for k, v := range y {
		s += float32((v + x[k]) * h.last[k])
	}
	return s
}
