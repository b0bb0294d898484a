package clip

import "strconv"

const sugarCrepePPForm = `[{"id", "filename", "caption", "caption2", "negative_caption"}, …]`

// parseSugarCrepePP parses SugarCrepe++ (Dumpala et al. 2024): an image with two true captions in
// different words and a false one. The image-to-text task is right if the image is nearer to both true
// captions. The text-only task is right if these are nearer to each other than to the false one.
func parseSugarCrepePP(data []byte) (b Benchmark, err error) {
	type entry struct {
		ID       jsonText `json:"id"`
		Filename string   `json:"filename"`
		Caption  string   `json:"caption"`
		Caption2 string   `json:"caption2"`
		Negative string   `json:"negative_caption"`
	}
	b.Metrics = []Metric{
		{Name: "image-to-text", Chance: 1. / 3, Margin: func(s Similarities) float64 {
			return min(s.Image(0, 0), s.Image(0, 1)) - s.Image(0, 2)
		}},
		{Name: "text-only", Chance: 1. / 3, Margin: func(s Similarities) float64 {
			return s.Text(0, 1) - max(s.Text(0, 2), s.Text(1, 2))
		}},
	}
	err = eachInList(data, func(i int, e entry) error {
		id := string(e.ID)
		if id == "" {
			id = strconv.Itoa(i)
		}
		b.Cases = append(b.Cases, Case{ID: id, Images: []Image{{Name: e.Filename}}, Texts: []string{e.Caption, e.Caption2, e.Negative}})
		return requireFields("filename", e.Filename, "caption", e.Caption, "caption2", e.Caption2, "negative_caption", e.Negative)
	})
	return b, err
}
