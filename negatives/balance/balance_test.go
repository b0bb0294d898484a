package balance

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"

	"capgraph/schemas"
)

var colours = []string{"red", "red", "red", "blue", "blue", "green"}

// coloured gives candidates that put every colour, and purple, which no caption
// says, in the place of the colour of each caption.
func coloured(images int) []Pair {
	things := []string{"bus", "dog", "cup", "hat"}
	var pairs []Pair
	for i := range images {
		colour := colours[i%len(colours)]
		positive := fmt.Sprintf("a %s %s by the %s.", colour, things[i%4], things[i/4%4])
		for _, other := range []string{"red", "blue", "green", "purple"} {
			if other != colour {
				pairs = append(pairs, Pair{fmt.Sprint(i), "replace_attribute", positive, strings.Replace(positive, colour, other, 1)})
			}
		}
	}
	return pairs
}

// choose returns the pairs that a chooser keeps; those of an image that follow each other are
// in one pool.
func choose(c *Chooser, pairs []Pair) []Pair {
	var kept []Pair
	for begin, end := 0, 0; begin < len(pairs); begin = end {
		var pool schemas.Pool
		for end < len(pairs) && pairs[end].Image == pairs[begin].Image {
			p := pairs[end]
			if end == begin || p.Positive != pairs[end-1].Positive {
				pool.Positives = append(pool.Positives, schemas.Positive{Text: p.Positive})
			}
			of := int16(len(pool.Positives) - 1)
			pool.Negatives = append(pool.Negatives, schemas.HardNegative{Text: p.Negative, Method: p.Method, Of: of})
			end++
		}
		keep := slices.Repeat([]bool{true}, end-begin)
		c.Choose(pairs[begin].Image, "key", &pool, keep)
		for i, k := range keep {
			if k {
				kept = append(kept, pairs[begin+i])
			}
		}
	}
	return kept
}

func learn(pairs []Pair, o Options) (*Model, error) {
	t, err := NewTrainer(o)
	if err != nil {
		return nil, err
	}
	for _, p := range pairs {
		t.Add(p)
	}
	return t.Train(func(int) {})
}

