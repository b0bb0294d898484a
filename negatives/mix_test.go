package negatives

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"capgraph/schemas"
)

func TestMixLimits(t *testing.T) {
	mix := Mix{MixObject: 0.4, MixAttribute: 0.3}
	for _, c := range []struct{ counts, want map[string]int }{
		{map[string]int{}, map[string]int{}},
		{map[string]int{"object": 9}, map[string]int{"object": 2}},
		{map[string]int{"object": 9, "relation": 1}, map[string]int{"object": 2, "relation": 1}},
		{map[string]int{"object": 30, "attribute": 10, "relation": 6}, map[string]int{"object": 8, "attribute": 6, "relation": 6}},
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

// TestMixKeepsRareKinds keeps what is rare, and a negative of the caption itself.
func TestMixKeepsRareKinds(t *testing.T) {
	var pool schemas.Pool
	add := func(method, changed string, of int16, n int) {
		for i := range n {
			pool.Negatives = append(pool.Negatives, schemas.HardNegative{Text: fmt.Sprint(method, i), Method: method, Changed: changed, Of: of})
		}
	}
	add("replace_object", schemas.ChangedObject, 1, 12)
	add("fill_object", schemas.ChangedObject, 0, 1)
	add("swap_objects", schemas.ChangedRelation, 1, 1)
	add("replace_quantity", schemas.ChangedAttribute, 1, 1)
	pools := []schemas.Pool{pool}
	(&Capper{Max: 32, Mix: defaultMix()}).Cap(&Image{Captions: make([]Caption, 1)}, pools, &Drops{})
	counts := map[string]int{}
	for _, n := range pools[0].Negatives {
		counts[n.Method]++
	}
	if want := (map[string]int{"replace_object": 1, "fill_object": 1, "swap_objects": 1, "replace_quantity": 1}); !maps.Equal(counts, want) {
		t.Errorf("%v, want %v", counts, want)
	}
}
