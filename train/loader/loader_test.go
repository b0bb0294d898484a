package loader

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"capgraph/scenegraph"
	"capgraph/schemas"
	"capgraph/schemas/drawing"
)

// errDisk is the error of a failing disk.
var errDisk = syscall.EIO

func TestAnEpochTakesEachImageOnce(t *testing.T) {
	images := makeImages("i", 24)
	for _, window := range []int{1, 5, 7, 24, 1000} {
		o := testOptions(writeTexts(t, images, 7))
		o.Window = window
		l := openLoader(t, o)
		if l.Images() != 24 || l.Steps() != 6 {
			t.Fatalf("%d images, %d steps", l.Images(), l.Steps())
		}
		first, second := takeKeys(t, l, 6), takeKeys(t, l, 6)
		if slices.Equal(first, second) {
			t.Errorf("window %d: two epochs have one order", window)
		}
		for _, epoch := range [][]string{first, second} {
			if slices.IsSorted(epoch) {
				t.Errorf("window %d: the order is the corpus' own", window)
			}
			slices.Sort(epoch)
			for i, image := range images {
				if epoch[i] != image.key {
					t.Fatalf("window %d: an epoch has %v", window, epoch)
				}
			}
		}
	}
}

// Of 10 images and batches of 4, an epoch leaves out 2. The next one has all again.
func TestTheLastIncompleteBatchIsDropped(t *testing.T) {
	l := openLoader(t, testOptions(writeTexts(t, makeImages("i", 10), 3)))
	for epoch := range 3 {
		got := takeKeys(t, l, 2)
		slices.Sort(got)
		if n := len(slices.Compact(got)); n != 8 {
			t.Errorf("epoch %d has %d different images", epoch, n)
		}
		if want := (Position{epoch + 1, 0}); l.Position() != want {
			t.Errorf("position %v, want %v", l.Position(), want)
		}
	}
}

func TestWorkersChangeNothing(t *testing.T) {
	dir := writeTexts(t, makeImages("i", 40), 9)
	o := testOptions(dir)
	o.Window = 16
	want := takeBatches(t, openLoader(t, o), 25)
	for _, c := range []struct{ workers, prefetch, procs int }{{1, 1, 1}, {7, 3, 2}, {16, 8, 4}, {2, 1, 1}} {
		before := runtime.GOMAXPROCS(c.procs)
		o.Workers, o.Prefetch = c.workers, c.prefetch
		got := takeBatches(t, openLoader(t, o), 25)
		runtime.GOMAXPROCS(before)
		if !slices.Equal(got, want) {
			t.Errorf("%+v: other batches", c)
		}
	}
}