func train(t *testing.T, pairs []Pair) *Model {
	t.Helper()
	m, err := learn(pairs, Defaults())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestAWordComesInAsOftenAsItGoes(t *testing.T) {
	pairs := coloured(6000)
	m := train(t, pairs[:len(pairs)/2])
	rest := pairs[len(pairs)/2:] // others than it learned from
	for i := range rest {
		rest[i].Image = fmt.Sprint(i / 18) // so many that few pools need one that is kept anyway
	}
	kept := choose(NewChooser(m, Defaults(), 1), rest)
	if len(kept) < 1500 {
		t.Errorf("%d of %d kept, want at least 1500", len(kept), len(rest))
	}
	for _, word := range []string{"red", "blue", "green", "purple"} {
		in, out := 0, 0
		for _, p := range kept {
			if strings.Contains(p.Negative, word) {
				in++
			}
			if strings.Contains(p.Positive, word) {
				out++
			}
		}
		if math.Abs(float64(in-out)) > 0.1*float64(len(kept)) {
			t.Errorf("among %d kept, %s comes in %d times and goes %d times", len(kept), word, in, out)
		}
	}
}

func TestScore(t *testing.T) {
	m := train(t, coloured(600))
	s := m.Scorer()
	s.SetPositive("a red bus by the dog.")
	if got := s.Score("replace_attribute", "a red bus by the dog."); got != 0 {
		t.Errorf("the positive itself: score %v, want 0", got)
	}
	if got := s.Score("replace_attribute", "a purple bus by the dog."); got < 1 {
		t.Errorf("a word that only negatives have: score %v, want above 1", got)
	}
	s.SetPositive("a green bus by the dog.")
	if got := s.Score("replace_attribute", "a red bus by the dog."); got > 0 {
		t.Errorf("a word that captions have more often: score %v, want below 0", got)
	}
	if got := s.Score("another", "a purple bus by the dog."); math.Abs(float64(got)) > 0.5 {
		t.Errorf("a method that has not been seen: score %v, want about 0", got)
	}
	s.SetPositive("")
	if got := s.Score("replace_attribute", ""); got != 0 {
		t.Errorf("empty texts: score %v, want 0", got)
	}
}

func TestTrainDoesNotDependOnOrder(t *testing.T) {
	pairs := coloured(60)
	forward := train(t, pairs)
	slices.Reverse(pairs)
	if backward := train(t, pairs); !slices.Equal(forward.weights, backward.weights) {
		t.Error("the same pairs in another order give another model")
	}
}

func TestModelAsCounts(t *testing.T) {
	m := train(t, coloured(60))
	counts := func(yield func(schemas.Count, error) bool) {
		if !yield(schemas.Count{Kind: "object", Key: "bus", N: 3}, nil) {
			return
		}
		for c, err := range m.Counts() {
			if !yield(c, err) {
				return
			}
		}
	}
	read, err := NewModel(counts)
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range m.weights {
		if math.Abs(float64(w-read.weights[i])) > 1e-6 {
			t.Fatalf("bucket %d: weight %v was written, %v read", i, w, read.weights[i])
		}
	}
	var keys []string
	for c := range m.Counts() {
		keys = append(keys, c.Key)
	}
	if len(keys) == 0 || !slices.IsSorted(keys) {
		t.Errorf("%d keys, sorted %v", len(keys), slices.IsSorted(keys))
	}
}

func one(c schemas.Count, err error) iter.Seq2[schemas.Count, error] {
	return func(yield func(schemas.Count, error) bool) { yield(c, err) }
}

func TestNewModelRefuses(t *testing.T) {
	for _, key := range []string{"", "x", "100000", "-1"} {
		if _, err := NewModel(one(schemas.Count{Kind: Kind, Key: key, N: 1}, nil)); err == nil {
			t.Errorf("key %q is taken for a bucket", key)
		}
	}
	broken := fmt.Errorf("broken")
	if _, err := NewModel(one(schemas.Count{}, broken)); err != broken {
		t.Errorf("error %v, want the one of the counts", err)
	}
	empty, err := NewModel(func(func(schemas.Count, error) bool) {})
	if err != nil || empty.Scorer().Score("m", "a dog") != 0 {
		t.Errorf("a model of no counts: error %v", err)
	}
}

func TestTrainRefuses(t *testing.T) {
	if _, err := learn(nil, Defaults()); err == nil {
		t.Error("training on nothing is no error")
	}
	for want, change := range map[string]func(*Options){
		"sample": func(o *Options) { o.Sample = 0 },
		"bias":   func(o *Options) { o.Bias = math.NaN() },
		"ridge":  func(o *Options) { o.Ridge = 0 },
		"epochs": func(o *Options) { o.Epochs = 0 },
	} {
		o := Defaults()
		change(&o)
		if _, err := learn(coloured(1), o); err == nil || !strings.HasPrefix(err.Error(), want+":") {
			t.Errorf("%s: error %v", want, err)
		}
	}
}

func TestChooseDependsOnSeedAndCaptionAlone(t *testing.T) {
	pairs := coloured(600)
	m := train(t, pairs)
	c := NewChooser(m, Defaults(), 1)
	all := choose(c, pairs)
	later := slices.IndexFunc(pairs, func(p Pair) bool { return p.Image == "300" })
	rest := all[slices.IndexFunc(all, func(p Pair) bool { return p.Image == "300" }):]
	if !slices.Equal(choose(c, pairs[later:]), rest) {
		t.Error("the choice depends on what was chosen before")
	}
	if slices.Equal(all, choose(NewChooser(m, Defaults(), 2), pairs)) {
		t.Error("the choice does not depend on the seed")
	}
}

// TestChooseLeavesOne keeps of negatives that are all told from their positive the one that
// tells least.
func TestChooseLeavesOne(t *testing.T) {
	m := train(t, coloured(600))
	c := NewChooser(m, Options{Bias: -9}, 1)
	positive := "a red bus by the dog."
	pool := schemas.Pool{Positives: []schemas.Positive{{Text: positive}}}
	for _, colour := range []string{"purple", "blue", "purple, purple"} {
		pool.Negatives = append(pool.Negatives, schemas.HardNegative{Text: strings.Replace(positive, "red", colour, 1), Method: "replace_attribute"})
	}
	keep := []bool{true, true, true}
	for i := range 20 {
		copy(keep, []bool{true, true, true})
		if c.Choose("image", fmt.Sprint(i), &pool, keep); !slices.Equal(keep, []bool{false, true, false}) {
			t.Errorf("kept %v of %v", keep, pool.Negatives)
		}
	}
	c.Choose("image", "key", &schemas.Pool{Positives: pool.Positives}, nil)
}

// TestChooseKeepsEachWithItsProbability draws the negatives of a caption together: each
// is kept as often as its score says, and one at least where that comes to one.
func TestChooseKeepsEachWithItsProbability(t *testing.T) {
	pairs := coloured(600)
	m := train(t, pairs)
	c := NewChooser(m, Defaults(), 1)
	const captions, drawn = 4000, 12
	kept, want := [drawn]int{}, [drawn]float64{}
	for i := range captions {
		pool := schemas.Pool{Positives: []schemas.Positive{{Text: pairs[0].Positive}}}
		for _, p := range pairs[:drawn] {
			pool.Negatives = append(pool.Negatives, schemas.HardNegative{Text: p.Negative, Method: p.Method})
		}
		keep := slices.Repeat([]bool{true}, drawn)
		c.Choose("image", fmt.Sprint(i), &pool, keep)
		sum := 0.0
		for k := range keep {
			p := keepProbability(c.bias, pool.Negatives[k].Score)
			sum += p
			want[k] += p
			if keep[k] {
				kept[k]++
			}
		}
		if sum < 1 {
			t.Fatalf("probabilities come to %.2f: too few are drawn to tell", sum)
		}
		if !slices.Contains(keep, true) {
			t.Fatalf("caption %d keeps none of negatives whose probabilities come to %.2f", i, sum)
		}
	}
	for k := range kept {
		if math.Abs(float64(kept[k])-want[k]) > 0.03*captions {
			t.Errorf("negative %d is kept %d times, want %.0f", k, kept[k], want[k])
		}
	}
}

// 40 candidates of one caption, beside the cost of hashing all of their n-grams.
func BenchmarkChoose(b *testing.B) {
	m, err := learn(coloured(600), Defaults())
	if err != nil {
		b.Fatal(err)
	}
	const caption = "A young boy with a red umbrella is touching the horn of a cow."
	pool := schemas.Pool{Positives: []schemas.Positive{{Text: caption}}}
	for i := range 40 {
		pool.Negatives = append(pool.Negatives, schemas.HardNegative{Text: strings.Replace(caption, "umbrella", fmt.Sprint("thing", i), 1), Method: "replace_object"})
	}
	c := NewChooser(m, Defaults(), 1)
	keep := make([]bool, len(pool.Negatives))
	b.ReportAllocs()
	for b.Loop() {
		c.Choose("image", "key", &pool, keep)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "captions/s")
}
