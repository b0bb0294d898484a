package clip

import (
	"fmt"
	"path"
	"slices"
	"strconv"
)

const negBenchForm = `a CSV file with the columns image_path, caption_0, caption_1, …, correct_answer, and correct_answer_template`

// parseNegBench parses the multiple choice of NegBench (Alhamoud et al. 2025): an image and captions that
// affirm, negate or do both, one of which is true. A case is right if the true one is the nearest
// (evaluate_model in its mcq.py, which does not normalise features; here all are). Parts are the types
// of the true captions: positive, negative and hybrid. Images are named by the end of their path.
func parseNegBench(data []byte) (b Benchmark, err error) {
	err = eachRow(data, []string{"image_path", "caption_0", "caption_1", "correct_answer"}, func(line int, value func(string) string) error {
		image := value("image_path")
		if err := requireFields("image_path", image, "caption_0", value("caption_0"), "caption_1", value("caption_1")); err != nil {
			return err
		}
		c := Case{ID: strconv.Itoa(line), Part: value("correct_answer_template"), Images: []Image{{Name: path.Base(image)}}}
		for caption := value("caption_0"); caption != ""; caption = value("caption_" + strconv.Itoa(len(c.Texts))) {
			c.Texts = append(c.Texts, caption)
		}
		answer, err := strconv.Atoi(value("correct_answer"))
		if err != nil || answer < 0 || answer >= len(c.Texts) {
			return fmt.Errorf("correct_answer is %q, not from 0 to %d", value("correct_answer"), len(c.Texts)-1)
		}
		moveToFront(c.Texts, answer)
		b.Cases = append(b.Cases, c)
		return nil
	})
	b.Metrics = []Metric{{Name: "accuracy", Margin: trueTextMargin}}
	if len(b.Cases) > 0 {
		b.Metrics[0].Chance = 1 / float64(len(b.Cases[0].Texts))
	}
	return b, err
}

// moveToFront moves element i of a list to the front.
func moveToFront[T any](list []T, i int) {
	first := list[i]
	copy(list[1:], slices.Clone(list[:i]))
	list[0] = first
}
