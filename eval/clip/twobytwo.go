package clip

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// twoByTwo is a published form of entries with two images and two captions: the first caption describes the first
// image, the second the second.
type twoByTwo struct {
	form             string // for errors
	captions, images [2]string
	extension        string   // of images without one
	parts            []string // the fields that name the part
	scores           [3]string
}

// winogroundScores are the names of the scores of Winoground and of the benchmarks that follow it.
var winogroundScores = [3]string{"text score", "image score", "group score"}

var (
	// winoground is examples.jsonl of Winoground (Thrush et al. 2022): two captions with the same words.
	winoground = twoByTwo{
		form:     `lines of {"id", "caption_0", "caption_1", "image_0", "image_1"}`,
		captions: [2]string{"caption_0", "caption_1"}, images: [2]string{"image_0", "image_1"},
		extension: ".png", parts: []string{"collapsed_tag"}, scores: winogroundScores,
	}
	// colorSwap is test.json and train.json of ColorSwap (Burapacheep et al. 2024, section 4): two captions
	// with the same words, whose colours are exchanged.
	colorSwap = twoByTwo{
		form:     `[{"id", "caption_1", "caption_2", "image_1", "image_2"}, …]`,
		captions: [2]string{"caption_1", "caption_2"}, images: [2]string{"image_1", "image_2"},
		scores: winogroundScores,
	}
	// biVLC has the columns of BiVLC (Miranda et al. 2024): a pair of COCO, and a false caption with an
	// image made from it. The scores are computed as evaluate_BiVLC does in its CLIP_utils.py.
	biVLC = twoByTwo{
		form:     `lines or a list of {"image", "caption", "negative_image", "negative_caption", "type", "subtype"}`,
		captions: [2]string{"caption", "negative_caption"}, images: [2]string{"image", "negative_image"},
		parts: []string{"type", "subtype"}, scores: [3]string{"image-to-text", "text-to-image", "group score"},
	}
	// naturalBench is metadata.json of NaturalBench-Retrieval (Li et al. 2024). The scores are computed as get_retrieval_acc does in its naturalbench_retrieval.py.
	naturalBench = twoByTwo{
		form:     `[{"index", "caption_0", "caption_1", "image_0", "image_1"}, …]`,
		captions: [2]string{"caption_0", "caption_1"}, images: [2]string{"image_0", "image_1"},
		scores: winogroundScores,
	}
)

// twoByTwoMetrics returns the metrics of Winoground, section 3.2: whether each image is nearer to its
// own text (equation 1), each text to its own image (equation 2), and both (equation 3).
func twoByTwoMetrics(names [3]string) []Metric {
	return []Metric{
		{Name: names[0], Chance: 1. / 4, Margin: textMargin},
		{Name: names[1], Chance: 1. / 4, Margin: imageMargin},
		{Name: names[2], Chance: 1. / 6, Margin: func(s Similarities) float64 { return min(textMargin(s), imageMargin(s)) }},
	}
}

// parse parses a JSON list, or JSON lines.
func (f *twoByTwo) parse(data []byte) (b Benchmark, err error) {
	b.Metrics = twoByTwoMetrics(f.scores)
	visit := func(i int, e map[string]json.RawMessage) error {
		c, err := f.readCase(e)
		if c.ID == "" {
			c.ID = strconv.Itoa(i)
		}
		b.Cases = append(b.Cases, c)
		return err
	}
	if isList(data) {
		err = eachInList(data, visit)
	} else {
		err = eachLine(data, func(line int, e map[string]json.RawMessage) error { return visit(line-1, e) })
	}
	return b, err
}

// readCase returns the case of an entry.
func (f *twoByTwo) readCase(e map[string]json.RawMessage) (c Case, err error) {
	text := func(name string) (text jsonText) {
		if e[name] == nil || err != nil {
			return ""
		}
		if err = json.Unmarshal(e[name], &text); err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
		return text
	}
	c.ID = string(text("id"))
	var parts, required []string
	for _, name := range f.parts {
		if part := string(text(name)); part != "" {
			parts = append(parts, part)
		}
	}
	c.Part = strings.Join(parts, " ")
	for _, name := range f.captions {
		caption := string(text(name))
		c.Texts, required = append(c.Texts, caption), append(required, name, caption)
	}
	for _, name := range f.images {
		image := string(text(name))
		c.Images = append(c.Images, Image{Name: withExtension(image, f.extension)})
		required = append(required, name, image)
	}
	if err == nil {
		err = requireFields(required...)
	}
	return c, err
}

// isList reports whether JSON is a list.
func isList(data []byte) bool { return bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("[")) }

const eqBenForm = `[{"caption0", "caption1", "image0", "image1"}, …] or [{"image", "caption", "private_info": {"dataset", "name", "sample_cnt"}}, …]`

// parseEqBen parses EqBen (Wang et al. 2023): the subset of 10 %, with two images and captions in an
// entry, or ann_json_finegrained_random.json, with the four pairs of each in entries named c0i0,
// c0i1, c1i0 and c1i1. The scores are computed as cal_wino_score in its eqben_acc.py does. Parts are
// the datasets that EqBen is made of.
func parseEqBen(data []byte) (b Benchmark, err error) {
	type entry struct {
		Caption0 string `json:"caption0"`
		Caption1 string `json:"caption1"`
		Image0   string `json:"image0"`
		Image1   string `json:"image1"`
		Image    string `json:"image"`
		Caption  string `json:"caption"`
		Private  *struct {
			Dataset string   `json:"dataset"`
			Name    string   `json:"name"`
			Sample  jsonText `json:"sample_cnt"`
		} `json:"private_info"`
	}
	b.Metrics = twoByTwoMetrics(winogroundScores)
	index := map[string]int{} // into b.Cases, by dataset and sample
	err = eachInList(data, func(i int, e entry) error {
		if e.Private == nil {
			dataset, _, _ := strings.Cut(e.Image0, "/")
			b.Cases = append(b.Cases, Case{
				ID: strconv.Itoa(i), Part: dataset, Texts: []string{e.Caption0, e.Caption1}, Images: []Image{{Name: e.Image0}, {Name: e.Image1}},
			})
			return requireFields("caption0", e.Caption0, "caption1", e.Caption1, "image0", e.Image0, "image1", e.Image1)
		}
		id := e.Private.Dataset + " " + string(e.Private.Sample)
		at, known := index[id]
		if !known {
			at = len(b.Cases)
			index[id] = at
			b.Cases = append(b.Cases, Case{ID: id, Part: e.Private.Dataset, Texts: make([]string, 2), Images: make([]Image, 2)})
		}
		c := &b.Cases[at]
		switch e.Private.Name {
		case "c0i0":
			c.Texts[0], c.Images[0].Name = e.Caption, e.Image
		case "c1i1":
			c.Texts[1], c.Images[1].Name = e.Caption, e.Image
		}
		return requireFields("image", e.Image, "caption", e.Caption, "name", e.Private.Name, "sample_cnt", string(e.Private.Sample))
	})
	for _, c := range b.Cases {
		for i, image := range c.Images {
			if image.Name == "" && err == nil {
				err = fmt.Errorf("sample %q has no entry named c%di%d", c.ID, i, i)
			}
		}
	}
	return b, err
}
