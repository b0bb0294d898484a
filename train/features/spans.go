package features

import (
	"context"
	"math"
	"strings"

	"capgraph/eval/clip"
	"capgraph/train/model"
)

var _ clip.Composer = (*Folder)(nil)

// Spans implements clip.Composer for the text tower, a chart for each layer up to the
// middle one, as the program of Murty et al. (2023) has them. What a span is are the sums
// of its tokens after the last norm: those of the text, and those that see from that layer
// on no words but the span's, with the text's own marks and positions. Words are what
// white space parts; those that do not fit into the context with all their tokens are left
// out.
func (f *Folder) Spans(ctx context.Context, texts []string) (charts [][]clip.Chart, err error) {
	e := f.encoder
	var pack []spanned
	room := 0
	for i, text := range texts {
		s := e.spanned(text)
		pack, room = append(pack, s), room+s.alone()
		if room < most && i+1 < len(texts) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		charts = append(charts, e.charts(pack)...)
		pack, room = pack[:0], 0
	}
	return charts, e.failed()
}

// spanned is a text whose spans are compared: its tokens and where each of its words
// begins among them; at last where the end mark does.
type spanned struct {
	ids   []int32
	words []int32
}

// spanned encodes the words of a text, one after another.
func (e *Encoder) spanned(text string) spanned {
	s := spanned{ids: []int32{e.tokenizer.Start()}, words: []int32{1}}
	var word []int32
	for _, w := range strings.Fields(text) {
		word = e.tokenizer.Encode(word[:0], w)
		word = word[1 : len(word)-1]
		if len(s.ids)+len(word) >= e.tokenizer.Context() {
			break
		}
		if len(word) > 0 {
			s.ids = append(s.ids, word...)
			s.words = append(s.words, int32(len(s.ids)))
		}
	}
	s.ids = append(s.ids, e.tokenizer.End())
	return s
}

// alone is how many tokens the sequences have that begin with each word.
func (s *spanned) alone() (n int) {
	for i := range len(s.words) - 1 {
		n += len(s.ids) - int(s.words[i])
	}
	return n
}

// charts compares the spans of texts. Attention is causal, so that what a span's tokens
// are alone does not depend on where it ends: of all spans that begin with a word, one
// sequence is encoded, of the start mark and all from that word on.
func (e *Encoder) charts(texts []spanned) [][]clip.Chart {
	var ids, lengths, all []int32
	var rows []int32     // of the sequences that begin with a word
	starts := []int32{0} // of those
	bounds := []int32{0} // of the texts
	charts := make([][]clip.Chart, len(texts))
	for _, s := range texts {
		base := int32(len(ids))
		for _, first := range s.words[:len(s.words)-1] {
			rows = append(rows, base)
			for k := first; int(k) < len(s.ids)-1; k++ {
				rows = append(rows, base+k)
			}
			starts = append(starts, int32(len(rows)))
		}
		ids, lengths = append(ids, s.ids...), append(lengths, int32(len(s.ids)))
		bounds = append(bounds, int32(len(ids)))
	}
	for i := range ids {
		all = append(all, int32(i))
	}
	e.begin(e.tape)
	states := e.model.TextStates(e.tape, e.packer.Texts(e.tape.Device, e.model.Config, ids, lengths, model.Room{}))
	layers := len(states) - 1
	width := e.model.Config.Text.Width
	within := append([]float64(nil), e.read(e.model.TextTail(e.tape, states[layers], layers, all, bounds).Value)...)
	for layer := range layers/2 + 1 {
		var apart []float64
		if len(rows) > 0 {
			mark := e.tape.Arena.Mark()
			apart = e.read(e.model.TextTail(e.tape, states[layer], layer, rows, starts).Value)
			e.tape.Arena.Release(mark)
		}
		for i, s := range texts {
			charts[i] = append(charts[i], s.chart(within[int(bounds[i])*width:], &apart, width))
		}
	}
	return charts
}

// chart compares the spans of a text. within are its tokens; apart begins with those of
// its sequences, and is taken behind them.
func (s *spanned) chart(within []float64, apart *[]float64, width int) clip.Chart {
	words := len(s.words) - 1
	chart := make(clip.Chart, words)
	a, b := make([]float64, width), make([]float64, width)
	for first := range words {
		clear(a)
		clear(b)
		alone := (*apart)[width:] // behind the start mark
		for last := first; last < words; last++ {
			for k := s.words[last]; k < s.words[last+1]; k++ {
				add(a, within[int(k)*width:])
				add(b, alone)
				alone = alone[width:]
			}
			chart[first] = append(chart[first], cosine(a, b))
		}
		*apart = alone
	}
	return chart
}

func add(to, x []float64) {
	for i := range to {
		to[i] += x[i]
	}
}

// cosine is 0 where one of both is nothing.
func cosine(a, b []float64) float64 {
	var ab, aa, bb float64
	for i, x := range a {
		ab, aa, bb = ab+x*b[i], aa+x*x, bb+b[i]*b[i]
	}
	return ab / max(math.Sqrt(aa*bb), math.SmallestNonzeroFloat64)
}