func TestRanksShareABatch(t *testing.T) {
	dir := writeTexts(t, makeImages("i", 30), 9)
	whole := testOptions(dir)
	whole.Batch = 10
	one := openLoader(t, whole)
	for _, world := range []int{2, 3, 4} {
		var ranks []*Loader
		for rank := range world {
			o := whole
			o.Rank, o.World = rank, world
			ranks = append(ranks, openLoader(t, o))
		}
		for range 2 {
			b, err := one.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			next := 0
			for _, l := range ranks {
				r, err := l.Next(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if r.First != next {
					t.Errorf("world %d: a share begins at %d, want %d", world, r.First, next)
				}
				next = r.Last
				for i, s := range r.Samples {
					own, want := i >= r.First && i < r.Last, *b.Samples[i]
					if (s.Pixels != nil) != own {
						t.Errorf("world %d: sample %d has pixels: %v", world, i, s.Pixels != nil)
					}
					if !own {
						want.Pixels = nil
					}
					if describeSample(s) != describeSample(&want) {
						t.Errorf("world %d: sample %+v, want %+v", world, s, want)
					}
				}
			}
			if next != len(b.Samples) {
				t.Errorf("world %d: the shares end at %d", world, next)
			}
		}
		one.Close()
		one = openLoader(t, whole)
	}
}

func TestAResumedTrainingGetsTheSameBatches(t *testing.T) {
	a, b := writeTexts(t, makeImages("a", 23), 5), writeTexts(t, makeImages("b", 11), 4)
	near := neighboursFile(t, makeImages("a", 23), makeImages("b", 11))
	for name, change := range map[string]func(*Options){
		"plain":       func(o *Options) {},
		"one window":  func(o *Options) { o.Window = 1000 },
		"samples":     func(o *Options) { o.Samples = 13 },
		"more":        func(o *Options) { o.Samples = 50 },
		"weights":     func(o *Options) { o.Corpora[0].Weight, o.Corpora[1].Weight = 1, 2 },
		"replacement": func(o *Options) { o.Replacement = true },
		"neighbours":  func(o *Options) { o.Neighbours = near },
	} {
		o := testOptions(a, b)
		o.Window = 6
		change(&o)
		l := openLoader(t, o)
		var at []Position
		var want []string
		for range 20 {
			at = append(at, l.Position())
			want = append(want, takeBatches(t, l, 1)...)
		}
		for i, from := range at {
			o.From = from
			if got := takeBatches(t, openLoader(t, o), 2); got[0] != want[i] || i+1 < len(want) && got[1] != want[i+1] {
				t.Fatalf("%s: resumed at %v: other batches", name, from)
			}
		}
		o.From = Position{0, l.Steps()}
		if got := takeBatches(t, openLoader(t, o), 1); got[0] != want[l.Steps()] {
			t.Errorf("%s: the end of an epoch is not the beginning of the next", name)
		}
	}
}

func TestImagesThatAreMissingOrBrokenStay(t *testing.T) {
	o := testOptions(writeTexts(t, makeImages("i", 12), 5))
	o.Batch = 12
	o.Corpora[0].Images, o.Absent = fakeImages{missing: "i0003", broken: "i0007"}, Absent{} // it goes missing later
	l := openLoader(t, o)
	for range 2 {
		b, err := l.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ready, left := b.OwnSamples()
		if len(ready) != 10 || len(left) != 2 {
			t.Fatalf("%d ready, %d left out", len(ready), len(left))
		}
		for _, s := range left {
			if missing := s.ImageKey == "i0003"; s.Err == nil || errors.Is(s.Err, fs.ErrNotExist) != missing {
				t.Errorf("%s: %v", s.ImageKey, s.Err)
			}
			if s.Caption.Text == "" || len(s.Positives) == 0 {
				t.Errorf("%s has no texts", s.ImageKey)
			}
		}
		for _, s := range ready {
			if s.Err != nil || len(s.Pixels) != side*side*3 {
				t.Errorf("%s: %d bytes, %v", s.ImageKey, len(s.Pixels), s.Err)
			}
		}
		l.Release(b)
	}
}

// TestNegativesThatAreCut drops the negatives that the text tower cannot tell from their positive.
func TestNegativesThatAreCut(t *testing.T) {
	o := testOptions(writeTexts(t, makeImages("i", 12), 5))
	counts := func(same func(a, b string) bool) (negatives, ofCaption, cut int) {
		o.SameTokens = same
		l := openLoader(t, o)
		b, err := l.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range b.Samples {
			negatives, ofCaption, cut = negatives+len(s.Negatives), ofCaption+len(s.CaptionNegatives), cut+s.Cut
		}
		return negatives, ofCaption, cut
	}
	n, m, cut := counts(nil)
	if n == 0 || m == 0 || cut != 0 {
		t.Fatalf("%d and %d negatives, %d cut", n, m, cut)
	}
	if a, b, c := counts(func(a, b string) bool { return false }); a != n || b != m || c != 0 {
		t.Errorf("%d and %d negatives, %d cut", a, b, c)
	}
	if a, b, c := counts(func(a, b string) bool { return true }); a != 0 || b != 0 || c != n+m {
		t.Errorf("%d and %d negatives, %d cut", a, b, c)
	}
}

// TestMargins loads negatives, whose margins are of the texts that they change and of what differs.
func TestMargins(t *testing.T) {
	o := testOptions(writeTexts(t, makeImages("i", 12), 5))
	b, err := openLoader(t, o).Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	seen := map[float32]bool{}
	for _, s := range b.Samples {
		for _, n := range s.CaptionNegatives {
			if want := drawing.Concreteness(o.Plan(0).Classes[n.Class]); n.Margin != want {
				t.Errorf("%q has the margin %v, want %v", n.Text, n.Margin, want)
			}
		}
		for _, n := range s.Negatives {
			of := s.Positives[n.Of]
			if of.Confidence != 1 && of.Confidence != 0.9 && of.Confidence != 0.8 {
				t.Errorf("%q has the confidence %v", of.Text, of.Confidence)
			}
			if n.Margin < of.Confidence*0.56 || n.Margin > of.Confidence*0.94 {
				t.Errorf("%q has the margin %v", n.Text, n.Margin)
			}
			seen[of.Confidence] = true
		}
	}
	if len(seen) < 2 {
		t.Errorf("confidences %v", seen)
	}
}

// TestBatchesAreFilledIfImagesAreMissing loads 76 images of which 25 do not exist: every batch has
// its size, and an epoch each image that exists once. A loader that is opened later, with one image
// more that is gone, goes on with the same batches.
func TestBatchesAreFilledIfImagesAreMissing(t *testing.T) {
	images := makeImages("i", 76)
	missing := map[string]bool{}
	for i := range 76 {
		if i%3 == 1 {
			missing[images[i].key] = true
		}
	}
	set := someImages(missing)
	o := testOptions(writeTexts(t, images, 20))
	o.Corpora[0].Images, o.Batch, o.Window = set, 8, 30
	l := openLoader(t, o)
	if l.Images() != 51 || l.Steps() != 6 || len(l.Missing()) != 25 || l.Missing()[0].ImageKey != "i0001" || !errors.Is(l.Missing()[0].Err, fs.ErrNotExist) {
		t.Fatalf("%d images, %d steps, %d missing", l.Images(), l.Steps(), len(l.Missing()))
	}
	var keys [][]string
	for epoch := range 3 {
		seen := map[string]bool{}
		for range l.Steps() {
			b, err := l.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var of []string
			for _, s := range b.Samples {
				if s.Err != nil || missing[s.ImageKey] || seen[s.ImageKey] {
					t.Errorf("epoch %d: %s: %v", epoch, s.ImageKey, s.Err)
				}
				seen[s.ImageKey] = true
				of = append(of, s.Key)
			}
			if len(of) != 8 {
				t.Errorf("a batch of %d", len(of))
			}
			keys = append(keys, of)
			l.Release(b)
		}
	}
	o.Absent, o.From = l.Absent(), Position{Epoch: 1, Step: 2}
	o.Corpora[0].Images = someImages{}
	later := openLoader(t, o)
	for i, want := range keys[8:] {
		b, err := later.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var of []string
		for _, s := range b.Samples {
			of = append(of, s.Key)
		}
		if !slices.Equal(of, want) {
			t.Errorf("batch %d after it was opened again has %q, want %q", i, of, want)
		}
	}
	o.Absent = Absent{"0/00000": {25}}
	if _, err := Open(t.Context(), o); err == nil || !strings.Contains(err.Error(), "of other texts") {
		t.Errorf("a list of other texts: %v", err)
	}
	all := map[string]bool{}
	for _, i := range images {
		all[i.key] = true
	}
	o.Absent, o.Corpora[0].Images = nil, someImages(all)
	if _, err := Open(t.Context(), o); err == nil || !strings.Contains(err.Error(), "none of the images of") {
		t.Errorf("all are missing: %v", err)
	}
}

func TestAMachineThatFailsEndsTheTraining(t *testing.T) {
	o := testOptions(writeTexts(t, makeImages("i", 12), 5))
	o.Batch = 12
	o.Corpora[0].Images, o.Absent = fakeImages{failing: "i0003", missing: "i0004"}, Absent{}
	l := openLoader(t, o)
	for range 2 {
		if _, err := l.Next(t.Context()); !errors.Is(err, errDisk) {
			t.Errorf("error %v", err)
		}
	}
}

func TestPlansFollowTheEpoch(t *testing.T) {
	l := openLoader(t, testOptions(writeTexts(t, makeImages("i", 8), 5)))
	for epoch, most := range []int{1, 3} {
		for range l.Steps() {
			b, err := l.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range b.Samples {
				if len(s.Positives) > 1+most || !reflect.DeepEqual(s.Positives[0], s.Caption) || most == 3 && len(s.Negatives) < 4 || most == 1 && len(s.Negatives) != 1 {
					t.Errorf("epoch %d: %d positives, %d negatives", epoch, len(s.Positives), len(s.Negatives))
				}
				checkSample(t, s)
			}
			l.Release(b)
		}
	}
}

// checkSample checks that a sample of the fixture agrees with the format.
func checkSample(t *testing.T, s *Sample) {
	t.Helper()
	for _, g := range s.Negatives {
		if p := s.Positives[g.Of]; !strings.HasPrefix(p.Text, []string{"a red", "a thing", "", s.Caption.Text}[g.Class]) || g.ID != scenegraph.TextID(g.Text) {
			t.Errorf("negative %+v of %+v", g, p)
		}
	}
	for i, g := range s.CaptionNegatives {
		if g.Class != i || g.Text != fmt.Sprintf("not %d of %s", i, s.Caption.Text) {
			t.Errorf("negative %+v of the caption %q", g, s.Caption.Text)
		}
	}
	for _, p := range append(s.Positives, s.Caption) {
		if _, ok := slices.BinarySearch(s.Known, p.ID); !ok || p.ID != scenegraph.TextID(p.Text) {
			t.Errorf("%+v is not known", p)
		}
	}
}

func TestCaptionsOfAnImageTakeTurns(t *testing.T) {
	images := []captionedImage{{"many", []string{"one", "two", "the two", "three"}}, {"single", []string{"alone"}}}
	o := testOptions(writeTexts(t, images, 5))
	o.Batch = 2
	l := openLoader(t, o)
	seen, siblings := map[string]bool{}, map[string]bool{}
	for range 60 {
		b, err := l.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range b.Samples {
			if s.ImageKey == "single" {
				if s.Sibling.Text != "" || len(s.Known) != 3 {
					t.Errorf("%+v", s)
				}
				continue
			}
			seen[s.Caption.Text], siblings[s.Sibling.Text] = true, true
			if s.Sibling.ID == s.Caption.ID || s.Sibling.Text == "" {
				t.Errorf("the sibling of %q is %q", s.Caption.Text, s.Sibling.Text)
			}
			if len(s.Known) != 9 { // "two" and "the two" say the same
				t.Errorf("%d ids are known", len(s.Known))
			}
		}
		l.Release(b)
	}
	if len(seen) != 4 || len(siblings) != 4 {
		t.Errorf("captions %v, siblings %v", seen, siblings)
	}
}

func TestKeysOfAnyLanguage(t *testing.T) {
	images := []captionedImage{{"猫/ねこ.jpg?x=1", []string{"一只猫"}}, {"e\u0301té", []string{"l'été à la plage 🏖"}}, {"", []string{"no key"}}, {strings.Repeat("k", 5000), []string{"long"}}}
	o := testOptions(writeTexts(t, images, 2))
	got := takeKeys(t, openLoader(t, o), 1)
	slices.Sort(got)
	want := []string{"", "e\u0301té", images[3].key, images[0].key}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("keys %q", got)
	}
}

