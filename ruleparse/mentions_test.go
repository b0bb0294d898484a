package ruleparse

import (
	"testing"

	"capgraph/schemas"
)

func TestThingsNamedAgainAreOne(t *testing.T) {
	compare(t, []construction{
		{"the same word", "A cat sits on a bed. The cat is black.", "cat[;black] bed | cat sits on/sit on bed"},
		{"another of the same word", "A cat sits on a bed. Another cat lies on the floor.", "cat bed cat floor | cat sits on/sit on bed, cat lies on/lie on floor"},
		{"the other", "A dog runs on the grass. The other dog sits on the porch.", "dog grass dog porch | dog runs on/run on grass, dog sits on/sit on porch"},
		{"the only person", "A skateboarder rides down a ramp. The man wears a helmet.", "skateboarder ramp helmet | skateboarder rides down/ride down ramp, skateboarder wears/wear helmet"},
		{"one of two persons by age", "A woman stands beside a boy. The child holds a ball.", "woman boy ball | woman stands beside/stand beside boy, boy holds/hold ball"},
		{"a pronoun", "A woman sits on a bench. She holds a red umbrella.", "woman bench umbrella[red] | woman sits on/sit on bench, woman holds/hold umbrella"},
		{"a pronoun as an object", "A car is parked on a street. A dog sits behind it.", "car street dog | car is parked on/park on street, dog sits behind/sit behind car"},
		{"no pronoun for its own subject", "A boy stands at a table. An adult sits close to him.", "boy table adult | boy stands at/stand at table, adult sits close to/sit close to boy"},
		{"another noun", "A poodle sits on a rug. The dog is white.", "poodle[;white] rug | poodle sits on/sit on rug"},
		{"a pronoun in one sentence", "A woman sits on a bench and she holds an umbrella", "woman bench umbrella | woman sits on/sit on bench, woman holds/hold umbrella"},
	})
}

func TestPossessionsOfEarlierObjects(t *testing.T) {
	compare(t, []construction{
		{"of the subject before", "A black cat sits on a mat. Its tail is long. Its eyes are green.", "cat[black] mat tail[;long] eyes[;green] | cat sits on/sit on mat, cat has/have tail, cat has/have eyes"},
		{"of several", "Trees stand on a hill. Their branches are bare.", "trees hill branches[;bare] | trees stand on/stand on hill, trees has/have branches"},
		{"of nobody", "A vase stands on a shelf. Their eyes are green.", "vase shelf eyes[;green] | vase stands on/stand on shelf"},
	})
}

func TestPlacesBeforeAClause(t *testing.T) {
	compare(t, []construction{
		{"a comma", "In the background, trees stand tall.", "background trees[;stand tall] | trees in/in background"},
		{"a verb that says no more", "In front of the house, a tree stands.", "house tree | tree in front of/in front of house"},
		{"several", "In the kitchen, there is a sink, a stove and a window.", "kitchen sink stove window | sink in/in kitchen, stove in/in kitchen, window in/in kitchen"},
		{"with a pronoun", "A boy stands at a table. In front of him, a muffin sits on a plate.", "boy table muffin plate | boy stands at/stand at table, muffin in front of/in front of boy, muffin sits on/sit on plate"},
		{"before a verb", "A laptop is on a desk. To the right of it stands a lamp.", "laptop desk lamp | laptop is on/on desk, lamp to the right of/to the right of laptop"},
		{"of several after a verb", "In the middle of a field stand a horse and a cow.", "field horse cow | horse in the middle of/in the middle of field, cow in the middle of/in the middle of field"},
		{"of what does something", "On the sofa, a cat sleeps beside a dog.", "sofa cat dog | cat on/on sofa, cat sleeps beside/sleep beside dog"},
		{"a verb", "Seen from the street, a house stands on a hill.", "street house hill | house stands on/stand on hill"},
	})
}

func TestRemarksOnThePictureMakeNoObjects(t *testing.T) {
	compare(t, []construction{
		{"the image", "The image shows a dog on a couch. A lamp stands beside the couch.", "dog couch lamp | dog on/on couch, lamp stands beside/stand beside couch"},
		{"a mood", "Candles stand on a table. They add a touch of warmth to the scene.", "candles table | candles stand on/stand on table"},
		{"a remark", "A dog lies on a rug, adding charm to the room. A lamp stands on the table.", "dog rug lamp table | dog lies on/lie on rug, lamp stands on/stand on table"},
		{"somebody who adds something", "A man is adding sugar to a bowl. He smiles.", "man sugar bowl | man is adding/add sugar, man is adding to/add to bowl"},
		{"as what it serves", "A couch stands in a room. It serves as a focal point.", "couch room | couch stands in/stand in room"},
		{"a summary", "A dog lies on a rug. Overall, the scene has a lively mix of shapes.", "dog rug | dog lies on/lie on rug"},
		{"a quality in the plural", "A kite hangs in the sky. The colors are bright.", "kite sky | kite hangs in/hang in sky"},
		{"the background", "A dog lies on a rug. A shelf stands in the background.", "dog rug shelf background | dog lies on/lie on rug, shelf stands in/stand in background"},
		{"what is denied", "A dog lies on a rug. The image does not contain any people.", "dog rug | dog lies on/lie on rug"},
		{"a photo alone", "a photo of a cat", "photo cat | photo of/of cat"},
	})
}

// A later mention is found over any number of sentences, in time proportional to the text.
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
