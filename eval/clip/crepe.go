package clip

import (
	"errors"
	"fmt"
	"strconv"
)

const crepeForm = `a CSV file with the columns image_id, caption, x, y, width, height, and hard_negs, or valid_hard_negs_atom and valid_hard_negs_comp, as lists of Python`

// parseCREPE returns the benchmark in a CSV file of CREPE (Ma et al. 2023). A case is a part of an image, its caption and
// hard negatives; it is right if the caption is nearest to the image (R@1). A row of a file of systematicity has two sets
// of negatives, atom and comp, and makes a case for each. An image's file is its image_id with .jpg.
func parseCREPE(data []byte) (b Benchmark, err error) {
	sets := []struct{ column, part string }{
		{"hard_negs", ""}, {"valid_hard_negs_atom", "atom"}, {"valid_hard_negs_comp", "comp"},
	}
	found := map[string]bool{}
	err = eachRow(data, []string{"image_id", "caption", "x", "y", "width", "height"}, func(line int, value func(string) string) error {
		var at [4]float64
		for i, column := range []string{"x", "y", "width", "height"} {
			var err error
			if at[i], err = strconv.ParseFloat(value(column), 64); err != nil {
				return fmt.Errorf("%s: %w", column, err)
			}
		}
		box, err := parseBox(at[0], at[1], at[2], at[3])
		if err != nil {
			return err
		}
		image, caption := value("image_id"), value("caption")
		for _, s := range sets {
			negatives, err := parsePythonList(value(s.column))
			if err != nil {
				return fmt.Errorf("%s: %w", s.column, err)
			}
			if len(negatives) == 0 {
				continue
			}
			found[s.part] = true
			b.Cases = append(b.Cases, Case{
				ID: strconv.Itoa(line), Part: s.part, Images: []Image{{withExtension(image, ".jpg"), box}}, Texts: append([]string{caption}, negatives...),
			})
		}
		return requireFields("image_id", image, "caption", caption)
	})
	if err == nil && len(found) == 0 {
		err = errors.New("has no hard negatives in hard_negs, valid_hard_negs_atom or valid_hard_negs_comp")
	}
	if found[""] || len(found) == 0 {
		b.Metrics = append(b.Metrics, Metric{Name: "R@1", Margin: trueTextMargin})
	}
	for _, s := range sets[1:] {
		if found[s.part] {
			b.Metrics = append(b.Metrics, Metric{Name: "R@1 of " + s.part, Margin: trueTextMargin, Together: onlyInPart(s.part)})
		}
	}
	return b, err
}

// onlyInPart returns a Metric.Together that keeps only the cases of a part, each by itself.
func onlyInPart(part string) func(*Case) string {
	return func(c *Case) string {
		if c.Part == part {
			return c.ID
		}
		return ""
	}
}
