package clip

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"capgraph/internal/portable"
)

// plane encodes an image "x,y" as that point, and texts as words does.
type plane struct{ words }

func (*plane) EncodeImages(_ context.Context, images []Image) ([][]float32, map[int]error, error) {
	rows, broken := make([][]float32, len(images)), map[int]error{}
	for i, image := range images {
		row := make([]float32, 2)
		if _, err := fmt.Sscanf(image.Name, "%f,%f", &row[0], &row[1]); err != nil {
			broken[i] = os.ErrNotExist
			continue
		}
		rows[i] = row
	}
	return rows, broken, nil
}

// clouds are n points about one of three centres each, some on the wrong side.
func clouds(n int, seed uint64) (list []Labelled) {
	s := portable.SplitMix64(seed)
	noise := func() float64 { return float64(s.IntN(2001)-1000) / 600 }
	for i := range n {
		angle := float64(i%3) * 2 * math.Pi / 3
		list = append(list, Labelled{fmt.Sprintf("%.4f,%.4f", math.Cos(angle)+noise(), math.Sin(angle)+noise()), string(rune('a' + i%3))})
	}
	return list
}

func TestProbe(t *testing.T) {
	train, test := clouds(600, 1), append(clouds(300, 2), Labelled{"missing", "a"})
	var before *Result
	for range 2 {
		r, err := Probe(t.Context(), &plane{}, "", train, test, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Measures[0].Value(); got < 0.6 || r.Measures[0].Scored() != 300 || len(r.Broken) != 1 || !strings.Contains(r.Note, "L2 strength") {
			t.Errorf("%.3f of %d, %v, %s", got, r.Measures[0].Scored(), r.Broken, r.Note)
		}
		if before != nil && fmt.Sprint(before.Measures) != fmt.Sprint(r.Measures) {
			t.Error("it is another one the second time")
		}
		before = r
	}
}

func TestTheFitIsWhereTheGradientIsZero(t *testing.T) {
	g := batchEncoder{encoder: &plane{}}
	list := clouds(90, 3)
	p, err := g.encodeLabelled(t.Context(), list, ClassesOf(list))
	if err != nil {
		t.Fatal(err)
	}
	for _, strength := range []float64{1e-6, 0.3, 1e6} {
		r, err := fitRegression(t.Context(), p, 3, strength)
		if err != nil {
			t.Fatal(err)
		}
		// The loss by a plain sum, and its derivative by differences.
		loss := func() (sum float64) {
			for i, class := range p.class {
				var z, own float64
				for c := range 3 {
					s := r.bias()[c]
					for k := range 2 {
						s += r.weights().Data[c*2+k] * p.features.Data[i*2+k]
					}
					z += math.Exp(s)
					if c == class {
						own = s
					}
				}
				sum += math.Log(z) - own
			}
			for _, w := range r.weights().Data {
				sum += strength / 2 * w * w
			}
			return sum / float64(len(p.class))
		}
		for i := range r.x {
			const h = 1e-5
			x := r.x[i]
			r.x[i] = x + h
			up := loss()
			r.x[i] = x - h
			down := loss()
			r.x[i] = x
			if d := (up - down) / (2 * h); math.Abs(d) > 1e-5 {
				t.Errorf("strength %g, number %d: derivative %g", strength, i, d)
			}
		}
	}
}

func TestProbeSaysWhatIsMissing(t *testing.T) {
	list := clouds(9, 1)
	for _, c := range []struct {
		train, test []Labelled
		want        string
	}{
		{list[:1], list, "too few"},
		{[]Labelled{{"missing", "a"}}, list, "none of the images"},
		{list, []Labelled{{"1,1", "z"}}, `class "z"`},
	} {
		train := c.train
		if c.want != "too few" && len(train) > 1 {
			train = list
		}
		if c.want == "too few" {
			_, err := Probe(t.Context(), &plane{}, "probe", train, train, Options{})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
			continue
		}
		if _, err := Probe(t.Context(), &plane{}, "probe", train, c.test, Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Probe(ctx, &plane{}, "probe", list, list, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}
