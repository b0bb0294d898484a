package synth

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"capgraph/ruleparse"
	"capgraph/schemas"
)

// TestCaptionsAreParsedAsTheSceneIs sets the graphs that rules find in captions
// beside those that the scenes were drawn from. "orange diamond" and the like may
// be one name.
func TestCaptionsAreParsedAsTheSceneIs(t *testing.T) {
	p, err := ruleparse.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []World{{Kind: Free, Plain: true, Seed: 7, Side: 8}, {Kind: Fixed, Seed: 7, Side: 8, Pairs: 1}} {
		s, wrong := drawn(t, w), 0
		for i := range 3000 {
			scene := s.TrainScene(i)
			scene.Ground = 0 // whether both stand on it is a matter of taste
			var parsed schemas.Parsed
			p.ParseText(scene.Caption(), &parsed)
			got := triples(&parsed.Graph)
			want := strings.Split(scene.Graph(), " , ( ")
			for k := 1; k < len(want); k++ {
				want[k] = "( " + want[k]
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				if wrong++; wrong > 75 {
					t.Fatalf("%+v: scene %d, %s: %q, not %q", w, i, scene.Caption(), got, want)
				}
			}
		}
		t.Logf("%+v: %d of 3000 graphs differ", w, wrong)
	}
}

// triples are a graph's in the form of FACTUAL, without those of a picture.
func triples(g *schemas.SceneGraph) (all []string) {
	for _, o := range g.Objects {
		for _, a := range o.Attributes {
			all = append(all, fmt.Sprintf("( %s , is , %s )", o.Name, a.Text))
		}
	}
	for _, r := range g.Relations {
		if from := g.Objects[r.Subject].Name; from != "picture" {
			all = append(all, fmt.Sprintf("( %s , %s , %s )", from, r.Lemma, g.Objects[r.Object].Name))
		}
	}
	return all
}
