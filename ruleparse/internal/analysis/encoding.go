package analysis

import (
	"encoding/binary"
	"fmt"
	"math"
	"sync"

	"capgraph/internal/linear"
	"capgraph/internal/wordpiece"
	"capgraph/kernels/cuda"
	"capgraph/ruleparse/internal/encoder"
	"capgraph/ruleparse/internal/penn"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/schemas"
)

// Encoder is a pretrained encoder that scores labels, attributes' objects and relations. Its scores are added to the
// linear model's. It is safe for concurrent use.
type Encoder struct {
	network *encoder.Network
	pieces  *wordpiece.Vocabulary
	pool    sync.Pool // of *encoder.Memory
	heads   sync.Pool // of *heads
	quality []float32 // weights of a token's quality score, the bias last; nil if there is none
}

// ReadEncoder reads an encoder in the format that [encoder.Read] describes.
func ReadEncoder(s string) (*Encoder, error) {
	n, err := encoder.Read(s)
	if err != nil {
		return nil, err
	}
	v, err := wordpiece.New(n.Vocabulary)
	if err != nil {
		return nil, fmt.Errorf("encoder: %w", err)
	}
	if n.Positions() < maxPieces {
		return nil, fmt.Errorf("encoder: %d positions, want %d", n.Positions(), maxPieces)
	}
	e := &Encoder{network: n, pieces: v}
	e.pool.New = func() any { return new(encoder.Memory) }
	e.heads.New = func() any { return new(heads) }
	return e, nil
}

// AddQuality reads the weights of the quality score of tokens: little-endian float32, one for each element of a token's
// vector and a bias.
func (e *Encoder) AddQuality(s string) error {
	if want := 4 * (encoder.Width + 1); len(s) != want {
		return fmt.Errorf("encoder: weights of quality have %d bytes, want %d", len(s), want)
	}
	e.quality = make([]float32, encoder.Width+1)
	for i := range e.quality {
		e.quality[i] = math.Float32frombits(binary.LittleEndian.Uint32([]byte(s[4*i : 4*i+4])))
	}
	return nil
}

// Vectors returns the vectors of the tokens of a text, concatenated.
func (e *Encoder) Vectors(ts []tokens.Token) []float32 {
	var x encoding
	e.ask(&x, ts)
	e.encode([]*encoding{&x})
	return x.vectors
}

// MoveTo copies the weights to a GPU.
func (e *Encoder) MoveTo(d *cuda.Device) (*encoder.Card, error) { return e.network.MoveTo(d) }

// SetQuality sets the quality of each token of the text that d analysed, if the encoder has read the text.
func (p *Analyst) SetQuality(d *Decoder, out []schemas.Token) {
	x := &d.encoding
	if !x.asked || p.Encoder.quality == nil {
		return
	}
	for i := range out {
		q := p.Encoder.quality[encoder.Width]
		for k, v := range x.vectors[i*encoder.Width:][:encoder.Width] {
			q += float32(v * p.Encoder.quality[k])
		}
		out[i].Quality = q
	}
}

// maxPieces is the most word pieces that are encoded as one text, with the two marks at the ends. A longer text is
// encoded in windows.
const maxPieces = 512

// The weights of the encoder's scores, from 0 to 1. The linear model's scores have the weight 1 minus that.
const (
	encoderLabelShare    = 0.75
	encoderOwnerShare    = 0.8
	encoderRelationShare = 0.5
)

// encoding has the encoder's scores for a text.
type encoding struct {
	asked   bool // its labels are to be scored
	relates bool // its relations too, unless the text is long
	windows []encoder.Input
	vectors []float32 // of all tokens
	heads   *heads    // while the text is analysed
	options []encoder.Option
	scores  []float32 // of the options
}

// heads are the results of the encoder's output heads for the tokens of a text.
type heads struct {
	owners, relations       encoder.Ends
	hasOwners, hasRelations bool
}

