package model

import "math/bits"

// Room is what a pack of texts is padded to: how many tokens and texts it has room
// for. The zero Room is as many as there are.
type Room struct{ Tokens, Texts int }

// RoomFor is the room for texts of so many tokens in all, both numbers rounded up to
// one of per sizes between a power of two and the next, so that few sizes are many
// batches'. What is left is for texts of nothing, of 1 to context tokens each.
func RoomFor(tokens, texts, context, per int) Room {
	for r := (Room{Texts: rounded(texts, per)}); ; r.Texts = rounded(r.Texts+1, per) {
		more := r.Texts - texts
		r.Tokens = rounded(tokens+more, per)
		if r.Tokens-tokens <= more*context {
			return r
		}
	}
}

// rounded is n, rounded up to one of per sizes between a power of two and the next.
func rounded(n, per int) int {
	if n <= 0 {
		return 0
	}
	step := max(1<<(bits.Len(uint(n))-1)/per, 1)
	return (n + step - 1) / step * step
}

// fill lays texts of nothing behind those that there are: of token 0, the same number
// each, as nearly as can be. Nobody reads their features, so their gradients are 0,
// and so is what they add to any sum.
func (p *Packer) fill(r Room) {
	for more := r.Texts - len(p.last); more > 0; more-- {
		at := len(p.ids) + (r.Tokens-len(p.ids))/more
		for len(p.ids) < at {
			p.ids = append(p.ids, 0)
		}
		p.starts = append(p.starts, int32(at))
		p.last = append(p.last, int32(at-1))
	}
}
