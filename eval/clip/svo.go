package clip

import "strconv"

const svoForm = `a CSV file with the columns sentence, pos_triplet, neg_triplet, pos_image_id, neg_image_id`

// parseSVO parses svo_probes.csv of SVO-Probes (Hendricks and Nematzadeh 2021): a sentence with its
// image, and an image with another subject, verb or object. A case is right if the sentence is
// nearer to its own image. Images are named by their id, with .jpg.
func parseSVO(data []byte) (b Benchmark, err error) {
	b.Metrics = []Metric{
		{Name: "accuracy", Chance: 0.5, Margin: func(s Similarities) float64 { return s.Image(0, 0) - s.Image(1, 0) }},
	}
	err = eachRow(data, []string{"sentence", "pos_image_id", "neg_image_id"}, func(line int, value func(string) string) error {
		sentence, right, wrong := value("sentence"), value("pos_image_id"), value("neg_image_id")
		c := Case{ID: strconv.Itoa(line), Images: []Image{{Name: withExtension(right, ".jpg")}, {Name: withExtension(wrong, ".jpg")}}, Texts: []string{sentence}}
		for _, p := range []string{"subj_neg", "verb_neg", "obj_neg"} {
			if v := value(p); v == "True" || v == "true" || v == "1" {
				c.Part = p
			}
		}
		b.Cases = append(b.Cases, c)
		return requireFields("sentence", sentence, "pos_image_id", right, "neg_image_id", wrong)
	})
	return b, err
}