// takeHeads returns the heads of the text of x.
func (e *Encoder) takeHeads(x *encoding) *heads {
	if x.heads == nil {
		x.heads = e.heads.Get().(*heads)
		x.heads.hasOwners, x.heads.hasRelations = false, false
	}
	return x.heads
}

// releaseHeads returns the memory of the heads of x to the pool.
func (e *Encoder) releaseHeads(x *encoding) {
	if x.heads != nil {
		e.heads.Put(x.heads)
		x.heads = nil
	}
}

// reset clears x for the next text.
func (x *encoding) reset() {
	x.asked, x.relates, x.heads, x.vectors = false, false, nil, x.vectors[:0]
}

// ask sets x.windows to the word pieces of ts, and marks x for encode.
func (e *Encoder) ask(x *encoding, ts []tokens.Token) {
	x.asked, x.windows = len(ts) > 0, x.windows[:0]
	for len(ts) > 0 {
		if len(x.windows) == cap(x.windows) {
			x.windows = append(x.windows, encoder.Input{})
		} else {
			x.windows = x.windows[:len(x.windows)+1] // reuses the memory of an earlier window
		}
		ts = ts[e.setWindow(&x.windows[len(x.windows)-1], ts):]
	}
}

// setWindow sets in to the word pieces of the first tokens of ts, as many as fit into a window, and returns the number
// of these tokens. If not all fit, the window ends at the end of a sentence, if there is one in its second half.
func (e *Encoder) setWindow(in *encoder.Input, ts []tokens.Token) int {
	in.Pieces, in.Shapes = append(in.Pieces[:0], e.pieces.Begin), append(in.Shapes[:0], 0)
	in.First, in.Last = in.First[:0], in.Last[:0]
	const room = maxPieces - 1 // one for the mark at the end
	end, sentence := 0, 0
	for i := range ts {
		first := len(in.Pieces)
		in.Pieces = e.pieces.AppendPieces(ts[i].Low, in.Pieces)
		if len(in.Pieces) > room && i > 0 {
			end = i
			if sentence > i/2 {
				end = sentence
			}
			break
		}
		in.Pieces = in.Pieces[:min(len(in.Pieces), room)] // one token may have more pieces
		in.First, in.Last = append(in.First, int32(first)), append(in.Last, int32(len(in.Pieces)-1))
		for len(in.Shapes) < len(in.Pieces) {
			in.Shapes = append(in.Shapes, uint8(ts[i].Shape()))
		}
		if ts[i].Tag == penn.Period {
			sentence = i + 1
		}
	}
	if end == 0 {
		end = len(ts)
	}
	n := in.Last[end-1] + 1
	in.First, in.Last = in.First[:end], in.Last[:end]
	in.Pieces, in.Shapes = append(in.Pieces[:n], e.pieces.End), append(in.Shapes[:n], 0)
	return end
}

// encode computes the vectors of all texts marked by ask.
func (e *Encoder) encode(all []*encoding) {
	e.encodeWith(all, func(m *encoder.Memory, texts []encoder.Input) error {
		e.network.Encode(m, texts)
		return nil
	})
}

// encodeWith computes the vectors of all texts marked by ask, with compute. It returns compute's error.
func (e *Encoder) encodeWith(all []*encoding, compute func(*encoder.Memory, []encoder.Input) error) error {
	var texts []encoder.Input
	for _, x := range all {
		if x.asked {
			texts = append(texts, x.windows...)
		}
	}
	if len(texts) == 0 {
		return nil
	}
	m := e.pool.Get().(*encoder.Memory)
	defer e.pool.Put(m)
	if err := compute(m, texts); err != nil {
		return err
	}
	vectors := m.Vectors
	for _, x := range all {
		if !x.asked {
			continue
		}
		n := 0
		for i := range x.windows {
			n += len(x.windows[i].First) * encoder.Width
		}
		x.vectors, vectors = append(x.vectors[:0], vectors[:n]...), vectors[n:]
	}
	return nil
}

