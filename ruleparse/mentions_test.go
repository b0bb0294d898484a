package ruleparse

import (
	"testing"

	"capgraph/schemas"
)

func TestThingsNamedAgainAreOne(t *testing.T) {
	compare(t, []construction{
		{"the same word", "A cat sits on a bed. The cat is black.", "cat[;black] bed | cat sits on/sit on bed"},
		{"another of the same word", "A cat sits on a bed. Another cat lies on the floor.", "cat bed cat floor | cat sits on/sit on bed, cat lies on/lie on floor"},
		{"the other", "A dog runs on the grass. The other dog sits on the porch.", "dog grass dog[other] porch | dog runs on/run on grass, dog sits on/sit on porch"},
		{"the only person", "A skateboarder rides down a ramp. The man wears a helmet.", "skateboarder ramp helmet | skateboarder rides down/ride down ramp, skateboarder wears/wear helmet"},
		{"one of two persons", "A woman stands beside a boy. The child holds a ball.", "woman boy child ball | woman stands beside/stand beside boy, child holds/hold ball"},
		{"a pronoun", "A woman sits on a bench. She holds a red umbrella.", "woman bench umbrella[red] | woman sits on/sit on bench, woman holds/hold umbrella"},
		{"a pronoun in one sentence", "A woman sits on a bench and she holds an umbrella", "woman bench umbrella | woman sits on/sit on bench, woman holds/hold umbrella"},
	})
}

func TestTalkOfThePictureMakesNoObjects(t *testing.T) {
	compare(t, []construction{
		{"the image", "The image shows a dog on a couch. A lamp stands beside the couch.", "dog couch lamp | dog on/on couch, lamp stands beside/stand beside couch"},
		{"a mood", "Candles stand on a table. They add a touch of warmth to the scene.", "candles table | candles stand on/stand on table"},
		{"a photo alone", "a photo of a cat", "photo cat | photo of/of cat"},
	})
}

// What is named again is found however many sentences lie between, and a text of many takes no more than its length.
func TestManySentences(t *testing.T) {
	p := newParser(t)
	var out schemas.Parsed
	text := "A green bus is parked on a street. "
	for range 200 {
		text += "A man walks past a shop. "
	}
	p.ParseText(text+"The bus is empty.", &out)
	buses := 0
	for _, o := range out.Graph.Objects {
		if o.Head == "bus" {
			buses++
		}
	}
	if buses != 1 {
		t.Errorf("%d buses", buses)
	}
}
