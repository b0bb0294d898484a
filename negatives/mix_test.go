package negatives

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"capgraph/schemas"
)

func TestMixLimits(t *testing.T) {
	mix := Mix{MixObject: 0.4, MixAttribute: 0.2}
	for _, c := range []struct{ counts, want map[string]int }{
		{map[string]int{}, map[string]int{}},
		{map[string]int{"object": 9}, map[string]int{"object": 0}}, // but for those that always stay
		{map[string]int{"object": 9, "relation": 1}, map[string]int{"object": 1, "relation": 1}},
		{map[string]int{"object": 30, "attribute": 10, "relation": 6}, map[string]int{"object": 6, "attribute": 3, "relation": 6}},
		{map[string]int{"relation": 40}, map[string]int{"relation": 40}}, // which has no limit
	} {
		if got := mix.limits(c.counts); !maps.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.counts, got, c.want)
		}
	}
	for mix, want := range map[string]string{"objects": `mix: unknown kind "objects"`, "object": "mix.object: 1.5 is not in 0 to 1"} {
		opts := Defaults()
		opts.Mix = Mix{mix: 1.5}
		if err := opts.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", mix, err, want)
		}
	}
}

// TestMixKeepsRareKinds keeps what is rare, a negative of the caption itself, and one of each positive that
// says more than that there is a thing.
func TestMixKeepsRareKinds(t *testing.T) {
	pool := schemas.Pool{Positives: []schemas.Positive{
		{Kind: schemas.KindCaption}, {Kind: schemas.KindRelation, Parts: []int32{1}}, {Kind: schemas.KindObject, Parts: []int32{2}},
		{Kind: schemas.KindObject, Parts: []int32{3, 4}}, {Kind: schemas.KindRelation, Parts: []int32{5}},
	}}
	add := func(method, changed string, of int16, n int) {
		for i := range n {
			pool.Negatives = append(pool.Negatives, schemas.HardNegative{Text: fmt.Sprint(method, i), Method: method, Changed: changed, Of: of})
		}
	}
	add("replace_object", schemas.ChangedObject, 2, 12)
	add("fill_object", schemas.ChangedObject, 0, 3)
	add("replace_attribute", schemas.ChangedAttribute, 3, 2)
	add("replace_object", schemas.ChangedObject, 4, 1)
	add("swap_objects", schemas.ChangedRelation, 1, 1)
	add("replace_quantity", schemas.ChangedAttribute, 1, 1)
	pools := []schemas.Pool{pool}
	(&Capper{Max: 32, Mix: defaultMix()}).Cap(&Image{Captions: make([]Caption, 1)}, pools, &Drops{})
	counts := map[string]int{}
	for _, n := range pools[0].Negatives {
		counts[n.Method]++
	}
	if want := (map[string]int{"replace_object": 1, "fill_object": 1, "replace_attribute": 1, "swap_objects": 1, "replace_quantity": 1}); !maps.Equal(counts, want) {
		t.Errorf("%v, want %v", counts, want)
	}
}

// TestMixLeavesTwo leaves a caption that has no rare kinds two negatives.
func TestMixLeavesTwo(t *testing.T) {
	pool := schemas.Pool{Positives: []schemas.Positive{{Kind: schemas.KindCaption}, {Kind: schemas.KindObject, Parts: []int32{1}}}}
	for i := range 5 {
		pool.Negatives = append(pool.Negatives, schemas.HardNegative{Text: fmt.Sprint(i), Method: "replace_object", Changed: schemas.ChangedObject, Of: 1})
	}
	pools := []schemas.Pool{pool}
	(&Capper{Max: 32, Mix: defaultMix()}).Cap(&Image{Captions: make([]Caption, 1)}, pools, &Drops{})
	if n := len(pools[0].Negatives); n != leastOfCaption {
		t.Errorf("%d negatives, want %d", n, leastOfCaption)
	}
}

// TestMixKeepsWhatWordsTellLess keeps, of negatives of one kind, one of a lower score, and of equal steps that of the more
// concrete noun.
func TestMixKeepsWhatWordsTellLess(t *testing.T) {
	for _, c := range []struct {
		scores   [3]float32
		concrete [3]uint8
		want     string
	}{
		{[3]float32{3.7, 1.2, 2.9}, [3]uint8{120, 40, 90}, "12"},
		{[3]float32{3.7, 3.2, 3.1}, [3]uint8{90, 40, 120}, "02"},
		{[3]float32{-0.5, 0.5, -1.5}, [3]uint8{}, "02"},
	} {
		pool := schemas.Pool{Positives: []schemas.Positive{{Kind: schemas.KindCaption}, {Kind: schemas.KindObject, Parts: []int32{1}}}}
		for i := range 3 {
			pool.Negatives = append(pool.Negatives, schemas.HardNegative{Text: fmt.Sprint(i), Method: "replace_object", Changed: schemas.ChangedObject, Of: 1, Score: c.scores[i], Concrete: c.concrete[i]})
		}
		pools := []schemas.Pool{pool}
		(&Capper{Max: 32, Mix: defaultMix()}).Cap(&Image{Captions: make([]Caption, 1)}, pools, &Drops{})
		kept := ""
		for _, n := range pools[0].Negatives {
			kept += n.Text
		}
		if kept != c.want {
			t.Errorf("%v %v: kept %s, want %s", c.scores, c.concrete, kept, c.want)
		}
	}
}
