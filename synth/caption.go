package synth

import (
	"slices"
	"strings"
)

// The wordings of a scene. {1} and {2} are its objects with their colours and articles. {1} is the
// left, the upper or the front one of two.
var (
	single = []string{"{1}", "there is {1}", "a picture with {1}"}
	loose  = [directions][]string{
		Beside:  {"{1} and {2}", "{2} and {1}", "{1} next to {2}", "{2} next to {1}"},
		Upright: {"{1} and {2}", "{2} and {1}"},
		Depth:   {"{1} and {2}", "{2} and {1}"},
	}
	related = [directions][]string{
		Beside:  {"{1} to the left of {2}", "{2} to the right of {1}", "{1} is to the left of {2}", "{2} is to the right of {1}"},
		Upright: {"{1} above {2}", "{2} below {1}", "{1} is above {2}", "{2} is below {1}"},
		Depth:   {"{1} in front of {2}", "{2} behind {1}", "{1} is in front of {2}", "{2} is behind {1}"},
	}
)

// Caption returns the caption of the scene, in its wording.
func (s Scene) Caption() string {
	text, grounded := s.drawWording()
	for i, o := range s.Objects {
		text = strings.Replace(text, []string{"{1}", "{2}"}[i], s.describe(o), 1)
	}
	if grounded {
		text += " " + Grounds[s.Ground].Phrase
	}
	return text
}

// drawWording returns the wording of the scene, and whether its ground is mentioned.
func (s Scene) drawWording() (wording string, grounded bool) {
	wordings := single
	if len(s.Objects) == 2 {
		wordings = related[s.Direction]
		if !s.Related {
			wordings = slices.Concat(loose[s.Direction], wordings)
		}
	}
	n := len(wordings)
	return wordings[s.Wording%n], Grounds[s.Ground].Phrase != "" && s.Wording/n%2 == 0
}

// describe returns an object with an article, its colour, its texture and, if that distinguishes it
// from the other, its size.
func (s Scene) describe(o Object) string {
	words := []string{Colours[o.Colour].Name}
	if texture := Textures[o.Texture].Name; texture != "" {
		words = append(words, texture)
	}
	if len(s.Objects) == 2 && s.Objects[0].Large != s.Objects[1].Large {
		size := "small"
		if o.Large {
			size = "large"
		}
		words = append([]string{size}, words...)
	}
	return addArticle(append(words, Shapes[o.Shape].Name))
}
