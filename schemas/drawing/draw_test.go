package drawing

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"capgraph/schemas"
)

var update = flag.Bool("update", false, "write the expected values of testdata/draw.json")

// drawVectors is testdata/draw.json, which the Python tests read as well.
type drawVectors struct {
	Numbers []numbersVector
	Rows    []drawnRow
	Draws   []drawVector
	Views   []viewVector
}

type numbersVector struct {
	Purpose     string
	Seed, Epoch uint64
	Key         string
	Want        []uint64
}

// drawnRow has the columns of a row of texts/ that a draw reads.
type drawnRow struct {
	Key         string   `json:"key"`
	Pos         []string `json:"pos"`
	PosKind     []string `json:"pos_kind"`
	PosID       []int64  `json:"pos_id"`
	PosCount    []int64  `json:"pos_count"`
	Neg         []string `json:"neg"`
	NegOf       []int16  `json:"neg_of"`
	NegChanged  []string `json:"neg_changed"`
	NegCategory []string `json:"neg_category"`
}

type drawVector struct {
	Key         string
	Seed, Epoch uint64
	Stage       int
	Bare        bool
	Specific    bool
	Caption     int   // of 5
	Pos, Neg    []int // indices
	NegCLIP     []int
	CECLIP      []int
}

func (r drawnRow) pool() *schemas.Pool {
	p := &schemas.Pool{}
	for i, text := range r.Pos {
		p.Positives = append(p.Positives, schemas.Positive{Text: text, Kind: r.PosKind[i], ID: r.PosID[i], Count: r.PosCount[i]})
	}
	for i, text := range r.Neg {
		p.Negatives = append(p.Negatives, schemas.HardNegative{
			Text: text, Of: r.NegOf[i], Changed: r.NegChanged[i], Category: r.NegCategory[i],
		})
	}
	return p
}

func TestDrawVectors(t *testing.T) {
	const path = "testdata/draw.json"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var want drawVectors
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	got := drawVectors{Rows: want.Rows}
	for _, v := range want.Numbers {
		s := Draw{Seed: v.Seed, Epoch: v.Epoch}.Random(v.Purpose, v.Key)
		v.Want = []uint64{s.Next(), s.Next(), s.Next()}
		got.Numbers = append(got.Numbers, v)
	}
	for _, r := range want.Rows {
		for i := range uint64(12) {
			d := NewDraw(7*i*i, i%4, 1+int(i%2))
			v := drawVector{Key: r.Key, Seed: d.Seed, Epoch: d.Epoch, Stage: 1 + int(i%2), Bare: i%3 == 2, Specific: i%4 >= 2}
			d.Bare, d.Specific = v.Bare, v.Specific
			p := r.pool()
			v.Caption = d.Caption(r.Key, 5)
			v.Pos, v.Neg = d.Texts(r.Key, p)
			v.NegCLIP, v.CECLIP = d.CaptionNegatives(r.Key, p, NegCLIPClasses[:]), d.CaptionNegatives(r.Key, p, CECLIPClasses[:])
			got.Draws = append(got.Draws, v)
		}
	}
	got.Views = drawViews(want.Rows)
	if *update {
		data, err := json.MarshalIndent(got, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(data, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if len(got.Draws) != len(want.Draws) || len(want.Draws) == 0 {
		t.Fatalf("%d draws, the file has %d", len(got.Draws), len(want.Draws))
	}
	for i := range got.Draws {
		if fmt.Sprint(got.Draws[i]) != fmt.Sprint(want.Draws[i]) {
			t.Errorf("draw %+v, want %+v", got.Draws[i], want.Draws[i])
		}
	}
	if !reflect.DeepEqual(got.Views, want.Views) || len(got.Views) == 0 {
		t.Errorf("views %+v, want %+v", got.Views, want.Views)
	}
	if !reflect.DeepEqual(got.Numbers, want.Numbers) {
		t.Errorf("numbers %v, want %v", got.Numbers, want.Numbers)
	}
}

func TestDrawsAreWithinTheirBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &schemas.Pool{}
		for range rapid.IntRange(0, 8).Draw(t, "positives") {
			p.Positives = append(p.Positives, schemas.Positive{ID: rapid.Int64Range(0, 6).Draw(t, "id")})
		}
		for range rapid.IntRange(0, 20).Draw(t, "negatives") {
			p.Negatives = append(p.Negatives, schemas.HardNegative{
				Text:     rapid.StringN(1, 1, 1).Draw(t, "text"),
				Of:       rapid.Int16Range(-1, 8).Draw(t, "of"),
				Category: rapid.SampledFrom([]string{"c_obj", "c_rel", "c_attr", "none", ""}).Draw(t, "category"),
			})
		}
		d := NewDraw(rapid.Uint64().Draw(t, "seed"), rapid.Uint64().Draw(t, "epoch"), rapid.IntRange(1, 2).Draw(t, "stage"))
		pos, neg := d.Texts(rapid.String().Draw(t, "key"), p)
		if len(pos) > 1+d.Positives || len(neg) > d.Negatives {
			t.Fatalf("%d positives and %d negatives", len(pos), len(neg))
		}
		if len(p.Positives) > 0 && (len(pos) == 0 || pos[0] != 0) {
			t.Fatalf("the caption is not the first of the positives %v", pos)
		}
		texts, ids := map[string]bool{}, map[int64]bool{}
		for _, i := range neg {
			n := p.Negatives[i]
			if texts[n.Text] || !slices.Contains(pos, int(n.Of)) || n.Of != 0 && (n.Category == "none" || n.Category == "") {
				t.Fatalf("negative %+v of positives %v", n, pos)
			}
			texts[n.Text] = true
		}
		for _, k := range pos {
			if ids[p.Positives[k].ID] {
				t.Fatalf("two positives say the same: %v", pos)
			}
			ids[p.Positives[k].ID] = true
		}
	})
}

