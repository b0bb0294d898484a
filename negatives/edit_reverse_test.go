package negatives

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"capgraph/schemas"
)

// TestDirections turns the example of each row of directions.tsv into what is false then.
func TestDirections(t *testing.T) {
	if len(directions) != strings.Count(directionTable, "\n")-2 {
		t.Errorf("%d rows are read, of %d lines", len(directions), strings.Count(directionTable, "\n"))
	}
	for _, d := range directions {
		if got := reversedOf(t, tagWords(d.example)); !slices.Equal(got, []string{d.falseExample}) {
			t.Errorf("%q: %q, want %q", d.example, got, d.falseExample)
		}
	}
}

// tagWords tags nouns of the examples as such, and all other words as prepositions or determiners.
func tagWords(text string) string {
	tags := map[string]string{"a": "DT", "the": "DT", "his": "PRP$", "is": "VBZ", "running": "VBG"}
	var out []string
	for _, w := range strings.Fields(text) {
		tag := tags[w]
		switch {
		case tag != "":
		case strings.Contains(" left right leftmost rightmost top bottom open ", " "+w+" "):
			tag = "JJ"
		case strings.Contains(" on of in at to above below beneath behind inside outside towards toward away from front ", " "+w+" "):
			tag = "IN"
		default:
			tag = "NN"
		}
		out = append(out, w+"/"+tag)
	}
	return strings.Join(out, " ")
}

func reversedOf(t *testing.T, tags string) (all []string) {
	t.Helper()
	opts := Defaults()
	opts.Methods = []string{"reverse_direction"}
	pools, _ := generate(t, opts, &Image{Key: "i", Captions: []Caption{tagged(tags)}})
	for _, n := range pools[0].Negatives {
		if n.Changed != schemas.ChangedRelation {
			t.Errorf("%+v", n)
		}
		all = append(all, n.Text)
	}
	return all
}

// TestDirectionsThatStay turns no direction that is none, or whose opposite may be true or makes no sense.
func TestDirectionsThatStay(t *testing.T) {
	for tags, want := range map[string][]string{
		"a/DT man/NN who/WP left/VBD the/DT room/NN":                                                                         nil,
		"a/DT dog/NN right/RB behind/IN you/PRP":                                                                             nil,
		"a/DT feather/NN on/IN the/DT background/NN":                                                                         nil,
		"the/DT sky/NN above/IN a/DT field/NN":                                                                               nil,
		"a/DT dog/NN on/IN the/DT left/JJ and/CC a/DT cat/NN on/IN the/DT right/JJ side/NN":                                  {"a dog on the right and a cat on the left side"},
		"a/DT dog/NN on/IN the/DT left/JJ ,/, a/DT cat/NN on/IN the/DT left/JJ and/CC a/DT bus/NN on/IN the/DT right/JJ ./.": nil,
		"a/DT cup/NN on/IN top/NN of/IN a/DT box/NN":                                                                         nil,
		"in/IN the/DT foreground/NN ,/, a/DT gray/JJ sky/NN stretches/VBZ ./.":                                               nil,
		"surfers/NNS with/IN the/DT horizon/NN visible/JJ in/IN the/DT background/NN ./.":                                    nil,
		"in/IN the/DT background/NN ,/, a/DT boat/NN sails/VBZ on/IN a/DT lake/NN ./.":                                       {"in the foreground, a boat sails on a lake."},
		"a/DT white/JJ arm/NN extending/VBG towards/IN the/DT sky/NN ./.":                                                    nil,
		"trees/NNS in/IN the/DT left/JJ and/CC right/JJ corners/NNS ./.":                                                     nil,
	} {
		if got := reversedOf(t, tags); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", tags, got, want)
		}
	}
}

// TestDirectionOfSubGraph turns the direction of a relation in its sub-graph.
func TestDirectionOfSubGraph(t *testing.T) {
	opts := Defaults()
	opts.Methods = []string{"reverse_direction"}
	for said, want := range map[[2]string]string{
		{"in front of", "couch"}: "behind a couch", {"lying behind", "couch"}: "lying in front of a couch", {"on", "couch"}: "", {"next to", "couch"}: "",
		{"in", "background"}: "in foreground", {"on", "background"}: "", {"isolated on", "background"}: "",
	} {
		relation := said[0]
		c := Caption{Text: "here", Graph: schemas.SceneGraph{
			Objects:   []schemas.Object{object("dog"), object(said[1])},
			Relations: []schemas.Relation{{Subject: 0, Predicate: relation, Lemma: relation, Object: 1}},
		}}
		pools, _ := generate(t, opts, &Image{Key: "i", Captions: []Caption{c}})
		if n := pools[0].Negatives; want == "" && len(n) > 0 || want != "" && (len(n) == 0 || !strings.HasSuffix(n[0].Text, want)) {
			t.Errorf("%s: %s", relation, fmt.Sprint(n))
		}
	}
}
