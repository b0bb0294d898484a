package encoder

// Label sets out to the scores of the labels of a token with this vector, in natural logarithm.
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

// Ends are what a head knows of the tokens of a text as the ends of spans.
type Ends struct {
	rows   []float32 // of each token, headInner numbers for each end
	stride int
	memory Memory
	x, y   []float32
}

// FindOwners sets e to what the head of owners knows of the tokens with these vectors.
func (n *Network) FindOwners(e *Ends, vectors []float32) { n.owners.findEnds(e, vectors) }

func (h *pairHead) findEnds(e *Ends, vectors []float32) {
	rows := len(vectors) / Width
	e.stride = len(h.ends.scales)
	e.memory.reserve(rows)
	if len(e.rows) < rows*e.stride {
		e.rows = make([]float32, rows*e.stride)
		e.x, e.y = make([]float32, headInner), make([]float32, headInner)
	}
	e.memory.roundRows(vectors, rows, Width)
	e.memory.multiply(&h.ends, rows, e.rows, store)
}

// ScoreOwner returns the score of an object as the owner of an attribute: ends are the first and
// last token of the attribute, then of the object. distance is the row of their distance.
func (n *Network) ScoreOwner(e *Ends, ends [4]int32, distance int) float32 {
	clear(e.x)
	for k, t := range ends {
		addRow(e.x, e.rows, int(t)*e.stride/headInner+k)
	}
	addRow(e.x, n.owners.tables[0], distance)
	return n.owners.score(e)
}

func addRow(x, table []float32, row int) {
	for i, v := range table[row*headInner:][:headInner] {
		x[i] += v
	}
}

// score returns the score of the sum e.x.
func (h *pairHead) score(e *Ends) float32 {
	for i, v := range e.x {
		e.x[i] = gelu(v)
	}
	e.memory.roundRows(e.x, 1, headInner)
	e.memory.multiply(&h.middle, 1, e.y, storeGELU)
	s := h.bias
	for i, v := range e.y {
		s += float32((v + e.x[i]) * h.last[i])
	}
	return s
}
