package clip

import (
	"errors"
	"image"
	"math"
	"strconv"
)

const aroForm = `[{"image_path", "bbox_x", "bbox_y", "bbox_w", "bbox_h", "true_caption", "false_caption", "relation_name" or "attributes"}, …]`

// aroAttributes is the least number of cases of a pair of attributes that enters the mean over pairs.
const aroAttributes = 25

// parseARO parses VG-Relation and VG-Attribution of ARO (Yuksekgonul et al. 2023): a true and a false
// caption of a box in an image. The paper's figure is the mean over relations, or over the pairs of
// attributes with at least 25 cases.
func parseARO(data []byte) (b Benchmark, err error) {
	type entry struct {
		Image      string   `json:"image_path"`
		X          float64  `json:"bbox_x"`
		Y          float64  `json:"bbox_y"`
		W          float64  `json:"bbox_w"`
		H          float64  `json:"bbox_h"`
		True       string   `json:"true_caption"`
		False      string   `json:"false_caption"`
		Relation   string   `json:"relation_name"`
		Attributes []string `json:"attributes"`
	}
	least, over := 1, "relations"
	err = eachInList(data, func(i int, e entry) error {
		part := e.Relation
		if len(e.Attributes) > 1 {
			part, least, over = e.Attributes[0]+"_"+e.Attributes[1], aroAttributes, "pairs of attributes"
		}
		box, err := parseBox(e.X, e.Y, e.W, e.H)
		if err != nil {
			return err
		}
		c := Pair{ID: strconv.Itoa(i), Image: Image{e.Image, box}, True: e.True, False: e.False}.Case()
		c.Part = part
		b.Cases = append(b.Cases, c)
		return requireFields("image_path", e.Image, "true_caption", e.True, "false_caption", e.False)
	})
	b.Metrics = pairMetrics()
	macro := b.Metrics[0]
	macro.Name, macro.Macro = "accuracy, mean over "+over, least
	b.Metrics = append(b.Metrics[:1:1], append([]Metric{macro}, b.Metrics[1:]...)...)
	return b, err
}

// parseBox returns the rectangle of a box. If all numbers are 0 it is empty, which means the whole
// image.
func parseBox(x, y, w, h float64) (image.Rectangle, error) {
	if x == 0 && y == 0 && w == 0 && h == 0 {
		return image.Rectangle{}, nil
	}
	const most = 1 << 20
	for _, v := range []float64{x, y, w, h} {
		if !(v >= -most && v <= most) {
			return image.Rectangle{}, errors.New("its box is outside of any image")
		}
	}
	round := func(v float64) int { return int(math.RoundToEven(v)) } // as Pillow's crop does
	box := image.Rectangle{Min: image.Pt(round(x), round(y)), Max: image.Pt(round(x+w), round(y+h))}
	if box.Empty() {
		return box, errors.New("its box is empty")
	}
	return box, nil
}
