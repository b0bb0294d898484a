package clip

import (
	"errors"
	"fmt"
	"strconv"

	"capgraph/images"
)

const specForm = `[{"query", "keys": […], "label"}, …], with an image as query and texts as keys, or the reverse`

// parseSPEC parses image2text.json or text2image.json of a subset of SPEC (Peng et al. 2024, section 3): an
// image with texts, or a text with images, that differ in a size, a position, an object or a number. A
// case is right if the key of the label is the nearest (i2t and t2i accuracy of its evaluate).
func parseSPEC(data []byte) (b Benchmark, err error) {
	type entry struct {
		Query string   `json:"query"`
		Keys  []string `json:"keys"`
		Label *int     `json:"label"`
	}
	toText := false
	err = eachInList(data, func(i int, e entry) error {
		if i == 0 {
			toText = images.IsImageName(e.Query)
		}
		switch {
		case len(e.Keys) < 2:
			return errors.New("has fewer than two keys")
		case e.Label == nil || *e.Label < 0 || *e.Label >= len(e.Keys):
			return fmt.Errorf("has no label from 0 to %d", len(e.Keys)-1)
		case images.IsImageName(e.Query) != toText:
			return errors.New("has a text as query, the first entry an image, or the reverse")
		}
		moveToFront(e.Keys, *e.Label)
		c := Case{ID: strconv.Itoa(i), Texts: e.Keys, Images: []Image{{Name: e.Query}}}
		if !toText {
			c.Texts, c.Images = []string{e.Query}, nil
			for _, name := range e.Keys {
				c.Images = append(c.Images, Image{Name: name})
			}
		}
		b.Cases = append(b.Cases, c)
		return requireFields("query", e.Query, "true key", e.Keys[0])
	})
	m := Metric{Name: "text-to-image", Margin: trueImageMargin}
	if toText {
		m = Metric{Name: "image-to-text", Margin: trueTextMargin}
	}
	if len(b.Cases) > 0 {
		m.Chance = 1 / float64(max(len(b.Cases[0].Texts), len(b.Cases[0].Images)))
	}
	b.Metrics = []Metric{m}
	return b, err
}

// trueImageMargin returns how much nearer the text is to its first image than to any other.
func trueImageMargin(s Similarities) float64 {
	margin := s.Image(0, 0) - s.Image(1, 0)
	for i := 2; i < len(s.images); i++ {
		margin = min(margin, s.Image(0, 0)-s.Image(i, 0))
	}
	return margin
}
