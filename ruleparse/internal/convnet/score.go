package convnet

import (
	"encoding/binary"
	"math/bits"
)

// Memory is the memory of a network, used again for the next text.
type Memory struct {
	tokens, next []tokenValues
	terms        []term
	Scores       [][LabelCount]int32 // by token, of each label
}

// tokenValues are the channels of a token, and which of them are not 0.
type tokenValues struct {
	values  [channels]uint8
	nonZero [channels]uint8
	n       int
}

func (v *tokenValues) setChannel(c int, x int32) {
	x = min(max(x, 0), maxValue)
	v.values[c], v.nonZero[v.n] = uint8(x), uint8(c)
	if x > 0 {
		v.n++
	}
}

// Score sets m.Scores to the scores of the labels of each token, in units of 1/[ScoreUnit].
func (n *Network) Score(m *Memory, in []Input) {
	if cap(m.tokens) < len(in) {
		m.tokens, m.next, m.Scores = make([]tokenValues, 2*len(in)), make([]tokenValues, 2*len(in)), make([][LabelCount]int32, 2*len(in))
	}
	m.tokens, m.next, m.Scores = m.tokens[:len(in)], m.next[:len(in)], m.Scores[:len(in)]
	for i := range in {
		n.embedToken(&in[i], &m.tokens[i])
	}
	for k := range n.layers {
		l := &n.layers[k]
		start := l.bias
		if k == pooledLayer {
			n.addLargest(m, &start)
		}
		for i := range m.tokens {
			s := start
			if hasDense {
				s.addNeighbours(m.tokens, i, layerWidths[k], l.dense)
			} else {
				m.gatherNeighbours(i, layerWidths[k])
				s.addProducts(m.terms, l.packed)
			}
			before, v := &m.tokens[i], &m.next[i]
			v.n = 0
			for c, x := range s[:channels] {
				v.setChannel(c, int32(before.values[c])+max(0, min(maxValue, roundShift(x, weightBits))))
			}
		}
		m.tokens, m.next = m.next, m.tokens
	}
	for i := range m.tokens {
		n.scoreToken(&m.tokens[i], &m.Scores[i])
	}
}

// roundShift divides x by 1<<n and rounds to the nearest, halves up.
func roundShift(x int32, n int) int32 { return (x + 1<<(n-1)) >> n }

// gatherNeighbours sets m.terms to the values of the tokens around i.
func (m *Memory) gatherNeighbours(i, width int) {
	m.terms = m.terms[:0]
	for k := range width {
		j := i + k - width/2
		if j < 0 || j >= len(m.tokens) {
			continue
		}
		v := &m.tokens[j]
		for _, c := range v.nonZero[:v.n] {
			m.terms = append(m.terms, term{uint64(v.values[c&(channels-1)]), k*channels + int(c)})
		}
	}
}

// addLargest adds to s the products of the largest value of each channel in the text.
func (n *Network) addLargest(m *Memory, s *channelSums) {
	var top [channels]uint8
	for i := range m.tokens {
		for c, x := range m.tokens[i].values {
			top[c] = max(top[c], x)
		}
	}
	if hasDense {
		addDense(s, &top, n.pool.dense)
		return
	}
	m.terms = m.terms[:0]
	for c, x := range top {
		m.terms = append(m.terms, term{uint64(x), c})
	}
	s.addProducts(m.terms, n.pool.packed)
}

// scoreToken scores the labels of a token.
func (n *Network) scoreToken(v *tokenValues, out *[LabelCount]int32) {
	*out = n.bias
	for _, c := range v.nonZero[:v.n] {
		row := n.outRows[int(c)*LabelCount:][:LabelCount]
		x := int32(v.values[c])
		for l := range out {
			out[l] += x * int32(int8(row[l]))
		}
	}
}

// embedToken sets v to the sum of the input's rows.
func (n *Network) embedToken(in *Input, v *tokenValues) {
	var r rowSums
	if in.Entry >= 0 {
		for k := range codesPerWord {
			r.addRow(n.codebooks, k*256+int(n.entries[int(in.Entry)*codesPerWord+k]))
		}
	} else {
		r.addRow(n.unknown, 0)
	}
	r.addRow(n.words, int(in.wordRow()))
	r.addRow(n.prefixes, int(in.prefixRow()))
	r.addRow(n.suffixes, int(in.suffixRow()))
	for k, t := range in.Traits {
		r.addRow(n.traits[k], int(t))
	}
	for f := in.Flags; f != 0; f &= f - 1 {
		r.addRow(n.flags, bits.TrailingZeros16(f))
	}
	v.n = 0
	for k := range channels / 8 {
		for b := range 8 {
			x := int32(r.even[k]>>(16*(b/2))&0xffff) - weightOffset*r.n
			if b%2 == 1 {
				x = int32(r.odd[k]>>(16*(b/2))&0xffff) - weightOffset*r.n
			}
			v.setChannel(8*k+b, roundShift(x, inputBits-valueBits))
		}
	}
}

// rowSums are sums of fewer than 256 rows of int8, each number stored as number+128 in 16 bits.
type rowSums struct {
	even, odd [channels / 8]uint64
	n         int32
}

func (r *rowSums) addRow(table string, row int) {
	const low, signs = 0x00ff00ff00ff00ff, 0x8080808080808080
	s := table[row*channels:][:channels]
	for k := range r.even {
		x := binary.LittleEndian.Uint64([]byte(s[8*k:8*k+8])) ^ signs
		r.even[k] += x & low
		r.odd[k] += x >> 8 & low
	}
	r.n++
}
