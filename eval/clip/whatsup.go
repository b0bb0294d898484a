package clip

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
)

const (
	whatsUpForm        = `[{"image_path", "caption_options": [true, false, false, false]}, …]`
	whatsUpSpatialForm = `[[image_id, true caption, false caption], …]`
)

// parseWhatsUp parses subset A or B of What's Up (Kamath et al. 2023): photographs of two objects
// in four arrangements, each with the captions of all four, the true one first. Besides single
// images it counts pairs of opposite arrangements and sets of four, which are right if all their
// images are. Files are named OBJECT_ARRANGEMENT_…_OBJECT.
func parseWhatsUp(data []byte) (b Benchmark, err error) {
	type entry struct {
		Image   string   `json:"image_path"`
		Options []string `json:"caption_options"`
	}
	b.Metrics = []Metric{
		{Name: "accuracy", Chance: 1. / 4, Margin: trueTextMargin},
		{Name: "pairs", Chance: 1. / 16, Margin: trueTextMargin, Together: func(c *Case) string { return c.Pair }},
		{Name: "sets of four", Chance: 1. / 256, Margin: trueTextMargin, Together: func(c *Case) string { return c.Set }},
	}
	err = eachInList(data, func(i int, e entry) error {
		if len(e.Options) < 2 {
			return errors.New("has no caption_options")
		}
		c := Case{ID: strconv.Itoa(i), Images: []Image{{Name: e.Image}}, Texts: e.Options}
		words := strings.Split(strings.TrimSuffix(path.Base(e.Image), path.Ext(e.Image)), "_")
		if n := len(words); n > 2 {
			c.Part, c.Set = words[1], words[0]+"_"+words[n-1]
			axis := "left and right"
			if c.Part != "left" && c.Part != "right" {
				axis = "the other two"
			}
			c.Pair = c.Set + "_" + axis
		}
		b.Cases = append(b.Cases, c)
		return requireFields("image_path", e.Image, "true caption", e.Options[0])
	})
	return b, err
}

// parseWhatsUpSpatial parses the COCO- and GQA-spatial parts of What's Up: an image, its caption and an
// opposite of it. name returns the name of an image's file.
func parseWhatsUpSpatial(data []byte, name func(id string) string) (b Benchmark, err error) {
	b.Metrics = pairMetrics()
	err = eachInList(data, func(i int, e []json.RawMessage) error {
		if len(e) != 3 {
			return fmt.Errorf("has %d parts, not an image's id, a true and a false caption", len(e))
		}
		var id jsonText
		var captions [2]string
		if err := errors.Join(json.Unmarshal(e[0], &id), json.Unmarshal(e[1], &captions[0]), json.Unmarshal(e[2], &captions[1])); err != nil {
			return err
		}
		b.Cases = append(b.Cases, Pair{ID: strconv.Itoa(i), Image: Image{Name: name(string(id))}, True: captions[0], False: captions[1]}.Case())
		return requireFields("image id", string(id), "true caption", captions[0], "false caption", captions[1])
	})
	return b, err
}

// parseWhatsUpCOCO parses coco_qa_one_obj.json and coco_qa_two_obj.json.
func parseWhatsUpCOCO(data []byte) (Benchmark, error) {
	return parseWhatsUpSpatial(data, func(id string) string {
		return strings.Repeat("0", max(0, 12-len(id))) + id + ".jpg"
	})
}

// parseWhatsUpGQA parses vg_qa_one_obj.json and vg_qa_two_obj.json.
func parseWhatsUpGQA(data []byte) (Benchmark, error) {
	return parseWhatsUpSpatial(data, func(id string) string { return id + ".jpg" })
}
