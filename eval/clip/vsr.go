package clip

import (
	"fmt"
	"strconv"
)

const vsrForm = `lines of {"image", "caption", "label", "relation"}`

// parseVSR reads Visual Spatial Reasoning (Liu et al. 2023): a caption that is true or
// false of its image. A dual encoder says which by the nearer one of the caption
// with "(True)" and with "(False)" after it, as CLIP was measured on it without
// training.
func parseVSR(data []byte) (b Benchmark, err error) {
	type entry struct {
		Image    string `json:"image"`
		Caption  string `json:"caption"`
		Label    *int   `json:"label"`
		Relation string `json:"relation"`
	}
	b.Metrics = []Metric{{Name: "accuracy", Chance: 0.5, Margin: trueTextMargin}}
	err = eachLine(data, func(line int, e entry) error {
		if err := requireFields("image", e.Image, "caption", e.Caption); err != nil {
			return err
		}
		if e.Label == nil || *e.Label != 0 && *e.Label != 1 {
			return fmt.Errorf("has no label of 0 or 1")
		}
		right, wrong := " (False)", " (True)"
		if *e.Label == 1 {
			right, wrong = wrong, right
		}
		c := Pair{ID: strconv.Itoa(line), Image: Image{Name: e.Image}, True: e.Caption + right, False: e.Caption + wrong}.Case()
		c.Part = e.Relation
		b.Cases = append(b.Cases, c)
		return nil
	})
	return b, err
}
