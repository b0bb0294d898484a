package features

import (
	"context"
	"errors"
	"math"
	"strings"

	"capgraph/eval/clip"
	"capgraph/train/model"
	"capgraph/train/tokenizer"
)

var _ clip.Composer = (*Folder)(nil)

// Spans implements clip.Composer for the text tower, with a chart for each layer up to the middle one, as in the
// program of Murty et al. (2023). The vector of a span is the sum of its tokens after the last norm. The chart compares
// its vector in the whole text with the one if, from the chart's layer on, its tokens attend only to the span. Words
// are separated by white space; words that do not completely fit into the context are left out.
func (f *Folder) Spans(ctx context.Context, texts []string) (charts [][]clip.Chart, err error) {
	e := f.encoder
	marks, ok := e.tokenizer.(tokenizer.Marked)
	if !ok || e.model.Config.Text.Padded {
		return nil, errors.New("spans are compared in causal text towers only: this model's is not causal")
	}
	var pack []spanText
	room := 0
	for i, text := range texts {
		s := encodeSpans(marks, text)
		pack, room = append(pack, s), room+s.suffixTokens()
		if room < maxTokens && i+1 < len(texts) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		charts = append(charts, e.compareSpans(pack)...)
		pack, room = pack[:0], 0
	}
	return charts, e.deviceError()
}

// spanText is a text whose spans are compared: ids are its tokens, words the index of the first token of each word and,
// at the end, of the end mark.
type spanText struct {
	ids   []int32
	words []int32
}

// encodeSpans tokenizes the words of a text, one by one.
func encodeSpans(t tokenizer.Marked, text string) spanText {
	s := spanText{ids: []int32{t.Start()}, words: []int32{1}}
	var word []int32
	for _, w := range strings.Fields(text) {
		word = t.Encode(word[:0], w)
		word = word[1 : len(word)-1]
		if len(s.ids)+len(word) >= t.Context() {
			break
		}
		if len(word) > 0 {
			s.ids = append(s.ids, word...)
			s.words = append(s.words, int32(len(s.ids)))
		}
	}
	s.ids = append(s.ids, t.End())
	return s
}

// suffixTokens returns the number of tokens of all suffixes: for each word, the start mark and all tokens from that
// word on.
func (s *spanText) suffixTokens() (n int) {
	for i := range len(s.words) - 1 {
		n += len(s.ids) - int(s.words[i])
	}
	return n
}

// compareSpans returns the charts of texts, layer by layer. Attention is causal, so a token does not depend on where
// its span ends. Therefore all spans that begin with the same word are encoded as one sequence: the start mark and all
// tokens from that word on.
func (e *Encoder) compareSpans(texts []spanText) [][]clip.Chart {
	var ids, lengths, all []int32
	var rows []int32     // tokens of the sequences that begin with each word
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
	e.resetTape(e.tape)
	states := e.model.TextStates(e.tape, e.packer.Texts(e.tape.Device, e.model.Config, ids, lengths, model.Room{}))
	layers := len(states) - 1
	width := e.model.Config.Text.Width
	within := append([]float64(nil), e.readTensor(e.model.TextTail(e.tape, states[layers], layers, all, bounds).Value)...)
	for layer := range layers/2 + 1 {
		var apart []float64
		if len(rows) > 0 {
			mark := e.tape.Arena.Mark()
			apart = e.readTensor(e.model.TextTail(e.tape, states[layer], layer, rows, starts).Value)
			e.tape.Arena.Release(mark)
		}
		for i, s := range texts {
			charts[i] = append(charts[i], s.spanChart(within[int(bounds[i])*width:], &apart, width))
		}
	}
	return charts
}

// spanChart returns the chart of one text. within begins with the vectors of its tokens in the text; apart begins with
// those in its sequences, and is advanced past them.
func (s *spanText) spanChart(within []float64, apart *[]float64, width int) clip.Chart {
	words := len(s.words) - 1
	chart := make(clip.Chart, words)
	a, b := make([]float64, width), make([]float64, width)
	for first := range words {
		clear(a)
		clear(b)
		alone := (*apart)[width:] // after the start mark
		for last := first; last < words; last++ {
			for k := s.words[last]; k < s.words[last+1]; k++ {
				addTo(a, within[int(k)*width:])
				addTo(b, alone)
				alone = alone[width:]
			}
			chart[first] = append(chart[first], cosine(a, b))
		}
		*apart = alone
	}
	return chart
}

func addTo(to, x []float64) {
	for i := range to {
		to[i] += x[i]
	}
}

// cosine returns the cosine of two vectors, or 0 if one of them is 0.
func cosine(a, b []float64) float64 {
	var ab, aa, bb float64
	for i, x := range a {
		ab, aa, bb = ab+x*b[i], aa+x*x, bb+b[i]*b[i]
	}
	return ab / max(math.Sqrt(aa*bb), math.SmallestNonzeroFloat64)
}
