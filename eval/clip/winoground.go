package clip

import "strconv"

const winogroundForm = `lines of {"id", "caption_0", "caption_1", "image_0", "image_1"}`

// parseWinoground parses examples.jsonl of Winoground (Thrush et al. 2022): two captions with the
// same words, and their images. Its scores are whether each image finds its text, whether each text
// finds its image, and both.
func parseWinoground(data []byte) (b Benchmark, err error) {
	type entry struct {
		ID       jsonText `json:"id"`
		Caption0 string   `json:"caption_0"`
		Caption1 string   `json:"caption_1"`
		Image0   string   `json:"image_0"`
		Image1   string   `json:"image_1"`
		Tag      string   `json:"collapsed_tag"`
	}
	b.Metrics = []Metric{
		{Name: "text score", Chance: 1. / 4, Margin: textMargin},
		{Name: "image score", Chance: 1. / 4, Margin: imageMargin},
		{Name: "group score", Chance: 1. / 6, Margin: func(s Similarities) float64 { return min(textMargin(s), imageMargin(s)) }},
	}
	err = eachLine(data, func(line int, e entry) error {
		id := string(e.ID)
		if id == "" {
			id = strconv.Itoa(line - 1)
		}
		b.Cases = append(b.Cases, Case{
			ID: id, Part: e.Tag, Texts: []string{e.Caption0, e.Caption1},
			Images: []Image{{Name: withExtension(e.Image0, ".png")}, {Name: withExtension(e.Image1, ".png")}},
		})
		return requireFields("caption_0", e.Caption0, "caption_1", e.Caption1, "image_0", e.Image0, "image_1", e.Image1)
	})
	return b, err
}
