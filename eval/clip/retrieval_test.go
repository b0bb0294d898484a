package clip

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"capgraph/internal/portable"
	"capgraph/kernels"
	"capgraph/kernels/cpu"
	"capgraph/kernels/products"
)

// counted are the ranks by counting, one query after another.
func counted(images, texts products.Rows, owner []int32) (ofImages, ofTexts []int32) {
	for i := range images.Len() {
		best := math.Inf(-1)
		for t, o := range owner {
			if int(o) == i {
				best = math.Max(best, dotProduct(images.Row(i), texts.Row(t)))
			}
		}
		rank := int32(1)
		for t, o := range owner {
			if int(o) != i && dotProduct(images.Row(i), texts.Row(t)) >= best {
				rank++
			}
		}
		ofImages = append(ofImages, min(rank, maxRecallK+1))
	}
	for t, o := range owner {
		rank := int32(1)
		for i := range images.Len() {
			if i != int(o) && dotProduct(images.Row(i), texts.Row(t)) >= dotProduct(images.Row(int(o)), texts.Row(t)) {
				rank++
			}
		}
		ofTexts = append(ofTexts, min(rank, maxRecallK+1))
	}
	return ofImages, ofTexts
}

// whole are rows of small whole numbers, with exact products and many ties.
func whole(n, width int, seed uint64) products.Rows {
	s := portable.SplitMix64(seed)
	r := products.Rows{Width: width}
	for range n * width {
		r.Numbers = append(r.Numbers, float32(s.IntN(9)-4))
	}
	return r
}

func TestRanksAreThoseOfACount(t *testing.T) {
	d := cpu.New()
	defer d.Close()
	for _, n := range []int{1, 2, 30, 700} {
		s := portable.SplitMix64(uint64(n))
		var owner []int32
		for i := range n {
			for range s.IntN(9) { // none of some images
				owner = append(owner, int32(i))
			}
		}
		images, texts := whole(n, 3, 1), whole(len(owner), 3, 2)
		for _, device := range []kernels.Device{d, kernels.NewReference()} {
			got, err := computeRanks(images.Len(), owner, featureTiles(t.Context(), device, images, texts))
			if err != nil {
				t.Fatal(err)
			}
			wantImages, wantTexts := counted(images, texts, owner)
			if len(owner) > 0 && fmt.Sprint(got.ofImages, got.ofTexts) != fmt.Sprint(wantImages, wantTexts) {
				t.Errorf("%s, %d images: %v %v, want %v %v", device.Name(), n, got.ofImages, got.ofTexts, wantImages, wantTexts)
			}
		}
	}
}

func TestRetrieve(t *testing.T) {
	captions := []Captioned{
		{Image: "a", Texts: []string{"a", "aab"}}, {Image: "missing.b", Texts: []string{"c"}}, {Image: "bb", Texts: []string{"a"}},
	}
	r, err := Retrieve(t.Context(), kernels.NewReference(), &words{}, "", captions, Options{Batch: 2})
	if err != nil {
		t.Fatal(err)
	}
	// "a" finds the image a; "aab" is 2 like a and 2 like bb: a tie; bb's own is as near as none.
	got := ""
	for _, m := range r.Measures {
		got += fmt.Sprintf("%s %.3v; ", m.Name, m.Values)
	}
	// The captions of a are the first and, after bb's, the third: (1 + 1/log2(4)) / (1 + 1/log2(3)).
	if want := "text to image R@1 [1 0 0]; text to image R@5 [1 1 1]; text to image R@10 [1 1 1]; text to image nDCG@10 [1 0.631 0.631]; image to text R@1 [1 0]; image to text R@5 [1 1]; image to text R@10 [1 1]; image to text nDCG@10 [0.92 0.5]; "; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	// The page shows the texts that find another image first, with their own.
	if len(r.Cases) != 3 || r.Cases[2].ID != "bb" || r.Cases[1].Texts[0] != "aab" || fmt.Sprint(r.Measures[0].Margins) != "[0.5 -0.5 -0.5]" {
		t.Errorf("%v with the margins %v", r.Cases, r.Measures[0].Margins)
	}
	if len(r.Broken) != 1 || r.Broken[0].Image != "missing.b" {
		t.Errorf("broken: %v", r.Broken)
	}
}

func TestWhatIsNoNumberFindsNothing(t *testing.T) {
	nan := float32(math.NaN())
	u := products.Rows{Width: 1, Numbers: []float32{nan, 1}}
	v := products.Rows{Width: 1, Numbers: []float32{1, nan}}
	r, err := computeRanks(u.Len(), []int32{0, 1}, featureTiles(context.Background(), kernels.NewReference(), u, v))
	if err != nil || fmt.Sprint(r) != "{[11 11] [11 11] [0 0] [0 0]}" {
		t.Errorf("%v %v", r, err)
	}
}

// BenchmarkRetrieval is of 25,000 images with 5 texts each, width 512.
func BenchmarkRetrieval(b *testing.B) {
	d := cpu.New()
	defer d.Close()
	const n = 25_000
	random := func(n int, seed uint64) products.Rows {
		s := portable.SplitMix64(seed)
		r := products.Rows{Width: 512, Numbers: make([]float32, n*512)}
		for i := range r.Numbers {
			r.Numbers[i] = float32(s.Next()>>40)/(1<<24) - 0.5
		}
		return r
	}
	images, texts := random(n, 1), random(5*n, 2)
	owner := make([]int32, 5*n)
	for t := range owner {
		owner[t] = int32(t / 5)
	}
	for b.Loop() {
		began := time.Now()
		if _, err := computeRanks(images.Len(), owner, featureTiles(b.Context(), d, images, texts)); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(time.Since(began).Seconds(), "s")
	}
}
