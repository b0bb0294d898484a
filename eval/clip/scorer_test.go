package clip

import (
	"context"
	"fmt"
	"testing"

	"capgraph/kernels"
)

// scoring scores as the features of words do.
type scoring struct {
	words
	asked int
}

func (*scoring) HasScores() bool { return true }

func (s *scoring) Scores(ctx context.Context, images []Image, texts []string) ([][]float32, map[int]error, error) {
	s.asked++
	rows, broken, err := s.EncodeImages(ctx, images)
	scores := make([][]float32, len(images))
	for i, row := range rows {
		for _, text := range texts {
			if broken[i] == nil {
				scores[i] = append(scores[i], float32(dotProduct(row, letters(text))))
			}
		}
	}
	return scores, broken, err
}

// What is scored is measured as what has features of the same products.
func TestScoresAreMeasuredAsFeaturesAre(t *testing.T) {
	pair := func(image, caption, negative string) Pair {
		return Pair{Image: Image{Name: image}, True: caption, False: negative}
	}
	pairs := []Pair{pair("a", "aa", "b"), pair("missing", "a", "b"), pair("ab", "ab", "a"), pair("z", "a", "b"), pair("a", "b", "aa")}
	captions := []Captioned{
		{Image: "abc", Texts: []string{"ab", "cc"}}, {Image: "missing", Texts: []string{"abc"}}, {Image: "xy", Texts: []string{"xyy"}}, {Image: "q", Texts: []string{"abxy"}},
	}
	labelled := []Labelled{{"abc", "a"}, {"missing", "x"}, {"xxy", "x"}, {"z", "a"}}
	measure := func(e Encoder, batch int) string {
		var all []*Result
		o := Options{Batch: batch}
		r, err := Score(t.Context(), e, pairBenchmark("pairs", pairs), o)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
		if r, err = Retrieve(t.Context(), kernels.NewReference(), e, "retrieval", captions, o); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
		if r, err = Classify(t.Context(), e, "classes", labelled, []Class{{"a", "a"}, {"x", "x"}}, []string{"{}"}, o); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
		var values string
		for _, r := range all {
			for _, m := range r.Measures {
				values += fmt.Sprintln(r.Name, m.Name, m.Values, len(r.Broken))
			}
		}
		return values
	}
	for _, batch := range []int{1, 2, 100} {
		s := &scoring{}
		if got, want := measure(s, batch), measure(&words{}, batch); got != want || s.asked == 0 {
			t.Errorf("batches of %d: asked %d times\n%s\nwant\n%s", batch, s.asked, got, want)
		}
	}
}