// appendLabelScores appends for each token the log probabilities of its labels, times the encoder's weight.
func (e *Encoder) appendLabelScores(x *encoding, out [][LabelCount]float32) [][LabelCount]float32 {
	for i := 0; i < len(x.vectors); i += encoder.Width {
		var s [LabelCount]float32
		e.network.Label(&s, x.vectors[i:])
		norm := linear.LogSum(s[:])
		for l := range s {
			s[l] = float32((s[l] - norm) * encoderLabelShare)
		}
		out = append(out, s)
	}
	return out
}

// scoreOwner returns the encoder's score for nodes[o] as the object of attribute nodes[k].
func (e *Encoder) scoreOwner(x *encoding, nodes []Node, k, o int) float32 {
	h := e.takeHeads(x)
	if !h.hasOwners {
		e.network.ComputeOwnerEnds(&h.owners, x.vectors)
		h.hasOwners = true
	}
	a, b := &nodes[k], &nodes[o]
	return e.network.ScoreOwner(&h.owners, [4]int32{a.From, a.To - 1, b.From, b.To - 1}, ownerDistance(nodes, k, o))
}

// ownerDistance returns the row of the table of distances for attribute nodes[k] and object nodes[o], as in teach.py.
func ownerDistance(nodes []Node, k, o int) int {
	lo, hi := min(k, o), max(k, o)
	between := 0
	for i := lo + 1; i < hi; i++ {
		if !nodes[i].IsAttribute {
			between++
		}
	}
	d := min(7, max(0, int(nodes[hi].From-nodes[lo].To)))*4 + min(3, between)
	if o < k {
		d += 32
	}
	return d
}

// Rows of the table of forms of relations, as in teach.py.
const (
	formUnrelated = 2 * Nowhere // no relation to an earlier object
	formFurther   = 64          // added to the row for a further relation
	formNoFurther = formFurther + formUnrelated + 1
)

// addOption adds candidate c for nodes[a] and nodes[b] to x.options. If c is nil, it adds the option that they have no
// relation.
func (x *encoding) addOption(nodes []Node, a, b int, c *Candidate, form, used int) {
	o := encoder.Option{Ends: [6]int32{nodes[a].From, nodes[a].To - 1, nodes[b].From, nodes[b].To - 1, -1, -1}, Form: form, Used: used, Gap: relationGap(nodes, a, b)}
	if c != nil {
		if o.Form += int(c.Implied)*8 + int(c.directionBits()); c.N > 0 {
			o.Ends[4], o.Ends[5], o.Words = c.Words[0], c.Words[c.N-1], int(c.N)
		}
	}
	x.options = append(x.options, o)
}

// addUnrelated adds the option that nodes[b] has no relation to an earlier object.
func (x *encoding) addUnrelated(nodes []Node, b int) {
	x.options = append(x.options, encoder.Option{Ends: [6]int32{-1, -1, nodes[b].From, nodes[b].To - 1, -1, -1}, Form: formUnrelated})
}

// mixRelationScores adds the encoder's scores of x.options to the linear model's in scores, each with its weight.
func (e *Encoder) mixRelationScores(x *encoding, scores []float32) {
	h := e.takeHeads(x)
	if !h.hasRelations {
		e.network.ComputeRelationEnds(&h.relations, x.vectors)
		h.hasRelations = true
	}
	x.scores = e.network.AppendRelationScores(&h.relations, x.options, x.scores[:0])
	for i, s := range x.scores {
		scores[i] = float32(scores[i]*(1-encoderRelationShare)) + float32(s*encoderRelationShare)
	}
}

// relationGap returns the row of the table of distances for objects nodes[a] and nodes[b], as in teach.py.
func relationGap(nodes []Node, a, b int) int {
	between := 0
	for i := a + 1; i < b; i++ {
		if !nodes[i].IsAttribute {
			between++
		}
	}
	return min(7, int(nodes[b].From-nodes[a].To))*4 + min(3, between)
}
