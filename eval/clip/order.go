package clip

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

const orderForm = `[{"image", "caption": […]}, …]`

// orderWords is the number of words that ARO keeps of a caption.
const orderWords = 30

// parseOrder parses captions for ARO's COCO-Order and Flickr30k-Order: each is compared with four
// shuffles of it (shuffleCaption), and is right if it is the nearest of the five. A shuffle that
// does not change the caption, such as of a single noun, is left out.
func parseOrder(data []byte, tag Tagger) (b Benchmark, err error) {
	type entry struct {
		Image   string          `json:"image"`
		Caption json.RawMessage `json:"caption"`
	}
	b.Metrics = []Metric{{Name: "accuracy", Chance: 1. / 5, Margin: trueTextMargin}}
	err = eachInList(data, func(i int, e entry) error {
		var captions []string
		if json.Unmarshal(e.Caption, &captions) != nil {
			var one string
			if json.Unmarshal(e.Caption, &one) != nil {
				return errors.New("caption is neither a text nor a list of texts")
			}
			captions = []string{one}
		}
		for k, caption := range captions {
			c := Case{ID: strconv.Itoa(i) + "." + strconv.Itoa(k), Images: []Image{{Name: e.Image}}, Texts: []string{plainCaption(caption)}}
			shuffles, err := shuffleCaption(tag, e.Image, caption)
			if err != nil {
				return err
			}
			for _, shuffled := range shuffles {
				if shuffled = plainCaption(shuffled); shuffled != c.Texts[0] {
					c.Texts = append(c.Texts, shuffled)
				}
			}
			if err := requireFields("caption", c.Texts[0]); err != nil {
				return err
			}
			if len(c.Texts) > 1 {
				b.Cases = append(b.Cases, c)
			}
		}
		return requireFields("image", e.Image)
	})
	return b, err
}

// plainCaption returns a caption in lower case, without the marks that BLIP's preparation removes, cut
// off after orderWords words.
func plainCaption(caption string) string {
	caption = strings.Map(func(r rune) rune {
		if strings.ContainsRune(`.!"()*#:;~`, r) {
			return ' '
		}
		return r
	}, strings.ToLower(caption))
	words := strings.Fields(caption)
	return strings.Join(words[:min(len(words), orderWords)], " ")
}