// slow is a decoder that takes its time.
type slow struct{ hashDecoder }

func (s slow) Decode(dst []byte, name string, read func() ([]byte, error), seed, epoch uint64, key string) error {
	time.Sleep(2 * time.Millisecond)
	return s.hashDecoder.Decode(dst, name, read, seed, epoch, key)
}

// LoadTime is the time of the workers, however long the batch then waited.
func TestABatchSaysHowLongItTook(t *testing.T) {
	o := testOptions(writeTexts(t, makeImages("i", 40), 9))
	o.Decoder = func() Decoder { return slow{} }
	l := openLoader(t, o)
	for range 3 {
		time.Sleep(20 * time.Millisecond)
		b, err := l.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if took := b.LoadTime(); took < 4*2*time.Millisecond/2 {
			t.Errorf("4 images of 2 ms took 2 workers %v", took)
		}
		l.Release(b)
	}
}

func TestParaphrasesOfARow(t *testing.T) {
	img := &image{}
	for _, p := range [][2]string{{schemas.KindCaption, "a"}, {schemas.KindObject, "b"}, {schemas.KindParaphrase, "B"}, {schemas.KindParaphrase, "β"}, {schemas.KindRelation, "c"}, {schemas.KindParaphrase, "C"}} {
		img.pool.Positives = append(img.pool.Positives, schemas.Positive{Kind: p[0], Text: p[1]})
	}
	for most, want := range []string{"", "bB", "bBbβ", "bBbβcC", "bBbβcC"} {
		var s Sample
		Plan{Paraphrases: most}.fillParaphrases(&s, img)
		var got string
		for _, p := range s.Paraphrases {
			got += p[0].Text + p[1].Text
		}
		if got != want {
			t.Errorf("at most %d: got %q, want %q", most, got, want)
		}
	}
}

