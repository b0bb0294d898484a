package synth

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"capgraph/store"
)

// The tests of parts, with the images of TestWords. The true text is a part of the caption; the
// false text is the same part with one thing changed.
const (
	TestParts  = "parts"  // an object with its colour; false: with the other object's colour
	TestBare   = "bare"   // an object without its colour; false: a shape that is not in the image
	TestPlaces = "places" // the places of two objects without colours; false: their places swapped
)

// PartTests are the names of the tests of parts.
var PartTests = [...]string{TestParts, TestBare, TestPlaces}

// PartTexts returns the true and the false text of scene i of a test of parts.
func (s *Scenes) PartTexts(test string, i int) (text, false string) {
	scene, _ := s.TestScene(TestWords, i)
	n := s.randomStream(test, i)
	k := n.IntN(2)
	o, other := scene.Objects[k], scene.Objects[1-k]
	switch test {
	case TestParts:
		text = scene.describe(o)
		o.Colour = other.Colour
		return text, scene.describe(o)
	case TestBare:
		text = o.bare()
		for o.Shape == scene.Objects[0].Shape || o.Shape == scene.Objects[1].Shape {
			o.Shape = n.IntN(len(Shapes))
		}
		return text, o.bare()
	}
	wordings := related[scene.Direction]
	say := func(a, b Object) string {
		return strings.NewReplacer("{1}", a.bare(), "{2}", b.bare()).Replace(wordings[scene.Wording%len(wordings)])
	}
	return say(scene.Objects[0], scene.Objects[1]), say(scene.Objects[1], scene.Objects[0])
}

// bare returns the name of the object's shape with an article.
func (o Object) bare() string { return addArticle([]string{Shapes[o.Shape].Name}) }

// addArticle returns words, joined by spaces, after "a" or "an".
func addArticle(words []string) string {
	article := "a"
	if strings.ContainsRune("aeiou", rune(words[0][0])) {
		article = "an"
	}
	return strings.Join(slices.Insert(words, 0, article), " ")
}

// writePartTest writes the file of a test of parts.
func (s *Scenes) writePartTest(ctx context.Context, files store.Store, dir, test string) error {
	pairs := map[int]CaptionPair{}
	for i := range s.TestSize(TestWords) {
		text, changed := s.PartTexts(test, i)
		pairs[i] = CaptionPair{testImage(TestWords, i), text, changed}
	}
	if len(pairs) == 0 {
		return ctx.Err()
	}
	data, err := json.MarshalIndent(pairs, "", "  ")
	if err != nil {
		return err
	}
	return store.ReplaceFile(files, TestFile(dir, test), append(data, '\n'))
}

// testImage returns the name of image i of a test.
func testImage(test string, i int) string { return fmt.Sprintf("%s/%06d.png", test, i) }
