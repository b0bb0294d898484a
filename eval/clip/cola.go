package clip

import (
	"fmt"
	"path"
	"strconv"
)

const colaForm = `[[image, caption, image, caption], …]`

// parseCOLA parses the multi-objects setting of COLA (Ray et al. 2023): two images with a caption each.
// As in its script, a case is right if each caption is nearer to its own image. Images are named by
// the end of their address.
func parseCOLA(data []byte) (b Benchmark, err error) {
	b.Metrics = []Metric{{Name: "accuracy", Chance: 0.25, Margin: imageMargin}}
	err = eachInList(data, func(i int, e []string) error {
		if len(e) != 4 {
			return fmt.Errorf("has %d texts, not an image, its caption, an image and its caption", len(e))
		}
		b.Cases = append(b.Cases, Case{
			ID: strconv.Itoa(i), Images: []Image{{Name: path.Base(e[0])}, {Name: path.Base(e[2])}}, Texts: []string{e[1], e[3]},
		})
		return requireFields("image", e[0], "caption", e[1], "second image", e[2], "second caption", e[3])
	})
	return b, err
}

// imageMargin returns the smaller of two margins: how much nearer each text is to its own image than to
// the other image.
func imageMargin(s Similarities) float64 {
	return min(s.Image(0, 0)-s.Image(1, 0), s.Image(1, 1)-s.Image(0, 1))
}

// textMargin returns the smaller of two margins: how much nearer each image is to its own text than to
// the other text.
func textMargin(s Similarities) float64 {
	return min(s.Image(0, 0)-s.Image(0, 1), s.Image(1, 1)-s.Image(1, 0))
}
