package synth

import "strings"

// The wordings of a scene. {1} and {2} are its objects with their colours, each
// with an article; of two the first is the left or the upper one.
var (
	single  = []string{"{1}", "there is {1}", "a picture with {1}"}
	beside  = []string{"{1} and {2}", "{2} and {1}", "{1} next to {2}", "{2} next to {1}", "{1} to the left of {2}", "{2} to the right of {1}"}
	upright = []string{"{1} and {2}", "{2} and {1}", "{1} above {2}", "{2} below {1}", "{1} is above {2}", "{2} is below {1}"}
)

// Caption says a scene in the wording that it draws.
func (s Scene) Caption() string {
	wordings := single
	switch {
	case len(s.Objects) == 2 && s.Upright:
		wordings = upright
	case len(s.Objects) == 2:
		wordings = beside
	}
	text := wordings[s.Wording%len(wordings)]
	for i, o := range s.Objects {
		text = strings.Replace(text, []string{"{1}", "{2}"}[i], o.said(), 1)
	}
	return text
}

// said is an object with its colour and an article.
func (o Object) said() string {
	colour := Colours[o.Colour].Name
	article := "a"
	if strings.ContainsRune("aeiou", rune(colour[0])) {
		article = "an"
	}
	return article + " " + colour + " " + Shapes[o.Shape].Name
}
