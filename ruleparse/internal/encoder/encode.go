package encoder

// Input is a text as word pieces, with the marks at both ends. First and Last are the indices of the first and last
// piece of each token.
type Input struct {
	Pieces      []int32
	Shapes      []uint8 // shape of the token of each piece; 0 for the marks
	First, Last []int32
}

// Memory is the memory of a network, which later texts reuse.
type Memory struct {
	hidden []float32 // rows of Width, one for each piece, like the next two
	mixed  []float32 // outputs of attention
	wide   []float32 // rows of inner or 3·Width
	scores []float32
	shares []float32
	rounded

	Vectors []float32 // the results: rows of Width, one for each token of all texts
}

// rounded is memory for rows rounded to int8 and for their products.
type rounded struct {
	values []int8
	steps  []float32 // of each row
	sums   []int32
}

// rowsAtOnce is about how many pieces go through a layer together: many, so that the weights are seldom loaded, but few
// enough that the activations stay in the cache.
const rowsAtOnce = 192

// Encode sets m.Vectors to the vectors of the tokens of all texts. A text has at most
// [Network.Positions] pieces.
func (n *Network) Encode(m *Memory, texts []Input) {
	m.Vectors = m.Vectors[:0]
	for len(texts) > 0 {
		rows, count := 0, 0
		for count < len(texts) && (count == 0 || rows+len(texts[count].Pieces) <= rowsAtOnce) {
			rows += len(texts[count].Pieces)
			count++
		}
		n.encodeTogether(m, texts[:count], rows)
		texts = texts[count:]
	}
}

func (n *Network) encodeTogether(m *Memory, texts []Input, rows int) {
	m.reserve(rows)
	at := 0
	for i := range texts {
		for p, piece := range texts[i].Pieces {
			n.embed(m.hidden[(at+p)*Width:][:Width], piece, texts[i].Shapes[p], p)
		}
		at += len(texts[i].Pieces)
	}
	for k := range n.layers {
		l := &n.layers[k]
		m.multiplyRows(&l.queries, m.hidden, rows, m.wide, store)
		at := 0
		for i := range texts {
			m.computeAttention(at, len(texts[i].Pieces))
			at += len(texts[i].Pieces)
		}
		m.multiplyRows(&l.attention, m.mixed, rows, m.hidden, addTo)
		l.norm.apply(m.hidden, rows)
		m.multiplyRows(&l.inner, m.hidden, rows, m.wide, storeGELU)
		m.multiplyRows(&l.outer, m.wide, rows, m.hidden, addTo)
		l.outerNorm.apply(m.hidden, rows)
	}
	at = 0
	for i := range texts {
		for t, first := range texts[i].First {
			a, b := m.hidden[(at+int(first))*Width:][:Width], m.hidden[(at+int(texts[i].Last[t]))*Width:][:Width]
			for c := range a {
				m.Vectors = append(m.Vectors, (a[c]+b[c])*0.5)
			}
		}
		at += len(texts[i].Pieces)
	}
}

// reserve allocates memory for rows pieces.
func (m *Memory) reserve(rows int) {
	m.rounded.reserve(rows, inner)
	rows = len(m.steps)
	if len(m.hidden) >= rows*Width {
		return
	}
	m.hidden, m.mixed, m.wide = make([]float32, rows*Width), make([]float32, rows*Width), make([]float32, rows*inner)
	m.scores, m.shares = make([]float32, rows*lanes), make([]float32, rows*pattern+lanes)
}

// reserve allocates memory for rows of that many numbers.
func (m *rounded) reserve(rows, numbers int) {
	rows = (rows + kernel.rows - 1) / kernel.rows * kernel.rows
	if len(m.steps) >= rows && len(m.values) >= rows*numbers {
		return
	}
	m.values, m.steps, m.sums = make([]int8, rows*numbers), make([]float32, rows), make([]int32, rows*columns)
}

// embed sets x to the input vector of a piece with a shape at a position of its text.
func (n *Network) embed(x []float32, piece int32, shape uint8, position int) {
	n.embedWord(x, piece)
	s, w, p := n.shapes[int(shape)%shapeCount*Width:][:Width], n.written[Width:], n.positions[position*Width:][:Width]
	for i := range x {
		x[i] = x[i] + s[i] + w[i] + p[i]
	}
	kernel.norm(x, n.norm.gamma, n.norm.beta)
}

// embedWord sets x to the embedding of a piece, without position and shape.
func (n *Network) embedWord(x []float32, piece int32) {
	if n.exactWords != nil {
		copy(x, n.exactWords[int(piece)*Width:])
		return
	}
	scale := n.wordScales[piece]
	for i, v := range n.words[int(piece)*Width:][:Width] {
		x[i] = float32(float32(v) * scale)
	}
}

func (w *norm) apply(x []float32, rows int) {
	for r := range rows {
		kernel.norm(x[r*Width:][:Width], w.gamma, w.beta)
	}
}

// roundRows rounds rows of x, each of n numbers, to int8 in m.values, with a scale for each row in m.steps.
func (m *rounded) roundRows(x []float32, rows, n int) {
	for r := range rows {
		row := x[r*n:][:n]
		largest := kernel.largest(row)
		factor := 127 / largest
		if largest == 0 {
			factor = 0
		}
		m.steps[r] = largest / 127
		kernel.round(m.values[r*n:][:n], row, factor)
	}
}

// multiplyRows multiplies rows of x by a matrix. It stores the results in rows of y or adds them there, as how says.
func (m *rounded) multiplyRows(w *matrix, x []float32, rows int, y []float32, how finish) {
	if w.exact != nil {
		w.multiplyExactly(x, rows, y, how)
		return
	}
	m.roundRows(x, rows, w.inputs)
	for b := 0; b < len(w.scales); b += columns {
		kernel.products(m.sums, w.start[b:b+columns], m.values, w.block(b), rows, w.inputs)
		kernel.finish[how](y[b:], len(w.scales), m.sums, m.steps, w.scales[b:b+columns], w.biases[b:b+columns], rows)
	}
}

// multiplyExactly is multiplyRows for a matrix in float32, in plain Go.
func (w *matrix) multiplyExactly(x []float32, rows int, y []float32, how finish) {
	for r := range rows {
		row, out := x[r*w.inputs:][:w.inputs], y[r*len(w.biases):][:len(w.biases)]
		for o := range out {
			weights := w.exact[o*w.inputs:][:len(row)]
			var s [4]float32
			for i := 0; i+4 <= len(row); i += 4 {
				a, b := row[i:i+4], weights[i:i+4]
				s[0] += a[0] * b[0]
				s[1] += a[1] * b[1]
				s[2] += a[2] * b[2]
				s[3] += a[3] * b[3]
			}
			how.storeResult(&out[o], s[0]+s[1]+(s[2]+s[3])+w.biases[o])
		}
	}
}

// computeAttention computes attention for one text: from the queries, keys and values of n pieces in m.wide, from row
// from on, it sets the same rows of m.mixed.
func (m *Memory) computeAttention(from, n int) {
	const stride = 3 * Width
	keys, values := m.wide[from*stride+Width:], m.wide[from*stride+2*Width:]
	for i := from; i < from+n; i++ {
		kernel.scores(m.scores, m.wide[i*stride:][:Width], keys, stride, n)
		kernel.softmax(m.shares, m.scores, n)
		kernel.context(m.mixed[i*Width:][:Width], m.shares, values, stride, n)
	}
}
