package negatives

import (
	"slices"
	"strings"
	"testing"

	"capgraph/schemas"
)

// TestFramesAndNamedSubjects has sentences that begin after talk of the picture, or with a noun for their pronoun.
func TestFramesAndNamedSubjects(t *testing.T) {
	const end = " A cat sleeps on a sofa."
	for _, c := range []struct {
		name, text string
		want       []string // but for the cat
	}{
		{"the image shows", "The image shows a dog lying on a red couch beside a lamp." + end, []string{"A dog lying on a red couch beside a lamp."}},
		{"an adverb before the verb", "This photograph beautifully captures a woman holding an umbrella." + end, []string{"A woman holding an umbrella."}},
		{"in the image", "In the image, a man is riding a horse along a beach." + end, []string{"A man is riding a horse along a beach."}},
		{"we can see", "In the image, we can see two dogs running on a beach." + end, []string{"Two dogs running on a beach."}},
		{"a scene of", "The image captures a serene scene of a boat floating on a lake." + end, []string{"A boat floating on a lake."}},
		{"a scene where", "The image presents a vibrant market scene where people walk between stalls." + end, []string{"People walk between stalls."}},
		{"the next sentence goes on", "The image shows a dog lying on a red couch. A lamp stands beside it." + end, []string{"A dog lying on a red couch. A lamp stands beside it."}},
		{"only a moment", "The image captures a moment in time in city life." + end, nil},
		{"only a mood", "The overall mood of the image is cheerful." + end, nil},
		{"what it does not show", "The image does not contain any people." + end, nil},
		{"a picture that hangs there", "A framed picture of a ship hangs on a wall." + end, []string{"A framed picture of a ship hangs on a wall."}},
		{"a frame of a thing", "The frame of the mirror is made of gold." + end, []string{"The frame of the mirror is made of gold."}},
		{"nothing after it", "In the image." + end, nil},
		{"itself", "The tower itself is painted in stripes of white." + end, []string{"The tower itself is painted in stripes of white."}},
		{"one and another", "Two boats, one in front of another, float on a lake." + end, []string{"Two boats, one in front of another, float on a lake."}},
		{"this lively scene", "In the middle of this lively scene, a man rides a horse." + end, []string{"In the middle of this lively scene, a man rides a horse."}},
		{"it is a fountain", "A fountain creates a peaceful atmosphere. It is surrounded by a crowd of people." + end, []string{"The fountain is surrounded by a crowd of people."}},
		{"its verb is a clitic", "A fountain creates a peaceful atmosphere. It's surrounded by a crowd of people." + end, []string{"The fountain is surrounded by a crowd of people."}},
		{"he waves at another", "A man creates a lively atmosphere. He waves at him from a red car." + end, nil},
		{"he stands behind another", "A man creates a lively atmosphere. He is standing behind him on a bench." + end, nil},
		{"a bag beside him", "A man creates a lively atmosphere. He has a red bag beside him." + end, []string{"The man has a red bag beside him."}},
		{"a participle without its object", "Behind the train are several black cars, carrying what appears to be coal." + end, []string{"Behind the train are several black cars."}},
		{"a clause without its verb", "On the left, a white house stands out, while on the right, the overall mood is calm." + end, []string{"On the left, a white house stands out."}},
		{"the end of a quotation", "A sign reads 'St. Augustine' and hangs on a wall." + end, nil},
		{"a number of feet", "A boat with a 6' mast floats on a lake." + end, []string{"A boat with a 6' mast floats on a lake."}},
		{"a parenthesis about another", "A road. The road, acting as the stage for this event, is filled with runners in red shirts." + end, []string{"The road is filled with runners in red shirts."}},
		{"a parenthesis of what nobody sees", "The sky, serving as a backdrop, is dotted with white clouds." + end, []string{"The sky is dotted with white clouds."}},
		{"a parenthesis that is seen", "The dog, lying on a rug, has a red collar." + end, []string{"The dog, lying on a rug, has a red collar."}},
		{"a parenthesis, and its thing goes on", "The sky, serving as a backdrop, is dotted with white clouds. It has a red sun." + end, []string{"The sky is dotted with white clouds.", "The sky is dotted with white clouds. It has a red sun."}},
		{"him after it", "A lively atmosphere. To his right, there is a camera on a tripod, pointed at him." + end, []string{"There is a camera on a tripod."}},
		{"beyond it", "A lively atmosphere. Beyond it, a green hill rises behind a house." + end, []string{"A green hill rises behind a house."}},
		{"there are also", "A lively atmosphere. There are also green trees behind a house." + end, []string{"There are green trees behind a house."}},
		{"while others", "A lively atmosphere. People are sitting on the roof of a train, while others wait." + end, []string{"People are sitting on the roof of a train."}},
		{"nothing that stays", "A lively atmosphere. These trees, which are mostly in this place, are tall." + end, nil},
		{"one of two men", "A man and another man create a lively atmosphere. He is holding a flag." + end, nil},
	} {
		caption := parsed(t, c.text)
		pools, _ := generate(t, Defaults(), &Image{Key: "i", Captions: []Caption{caption}})
		var got []string
		for _, p := range pools[0].Positives {
			if p.Kind == schemas.KindSentence && p.Text != end[1:] {
				got = append(got, p.Text)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestSubjectsInOtherWordsStay changes no word of a sentence that is before what was left out: the text has it in other words.
func TestSubjectsInOtherWordsStay(t *testing.T) {
	caption := parsed(t, "A red car waits. The red car, serving as a backdrop, is parked on the left of a white bus. A cat sleeps on a sofa.")
	pools, _ := generate(t, Defaults(), &Image{Key: "i", Captions: []Caption{caption}})
	for _, n := range pools[0].Negatives {
		if of := pools[0].Positives[n.Of]; of.Kind == schemas.KindSentence && of.Text == "The red car is parked on the left of a white bus." &&
			(!strings.HasPrefix(n.Text, "The red car is parked") || n.Text == of.Text) {
			t.Errorf("%q of %q", n.Text, of.Text)
		}
	}
}

// TestNegativesOfANamedSubject has the noun in the place of the pronoun in negatives too.
func TestNegativesOfANamedSubject(t *testing.T) {
	s := statedSentence{subject: "The fountain is", named: 2, first: 3, last: 6}
	c := tagged("A/DT moment/NN ./. It/PRP 's/VBZ near/IN trees/NNS ./.")
	if got := string(s.textOf(nil, strings.Replace(c.Text, "trees", "buildings", 1), c.Text, c.Tokens)); got != "The fountain is near buildings." {
		t.Errorf("%q", got)
	}
}
