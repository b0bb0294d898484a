package clip

import (
	"errors"
	"path"
)

const mmvpForm = `a CSV file with the columns Question ID, Type and Statement, two rows a pair`

// parseMMVP parses Questions.csv of MMVP-VLM (Tong et al. 2024): pairs of images that CLIP encodes alike,
// with a statement about each. As in its evaluate_vlm.py, a case is right if both statements, after
// "a photo of", are nearer to their own image. Parts are the visual patterns. Images are named
// TYPE/ID.jpg, with the type of the first row.
func parseMMVP(data []byte) (b Benchmark, err error) {
	b.Metrics = []Metric{{Name: "accuracy", Chance: 1. / 4, Margin: imageMargin}}
	rows := 0
	err = eachRow(data, []string{"Question ID", "Type", "Statement"}, func(_ int, value func(string) string) error {
		id, statement := value("Question ID"), value("Statement")
		if rows%2 == 0 {
			b.Cases = append(b.Cases, Case{ID: id, Part: value("Type")})
		}
		rows++
		c := &b.Cases[len(b.Cases)-1]
		c.Images = append(c.Images, Image{Name: path.Join(c.Part, id+".jpg")})
		c.Texts = append(c.Texts, "a photo of "+statement)
		return requireFields("Question ID", id, "Type", value("Type"), "Statement", statement)
	})
	if err == nil && rows%2 != 0 {
		err = errors.New("has an odd number of rows: the last has no pair")
	}
	return b, err
}