// TestTheViewOfACaption leaves the first sentence out, or takes a part; both are known to be true.
func TestTheViewOfACaption(t *testing.T) {
	img := &image{shard: &shard{}, key: "k", trueIDs: []int64{math.MinInt64, math.MaxInt64}}
	for _, p := range [][2]string{{schemas.KindCaption, "The image shows a dog. It runs. It is brown."}, {schemas.KindObject, "a brown dog"}} {
		img.pool.Positives = append(img.pool.Positives, schemas.Positive{Kind: p[0], Text: p[1], ID: scenegraph.TextID(p[1])})
	}
	for want, views := range map[string]drawing.Views{
		"The image shows a dog. It runs. It is brown.": {Whole: 1},
		"It runs. It is brown.":                        {Whole: 1, LeaveFirst: true},
		"a brown dog":                                  {Parts: 1},
	} {
		var s Sample
		Plan{Views: views}.fillSample(&s, img, 1, 2)
		if s.Caption.Text != want || s.Caption.ID != scenegraph.TextID(want) {
			t.Errorf("%+v: %+v, want %q", views, s.Caption, want)
		}
		_, known := slices.BinarySearch(s.Known, s.Caption.ID)
		if views.LeaveFirst && !known || len(img.trueIDs) != 2 {
			t.Errorf("%+v: known are %v, of the image %v", views, s.Known, img.trueIDs)
		}
	}
}