// The frequencies of the categories are p_1, p_2, p_3 of what is not the caption's, if a pool has all
// of them, and in proportion to these if it has two.
func TestCategoriesAreDrawnByTheirProbabilities(t *testing.T) {
	pool := func(categories ...string) *schemas.Pool {
		p := &schemas.Pool{}
		for i, c := range categories {
			p.Positives = append(p.Positives, schemas.Positive{ID: int64(i)}) // the first is the caption
			for j := range 1 + 3*i {                                          // the number of negatives has no part in it
				p.Negatives = append(p.Negatives, schemas.HardNegative{Text: fmt.Sprint(i, j), Of: int16(i), Category: c})
			}
		}
		return p
	}
	for _, c := range []struct {
		pool *schemas.Pool
		want []float64
	}{
		{pool("none", "c_obj", "c_rel", "c_attr"), []float64{0.25, 0.75 * 0.15, 0.75 * 0.425, 0.75 * 0.425}},
		{pool("none", "c_attr", "c_obj"), []float64{40.0 / 109, 51.0 / 109, 18.0 / 109}},
		{pool("c_rel", "none", "c_rel"), []float64{40.0 / 91, 0, 51.0 / 91}},
	} {
		const n = 20000
		drawn := make([]int, len(c.want))
		for i := range n {
			_, neg := NewDraw(1, 0, 1).Texts(fmt.Sprint(i), c.pool)
			drawn[c.pool.Negatives[neg[0]].Of]++
		}
		for k, want := range c.want {
			if got := float64(drawn[k]) / n; math.Abs(got-want) > 0.015 {
				t.Errorf("a negative of positive %d in %.3f of the draws, want %.3f", k, got, want)
			}
		}
	}
}

// TestTheChangeOfACaptionsNegativeIsDrawnFirst has one swap and 99 replacements: NegCLIP draws the swap
// every other time.
func TestTheChangeOfACaptionsNegativeIsDrawnFirst(t *testing.T) {
	p := &schemas.Pool{Positives: []schemas.Positive{{Kind: schemas.KindCaption}}}
	for i := range 99 {
		p.Negatives = append(p.Negatives, schemas.HardNegative{Text: fmt.Sprint(i), Changed: schemas.ChangedObject})
	}
	p.Negatives = append(p.Negatives, schemas.HardNegative{Text: "swap", Changed: schemas.ChangedOrder})
	swaps := 0
	for i := range 2000 {
		if NewDraw(1, 0, 2).CaptionNegatives(fmt.Sprint(i), p, NegCLIPClasses[:])[0] == 99 {
			swaps++
		}
	}
	if swaps < 900 || swaps > 1100 {
		t.Errorf("%d swaps in 2000 draws", swaps)
	}
}

// TestBarePositives names those without an attribute.
func TestBarePositives(t *testing.T) {
	p := &schemas.Pool{}
	var want []bool
	for _, x := range []struct {
		kind, text string
		bare       bool
	}{
		{schemas.KindCaption, "dogs", false},
		{schemas.KindObject, "A dog", true},
		{schemas.KindParaphrase, "a picture with a dog", true},
		{schemas.KindObject, "a woman in blue", false},
		{schemas.KindObject, "There are two kites", false},
		{schemas.KindObject, "There is a dog", true},
		{schemas.KindRelation, "a woman is near the dog", true},
		{schemas.KindRelation, "a woman in blue is near the dog", false},
		{schemas.KindParaphrase, "the dog is near a woman in blue", false},
		{schemas.KindRelation, "twotwo kites above a dog", true}, // whole words are compared
		{schemas.KindObject, "…", true},
	} {
		p.Positives, want = append(p.Positives, schemas.Positive{Kind: x.kind, Text: x.text}), append(want, x.bare)
	}
	if got := BarePositives(p); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := BarePositives(&schemas.Pool{}); len(got) != 0 {
		t.Errorf("an empty pool has %v", got)
	}
}

func BenchmarkDraw(b *testing.B) {
	data, err := os.ReadFile("testdata/draw.json")
	if err != nil {
		b.Fatal(err)
	}
	var v drawVectors
	if err := json.Unmarshal(data, &v); err != nil {
		b.Fatal(err)
	}
	p := v.Rows[0].pool()
	b.ReportAllocs()
	for b.Loop() {
		NewDraw(1, 2, 2).Texts("000420017", p)
	}
}
