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

// tokenValues are the values of a token's channels, from 0 to maxValue.
type tokenValues [channels]uint8

// clampValue returns the value from 0 to maxValue that is nearest to x.
func clampValue(x int32) uint8 { return uint8(min(max(x, 0), maxValue)) }

// setResidual sets v to the values before and the sums of a layer, rounded to values.
func (v *tokenValues) setResidual(before *tokenValues, sums *channelSums) {
	for c, x := range sums[:channels] {
		v[c] = min(maxValue, before[c]+clampValue(roundShift(x, weightBits)))
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
				setResidual(&m.next[i], &m.tokens[i], &s)
			} else {
				m.gatherNeighbours(i, layerWidths[k])
				s.addProducts(m.terms, l.packed)
				m.next[i].setResidual(&m.tokens[i], &s)
			}
		}
		m.tokens, m.next = m.next, m.tokens
	}
	for i := range m.tokens {
		s := n.outBias
		m.addValues(&s, &m.tokens[i], &n.out)
		m.Scores[i] = [LabelCount]int32(s[:LabelCount])
	}
}

// roundShift divides x by 1<<n and rounds to the nearest, halves up.
func roundShift(x int32, n int) int32 { return (x + 1<<(n-1)) >> n }

// gatherNeighbours sets m.terms to the values of the tokens around i.
func (m *Memory) gatherNeighbours(i, width int) {
	m.terms = m.terms[:0]
	for k := range width {
		if j := i + k - width/2; j >= 0 && j < len(m.tokens) {
			m.appendTerms(&m.tokens[j], k*channels)
		}
	}
}

// appendTerms appends to m.terms the values that are not 0 and the rows from the given one on.
func (m *Memory) appendTerms(v *tokenValues, row int) {
	for c, x := range v {
		if x > 0 {
			m.terms = append(m.terms, term{uint64(x), row + c})
		}
	}
}

// addLargest adds to s the products of the largest value of each channel in the text.
func (n *Network) addLargest(m *Memory, s *channelSums) {
	var top tokenValues
	for i := range m.tokens {
		for c, x := range m.tokens[i] {
			top[c] = max(top[c], x)
		}
	}
	m.addValues(s, &top, &n.pool)
}

// addValues adds to s the products of values and rows.
func (m *Memory) addValues(s *channelSums, v *tokenValues, rows *weightRows) {
	if hasDense {
		addDense(s, v, rows.dense)
		return
	}
	m.terms = m.terms[:0]
	m.appendTerms(v, 0)
	s.addProducts(m.terms, rows.packed)
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
	for k := range r.even {
		binary.LittleEndian.PutUint64(v[8*k:], r.toValues(r.even[k])|r.toValues(r.odd[k])<<8)
	}
}

// rowSums are sums of fewer than 256 rows of int8, each number stored as number+128 in 16 bits.
type rowSums struct {
	even, odd [channels / 8]uint64
	n         uint64
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

// toValues returns the four values of four sums.
func (r *rowSums) toValues(sums uint64) uint64 {
	const (
		one   = 0x0001000100010001 // in each 16 bits
		shift = inputBits - valueBits
	)
	x := sums + (1<<15+1<<(shift-1)-weightOffset*r.n)*one // bit 15 is set if the sum is not negative
	positive := (x >> 15 & one) * 0xffff
	x = x >> shift & ((1<<(15-shift) - 1) * one) & positive
	large := ((x + (1<<15-1-maxValue)*one) >> 15 & one) * 0xffff
	return (x | large) & (maxValue * one)
}
