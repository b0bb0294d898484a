package clip

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
)

const ownForm = `lines or a list of {"images": […], "captions": […], "part"}, the first caption of the first image and so on; those left over are false`

// ownCase is a case of a user's own table.
type ownCase struct {
	Images   oneOrMore `json:"images"`
	Captions []string  `json:"captions"`
	Part     jsonText  `json:"part"`
}

// oneOrMore is a JSON list of strings, or one string.
type oneOrMore []string

// UnmarshalJSON implements json.Unmarshaler.
func (o *oneOrMore) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*o = oneOrMore{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(o))
}

// parseOwn parses a user's own table: an image among captions, a caption among images, or groups of images and
// captions, which are scored as Winoground is.
func parseOwn(data []byte) (b Benchmark, err error) {
	images, captions := 0, 0 // of the first case
	sameCaptions := true
	visit := func(i int, e ownCase) error {
		if i == 0 || images == 0 {
			images, captions = len(e.Images), len(e.Captions)
		}
		sameCaptions = sameCaptions && len(e.Captions) == captions
		switch {
		case len(e.Images) != images || (len(e.Captions) > 1) != (captions > 1):
			return fmt.Errorf("has %d images and %d captions, the first entry %d and %d: put them into files of their own", len(e.Images), len(e.Captions), images, captions)
		case len(e.Images) == 0 || len(e.Captions) == 0 || len(e.Images)+len(e.Captions) == 2:
			return fmt.Errorf("has %d images and %d captions, nothing to choose from", len(e.Images), len(e.Captions))
		}
		c := Case{ID: strconv.Itoa(i), Part: string(e.Part), Texts: e.Captions}
		for _, name := range e.Images {
			c.Images = append(c.Images, Image{Name: name})
		}
		b.Cases = append(b.Cases, c)
		return errors.Join(requireDistinct("image", e.Images), requireDistinct("caption", e.Captions))
	}
	if isList(data) {
		err = eachInList(data, visit)
	} else {
		err = eachLine(data, func(line int, e ownCase) error { return visit(line-1, e) })
	}
	if !sameCaptions {
		captions = 0
	}
	b.Metrics = ownMetrics(images, captions)
	return b, err
}

// requireDistinct returns an error if a name is empty or occurs twice: such a case could only be a tie.
func requireDistinct(what string, names []string) error {
	seen := map[string]bool{}
	for i, name := range names {
		if name == "" || seen[name] {
			return fmt.Errorf("%s %d is empty or occurs twice: %q", what, i, name)
		}
		seen[name] = true
	}
	return nil
}

// ownMetrics returns the metrics of cases with the given numbers of images and captions; captions is 0 if it
// differs between cases.
func ownMetrics(images, captions int) []Metric {
	text := Metric{Name: winogroundScores[0], Margin: ownTextMargin}
	if captions > 0 {
		text.Chance = math.Pow(1/float64(captions), float64(min(images, captions)))
	}
	image := Metric{Name: winogroundScores[1], Margin: ownImageMargin}
	if captions > 0 && images > 0 {
		image.Chance = math.Pow(1/float64(images), float64(min(images, captions)))
	}
	switch {
	case images == 1:
		text.Name = "accuracy"
		return []Metric{text}
	case captions == 1:
		image.Name = "accuracy"
		return []Metric{image}
	}
	group := Metric{Name: winogroundScores[2], Margin: func(s Similarities) float64 { return min(ownTextMargin(s), ownImageMargin(s)) }}
	if images == 2 && captions == 2 {
		group.Chance = 1. / 6
	}
	return []Metric{text, image, group}
}

// ownTextMargin returns, as the least over the images, how much nearer an image is to its own caption than to
// any other.
func ownTextMargin(s Similarities) float64 {
	return leastMargin(s, len(s.texts), func(i, other int) float64 { return s.Image(i, i) - s.Image(i, other) })
}

// ownImageMargin returns, as the least over the captions, how much nearer a caption is to its own image than to
// any other.
func ownImageMargin(s Similarities) float64 {
	return leastMargin(s, len(s.images), func(t, other int) float64 { return s.Image(t, t) - s.Image(other, t) })
}

// leastMargin returns the least margin(own, other), for each pair of an image and its caption, called own, and
// each other of count candidates.
func leastMargin(s Similarities, count int, margin func(own, other int) float64) float64 {
	least := math.Inf(1)
	for own := range min(len(s.images), len(s.texts)) {
		for other := range count {
			if other != own {
				least = min(least, margin(own, other))
			}
		}
	}
	return least
}
