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

// Encoder is a pretrained encoder that scores labels, owners and relations beside the linear model. It is safe
// for concurrent use.
type Encoder struct {
	network *encoder.Network
	pieces  *wordpiece.Vocabulary
	pool    sync.Pool // of *encoder.Memory
	heads   sync.Pool // of *heads
	quality []float32 // weights of a token's quality, a bias last; nil if there is none
}

// ReadEncoder reads an encoder in the form that [encoder.Read] describes.
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

// AddQuality reads the weights of the quality of tokens: a little-endian float32 for each number of a vector,
// and a bias.
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

// Vectors returns the vectors of the tokens of a text, one after the other.
func (e *Encoder) Vectors(ts []tokens.Token) []float32 {
	var x encoding
	e.ask(&x, ts)
	e.encode([]*encoding{&x})
	return x.vectors
}

// MoveTo copies the weights to a card.
func (e *Encoder) MoveTo(d *cuda.Device) (*encoder.Card, error) { return e.network.MoveTo(d) }

// SetQuality sets the quality of the tokens of the text that d analysed, if the encoder read it.
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

// maxPieces bounds the word pieces that are encoded as one text, with the two marks. A longer text is read in
// windows.
const maxPieces = 512

// What the encoder counts beside the linear model, which has the rest.
const (
	encoderLabelShare    = 0.75
	encoderOwnerShare    = 0.8
	encoderRelationShare = 0.5
)

// encoding has the encoder's scores of a text.
type encoding struct {
	asked   bool // for the labels of this text
	relates bool // also for the relations, unless the text is long
	windows []encoder.Input
	vectors []float32 // of all tokens
	heads   *heads    // while the text is analysed
	options []encoder.Option
	scores  []float32 // of the options
}

// heads are what the encoder's heads know of the tokens of a text.
type heads struct {
	owners, relations       encoder.Ends
	hasOwners, hasRelations bool
}

// headsOf returns the heads of a text.
func (e *Encoder) headsOf(x *encoding) *heads {
	if x.heads == nil {
		x.heads = e.heads.Get().(*heads)
		x.heads.hasOwners, x.heads.hasRelations = false, false
	}
	return x.heads
}

// releaseHeads frees the heads of a text, for the next.
func (e *Encoder) releaseHeads(x *encoding) {
	if x.heads != nil {
		e.heads.Put(x.heads)
		x.heads = nil
	}
}

// reset forgets the last text.
func (x *encoding) reset() {
	x.asked, x.relates, x.heads, x.vectors = false, false, nil, x.vectors[:0]
}

// ask sets x.windows to the pieces of ts, and asks for their vectors.
func (e *Encoder) ask(x *encoding, ts []tokens.Token) {
	x.asked, x.windows = len(ts) > 0, x.windows[:0]
	for len(ts) > 0 {
		if len(x.windows) == cap(x.windows) {
			x.windows = append(x.windows, encoder.Input{})
		} else {
			x.windows = x.windows[:len(x.windows)+1] // with the memory of an earlier text
		}
		ts = ts[e.setWindow(&x.windows[len(x.windows)-1], ts):]
	}
}

// setWindow sets in to the pieces of the first of ts, as many as can be encoded together, and returns how many
// tokens those are. If there are more, a window ends with a sentence, if one ends in its second half.
func (e *Encoder) setWindow(in *encoder.Input, ts []tokens.Token) int {
	in.Pieces, in.Shapes = append(in.Pieces[:0], e.pieces.Begin), append(in.Shapes[:0], 0)
	in.First, in.Last = in.First[:0], in.Last[:0]
	const room = maxPieces - 1 // for the mark that ends it
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
		in.Pieces = in.Pieces[:min(len(in.Pieces), room)] // a token of many signs
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

// encode sets the vectors of all texts that ask for them.
func (e *Encoder) encode(all []*encoding) {
	e.encodeBy(all, func(m *encoder.Memory, texts []encoder.Input) error {
		e.network.Encode(m, texts)
		return nil
	})
}

// encodeBy does that by a function that sets the vectors of a memory. The error is the function's.
func (e *Encoder) encodeBy(all []*encoding, compute func(*encoder.Memory, []encoder.Input) error) error {
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

// appendLabelScores appends the log probabilities of the labels of each token, times the encoder's
// share.
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

// scoreOwner returns the encoder's score of nodes[o] as the object of attribute nodes[k].
func (e *Encoder) scoreOwner(x *encoding, nodes []Node, k, o int) float32 {
	h := e.headsOf(x)
	if !h.hasOwners {
		e.network.FindOwners(&h.owners, x.vectors)
		h.hasOwners = true
	}
	a, b := &nodes[k], &nodes[o]
	return e.network.ScoreOwner(&h.owners, [4]int32{a.From, a.To - 1, b.From, b.To - 1}, ownerDistance(nodes, k, o))
}

// ownerDistance returns the row of the distance of attribute nodes[k] and object nodes[o], as
// teach.py has it.
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

// Rows of the table of forms, as teach.py has them.
const (
	formUnrelated = 2 * Nowhere // no relation to an object before
	formFurther   = 64          // is added for a further relation
	formNoFurther = formFurther + formUnrelated + 1
)

// addOption adds candidate c of nodes[a] and nodes[b] to the options of x, no relation for nil.
func (x *encoding) addOption(nodes []Node, a, b int, c *Candidate, form, used int) {
	o := encoder.Option{Ends: [6]int32{nodes[a].From, nodes[a].To - 1, nodes[b].From, nodes[b].To - 1, -1, -1}, Form: form, Used: used, Gap: relationGap(nodes, a, b)}
	if c != nil {
		if o.Form += int(c.Implied)*8 + int(c.directionBits()); c.N > 0 {
			o.Ends[4], o.Ends[5], o.Words = c.Words[0], c.Words[c.N-1], int(c.N)
		}
	}
	x.options = append(x.options, o)
}

// addUnrelated adds that nodes[b] has no relation to an object before it.
func (x *encoding) addUnrelated(nodes []Node, b int) {
	x.options = append(x.options, encoder.Option{Ends: [6]int32{-1, -1, nodes[b].From, nodes[b].To - 1, -1, -1}, Form: formUnrelated})
}

// mixRelations adds the encoder's scores of x.options to scores, which are the linear model's, by their shares.
func (e *Encoder) mixRelations(x *encoding, scores []float32) {
	h := e.headsOf(x)
	if !h.hasRelations {
		e.network.FindRelations(&h.relations, x.vectors)
		h.hasRelations = true
	}
	x.scores = e.network.AppendRelationScores(&h.relations, x.options, x.scores[:0])
	for i, s := range x.scores {
		scores[i] = float32(scores[i]*(1-encoderRelationShare)) + float32(s*encoderRelationShare)
	}
}

// relationGap returns the row of the distance of objects nodes[a] and nodes[b], as teach.py has it.
func relationGap(nodes []Node, a, b int) int {
	between := 0
	for i := a + 1; i < b; i++ {
		if !nodes[i].IsAttribute {
			between++
		}
	}
	return min(7, int(nodes[b].From-nodes[a].To))*4 + min(3, between)
}
