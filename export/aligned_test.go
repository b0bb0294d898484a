package export

import (
	"testing"

	"capgraph/schemas"
)

func TestPhrasesOf(t *testing.T) {
	at := func(name string, begin int32, attributes ...schemas.Attribute) schemas.Object {
		return schemas.Object{Name: name, Begin: begin, End: begin + int32(len(name)), Attributes: attributes}
	}
	pre := func(text string, begin int32) schemas.Attribute {
		return schemas.Attribute{Text: text, Form: schemas.Pre, Begin: begin, End: begin + int32(len(text))}
	}
	two := at("men", 4)
	two.Quantity = "two"
	denied := at("hat", 9)
	denied.Status = schemas.Denied
	for _, c := range []struct {
		text    string
		objects []schemas.Object
		want    []string
		unseen  int
	}{
		{"Two men in the tall, red hats.", []schemas.Object{two, at("hats", 25, pre("tall", 15), pre("red", 21))}, []string{"Two men", "the tall, red hats"}, 0},
		{"A man, a dog", []schemas.Object{at("dog", 9), at("man", 2)}, []string{"A man", "a dog"}, 0},
		{"a man no hat", []schemas.Object{at("man", 2), denied}, []string{"a man", "no hat"}, 1},
		{"a café dog", []schemas.Object{at("dog", 8, pre("café", 2))}, []string{"a café dog"}, 0},
		{"a fire truck", []schemas.Object{at("fire truck", 2), at("truck", 7)}, []string{"a fire truck"}, 0},
		{"dog", []schemas.Object{at("dog", 0), {Name: "implied", Begin: -1, End: -1}}, []string{"dog"}, 0},
		{"", nil, nil, 0},
	} {
		g := schemas.SceneGraph{Objects: c.objects}
		unseen := 0
		var got []string
		for _, p := range phrasesOf(c.text, &g) {
			got = append(got, c.text[p.begin:p.end])
			if !p.isSeen {
				unseen++
			}
		}
		if len(got) != len(c.want) || unseen != c.unseen {
			t.Errorf("%q: %q, %d unseen, want %q, %d", c.text, got, unseen, c.want, c.unseen)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%q: %q, want %q", c.text, got, c.want)
			}
		}
	}
}
