package synth

import (
	"slices"
	"strings"
)

// The wordings of a scene. {1} and {2} are its objects with their colours, each
// with an article; of two the first is the left, the upper or the front one.
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

// Caption says a scene in the wording that it draws.
func (s Scene) Caption() string {
	text, grounded := s.words()
	for i, o := range s.Objects {
		text = strings.Replace(text, []string{"{1}", "{2}"}[i], s.said(o), 1)
	}
	if grounded {
		text += " " + Grounds[s.Ground].Said
	}
	return text
}

// words is the wording that a scene draws, and whether its ground is said.
func (s Scene) words() (wording string, grounded bool) {
	wordings := single
	if len(s.Objects) == 2 {
		wordings = related[s.Direction]
		if !s.Related {
			wordings = slices.Concat(loose[s.Direction], wordings)
		}
	}
	n := len(wordings)
	return wordings[s.Wording%n], Grounds[s.Ground].Said != "" && s.Wording/n%2 == 0
}

// said is an object with an article, its colour, its texture and, where that
// tells it from the other, its size.
func (s Scene) said(o Object) string {
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
	article := "a"
	if strings.ContainsRune("aeiou", rune(words[0][0])) {
		article = "an"
	}
	return article + " " + strings.Join(words, " ") + " " + Shapes[o.Shape].Name
}
