package clip

import "strconv"

const halfTruthsForm = `lines of {"id", "image", "anchor", "half_truth", "full_truth", "triplet_type"}`

// parseHalfTruths parses Half-Truths of CS-CLIP (Kargi et al. 2026): a caption that states a part of an
// image (anchor), the same with an addition that is false (half_truth), and with one that is true
// (full_truth). Its evaluate_half_truth.py has two scores. Half-truth accuracy: the anchor is nearer than
// the half-truth. Correct-ordering rate: also, the full truth is nearer than the anchor. Parts are the
// kinds of additions: entity and relation.
func parseHalfTruths(data []byte) (b Benchmark, err error) {
	type entry struct {
		ID    jsonText `json:"id"`
		Image string   `json:"image"`
		True  string   `json:"anchor"`
		Half  string   `json:"half_truth"`
		Full  string   `json:"full_truth"`
		Type  string   `json:"triplet_type"`
	}
	halfTruth := func(s Similarities) float64 { return s.Image(0, 0) - s.Image(0, 1) }
	b.Metrics = []Metric{
		{Name: "half-truth accuracy", Chance: 1. / 2, Margin: halfTruth},
		{Name: "correct-ordering rate", Chance: 1. / 6, Margin: func(s Similarities) float64 {
			return min(halfTruth(s), s.Image(0, 2)-s.Image(0, 0))
		}},
	}
	err = eachLine(data, func(line int, e entry) error {
		id := string(e.ID)
		if id == "" {
			id = strconv.Itoa(line)
		}
		b.Cases = append(b.Cases, Case{ID: id, Part: e.Type, Images: []Image{{Name: e.Image}}, Texts: []string{e.True, e.Half, e.Full}})
		return requireFields("image", e.Image, "anchor", e.True, "half_truth", e.Half, "full_truth", e.Full)
	})
	return b, err
}
