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

// Ends are a head's values for the tokens of a text as the ends of spans.
type Ends struct {
	rows   []float32 // of each token, headInner numbers for each end
	stride int
	memory rounded
	x, y   []float32 // rows of headInner, one for each pair
}

// Option is a relation of two objects: Ends are the first and last token of the first object, of the
// second and of the words of the predicate; -1 if there is none. The others are rows of the tables, as teach.py
// has them.
type Option struct {
	Ends                   [6]int32
	Form, Used, Gap, Words int
}

// FindOwners sets e to what the head of owners knows of the tokens with these vectors.
func (n *Network) FindOwners(e *Ends, vectors []float32) { n.owners.findEnds(e, vectors) }

// FindRelations sets e to what the head of relations knows of the tokens with these vectors.
func (n *Network) FindRelations(e *Ends, vectors []float32) { n.relations.findEnds(e, vectors) }

func (h *pairHead) findEnds(e *Ends, vectors []float32) {
	rows := len(vectors) / Width
	e.stride = len(h.ends.biases)
	e.memory.reserve(rows, Width)
	if len(e.rows) < rows*e.stride {
		e.rows = make([]float32, rows*e.stride)
	}
	e.memory.multiplyRows(&h.ends, vectors, rows, e.rows, store)
}

// ScoreOwner returns the score of an object as the owner of an attribute: ends are the first and
// last token of the attribute, then of the object. distance is the row of their distance.
func (n *Network) ScoreOwner(e *Ends, ends [4]int32, distance int) float32 {
	x := e.newRows(1)
	e.addEnds(x, ends[:])
	addRow(x, n.owners.tables[0], distance)
	n.owners.finish(e, 1)
	return n.owners.score(e, 0)
}

// AppendRelationScores appends the scores of options.
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

// newRows returns n empty rows of e.x.
func (e *Ends) newRows(n int) []float32 {
	e.memory.reserve(n, Width)
	if len(e.x) < n*headInner {
		e.x, e.y = make([]float32, n*headInner), make([]float32, n*headInner)
	}
	clear(e.x[:n*headInner])
	return e.x[:n*headInner]
}

// addEnds adds what is known of tokens as ends to x.
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

// finish computes the hidden layer of n rows of e.x.
func (h *pairHead) finish(e *Ends, n int) {
	for i, v := range e.x[:n*headInner] {
		e.x[i] = gelu(v)
	}
	e.memory.multiplyRows(&h.middle, e.x, n, e.y, storeGELU)
}

// score returns the score of row i.
func (h *pairHead) score(e *Ends, i int) float32 {
	x, y := e.x[i*headInner:][:headInner], e.y[i*headInner:][:headInner]
	s := h.bias
	for k, v := range y {
		s += float32((v + x[k]) * h.last[k])
	}
	return s
}
