package model

import "math/bits"

// Room is the numbers of tokens and of texts that packed texts are padded to. The zero Room means
// no padding.
type Room struct{ Tokens, Texts int }

// RoomFor returns the room for texts with that many tokens in all. Both numbers are rounded up by
// roundUpSize, so that batches have few different sizes. The padding is texts of 1 to context
// tokens each.
func RoomFor(tokens, texts, context, per int) Room {
	for r := (Room{Texts: roundUpSize(texts, per)}); ; r.Texts = roundUpSize(r.Texts+1, per) {
		more := r.Texts - texts
		r.Tokens = roundUpSize(tokens+more, per)
		if r.Tokens-tokens <= more*context {
			return r
		}
	}
}

// roundUpSize rounds n up to the next size. There are per sizes, evenly spaced, from each power of
// two to the next.
func roundUpSize(n, per int) int {
	if n <= 0 {
		return 0
	}
	step := max(1<<(bits.Len(uint(n))-1)/per, 1)
	return (n + step - 1) / step * step
}

// padTexts appends padding texts of token 0, all of nearly the same length. Their features are not
// used, so they contribute 0 to all gradients.
func (p *Packer) padTexts(r Room) {
	for more := r.Texts - len(p.last); more > 0; more-- {
		at := len(p.ids) + (r.Tokens-len(p.ids))/more
		for len(p.ids) < at {
			p.ids = append(p.ids, 0)
		}
		p.starts = append(p.starts, int32(at))
		p.last = append(p.last, int32(at-1))
	}
}
