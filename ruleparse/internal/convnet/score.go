package convnet

import (
	"encoding/binary"
	"math/bits"
)

// Memory is the memory of a network, used again for the next text.
type Memory struct {
	tokens, next []values
	terms        []term
	Scores       [][Labels]int32 // of the labels of each token
}

// values are the channels of a token, and which of them are not 0.
type values struct {
	all   [channels]uint8
	which [channels]uint8
	n     int
}

func (v *values) set(c int, x int32) {
	x = min(max(x, 0), largest)
	v.all[c], v.which[v.n] = uint8(x), uint8(c)
	if x > 0 {
		v.n++
	}
}

// Score fills m.Scores with the scores of the labels of each token, in units of 1/[ScoreUnit].
func (n *Network) Score(m *Memory, in []Input) {
	if cap(m.tokens) < len(in) {
		m.tokens, m.next, m.Scores = make([]values, 2*len(in)), make([]values, 2*len(in)), make([][Labels]int32, 2*len(in))
	}
	m.tokens, m.next, m.Scores = m.tokens[:len(in)], m.next[:len(in)], m.Scores[:len(in)]
	for i := range in {
		n.embed(&in[i], &m.tokens[i])
	}
	for k := range n.layers {
		l := &n.layers[k]
		start := l.bias
		if k == pooled {
			n.addLargest(m, &start)
		}
		for i := range m.tokens {
			s := start
			m.around(i, widths[k])
			s.add(m.terms, l.rows)
			before, v := &m.tokens[i], &m.next[i]
			v.n = 0
			for c, x := range s[:channels] {
				v.set(c, int32(before.all[c])+max(0, min(largest, round(x, weightBits))))
			}
		}
		m.tokens, m.next = m.next, m.tokens
	}
	for i := range m.tokens {
		n.last(&m.tokens[i], &m.Scores[i])
	}
}

// round divides x by 1<<n and rounds it to the nearest, halves up.
func round(x int32, n int) int32 { return (x + 1<<(n-1)) >> n }

// around fills m.terms with the values of the tokens around i.
func (m *Memory) around(i, width int) {
	m.terms = m.terms[:0]
	for k := range width {
		j := i + k - width/2
		if j < 0 || j >= len(m.tokens) {
			continue
		}
		v := &m.tokens[j]
		for _, c := range v.which[:v.n] {
			m.terms = append(m.terms, term{uint64(v.all[c&(channels-1)]), k*channels + int(c)})
		}
	}
}

// addLargest adds what the largest value of each channel in the text makes of all tokens.
func (n *Network) addLargest(m *Memory, s *sums) {
	var top [channels]uint8
	for i := range m.tokens {
		for c, x := range m.tokens[i].all {
			top[c] = max(top[c], x)
		}
	}
	m.terms = m.terms[:0]
	for c, x := range top {
		m.terms = append(m.terms, term{uint64(x), c})
	}
	s.add(m.terms, n.pool)
}

// last scores the labels of a token.
func (n *Network) last(v *values, out *[Labels]int32) {
	*out = n.bias
	for _, c := range v.which[:v.n] {
		row := n.out[int(c)*Labels:][:Labels]
		x := int32(v.all[c])
		for l := range out {
			out[l] += x * int32(int8(row[l]))
		}
	}
}

// embed makes the values of a token of the rows of what is known of it.
func (n *Network) embed(in *Input, v *values) {
	var r rows
	if in.Entry >= 0 {
		for k := range codes {
			r.add(n.codebooks, k*256+int(n.entries[int(in.Entry)*codes+k]))
		}
	} else {
		r.add(n.unknown, 0)
	}
	r.add(n.words, int(in.word()))
	r.add(n.before, int(in.prefix()))
	r.add(n.behind, int(in.suffix()))
	for k, t := range in.Traits {
		r.add(n.traits[k], int(t))
	}
	for f := in.Flags; f != 0; f &= f - 1 {
		r.add(n.flags, bits.TrailingZeros16(f))
	}
	v.n = 0
	for k := range channels / 8 {
		for b := range 8 {
			x := int32(r.even[k]>>(16*(b/2))&0xffff) - zero*r.n
			if b%2 == 1 {
				x = int32(r.odd[k]>>(16*(b/2))&0xffff) - zero*r.n
			}
			v.set(8*k+b, round(x, inputBits-valueBits))
		}
	}
}

// rows are sums of rows of int8, less than 256 of them, each number counted from -128 in
// 16 bits.
type rows struct {
	even, odd [channels / 8]uint64
	n         int32
}

func (r *rows) add(table string, row int) {
	const low, signs = 0x00ff00ff00ff00ff, 0x8080808080808080
	s := table[row*channels:][:channels]
	for k := range r.even {
		x := binary.LittleEndian.Uint64([]byte(s[8*k:8*k+8])) ^ signs
		r.even[k] += x & low
		r.odd[k] += x >> 8 & low
	}
	r.n++
}
