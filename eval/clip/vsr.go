package clip

import (
	"fmt"
	"strconv"
)

const vsrForm = `lines of {"image", "caption", "label", "relation"}`

// parseVSR parses Visual Spatial Reasoning (Liu et al. 2023): a caption that is true or false. A dual
// encoder chooses between the caption followed by "(True)" and by "(False)", as zero-shot CLIP does in
// the paper.
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
