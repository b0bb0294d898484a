package model

import (
	"slices"
	"testing"

	"capgraph/kernels"
)

func TestRooms(t *testing.T) {
	for _, c := range []struct {
		tokens, texts, context, per int
		want                        Room
	}{
		{0, 0, 77, 32, Room{}},
		{1, 1, 77, 32, Room{1, 1}},
		{33, 7, 77, 32, Room{33, 7}},   // each number below 64 is a size of its own
		{67, 10, 77, 32, Room{68, 11}}, // a text of one token more
		{17152, 2560, 77, 32, Room{17408, 2624}},
		{17409, 2560, 77, 32, Room{17920, 2624}},
		{17152, 2560, 77, 1, Room{32768, 4096}},
		{20000, 260, 77, 4, Room{20480, 320}},
		{130, 129, 1, 32, Room{}},
	} {
		if c.context == 1 { // no text has two tokens
			c.tokens = c.texts
			c.want = Room{132, 132}
		}
		r := RoomFor(c.tokens, c.texts, c.context, c.per)
		if r != c.want {
			t.Errorf("%d tokens of %d texts, %d sizes: %+v, not %+v", c.tokens, c.texts, c.per, r, c.want)
		}
	}
	for tokens := 1; tokens < 3000; tokens += 7 {
		for texts := 1; texts <= tokens; texts += 1 + tokens/5 {
			context := (tokens + texts - 1) / texts
			r := RoomFor(tokens, texts, context, 16)
			more, rest := r.Texts-texts, r.Tokens-tokens
			if rest < more || rest > more*context || more < 0 {
				t.Fatalf("%d tokens of %d texts of at most %d in %+v", tokens, texts, context, r)
			}
		}
	}
}

// What a pack is padded to is whole texts, and groups that are empty.
func TestPaddedPacks(t *testing.T) {
	var p, q Packer
	d := kernels.NewReference()
	c := Config{Text: Text{VocabSize: 9, ContextLength: 4}}
	ids, lengths := []int32{8, 3, 8, 2, 8}, []int32{2, 3}
	plain, padded := q.Texts(d, c, ids, lengths, Room{}), p.Texts(d, c, ids, lengths, Room{12, 4})
	if got, want := padded.ids.Host, []int32{8, 3, 8, 2, 8, 0, 0, 0, 0, 0, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("tokens %v, not %v", got, want)
	}
	if got, want := padded.starts.Host, []int32{0, 2, 5, 8, 12}; !slices.Equal(got, want) {
		t.Errorf("texts begin at %v, not %v", got, want)
	}
	if got, want := padded.ends.Host, []int32{1, 4, 7, 11}; !slices.Equal(got, want) || !slices.Equal(plain.ends.Host, want[:2]) {
		t.Errorf("texts end at %v, not %v", got, want)
	}
	for what, of := range map[string][3][]int32{
		"values": {padded.byID.Values.Host, {0, 2, 3, 8, 0, 0, 0, 0, 0, 0, 0, 0}, plain.byID.Values.Host},
		"bounds": {padded.byID.Bounds.Host, {0, 7, 8, 9, 12, 12, 12, 12, 12, 12, 12, 12, 12}, nil},
		"order":  {padded.byID.Order.Host, {5, 6, 7, 8, 9, 10, 11, 3, 1, 0, 2, 4}, nil},
	} {
		if !slices.Equal(of[0], of[1]) {
			t.Errorf("%s of the groups: %v, not %v", what, of[0], of[1])
		}
	}
}
