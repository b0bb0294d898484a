package scenegraph

import (
	"fmt"
	"strings"
	"testing"

	"capgraph/schemas"
)

// say is a graph in one line: objects with their quantity and attributes, then
// relations by index.
func say(g schemas.SceneGraph) string {
	var parts []string
	for _, o := range g.Objects {
		s := strings.TrimSpace(o.Quantity + " " + o.Name)
		for _, a := range o.Attributes {
			s += " [" + a.Text + "]"
		}
		parts = append(parts, s)
	}
	for _, r := range g.Relations {
		parts = append(parts, fmt.Sprintf("%d %s %d", r.Subject, r.Lemma, r.Object))
	}
	return strings.Join(parts, "; ")
}

func TestParseFactual(t *testing.T) {
	for in, want := range map[string]string{
		"":           "",
		"( wall )":   "wall",
		"  (wall)  ": "wall",
		"( man , ride , wave ) , ( wave , is , big )":                   "man; wave [big]; 0 ride 1",
		"( boats , pv:tie to , dock ) , ( boats , is , 5 )":             "5 boats; dock; 0 tie to 1",
		"( tower , by , tower:1 ) , ( tower:1 , is , wire )":            "tower; tower [wire]; 0 by 1",
		"( man , v:hold , cup ) , ( man , is , old ) , (man, is, old )": "man [old]; cup; 0 hold 1",
		"( dog , near , dog )":                                          "dog",
		"( sign , say , 10:30 )":                                        "sign; 10:30; 0 say 1",
	} {
		g, err := ParseFactual(in)
		if got := say(g); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", in, got, err, want)
		}
	}
	for _, in := range []string{"wall", "( wall", "( a , b )", "( a , , c )", "( a ) ( b )", "( a , b , c , d )", ","} {
		if g, err := ParseFactual(in); err == nil {
			t.Errorf("%q: %q and no error", in, say(g))
		}
	}
}

func FuzzParseFactual(f *testing.F) {
	f.Add("( man , ride , wave ) , ( tower:1 , is , 2 ) , ( wall )")
	f.Fuzz(func(t *testing.T, s string) {
		g, err := ParseFactual(s)
		if err != nil {
			return
		}
		for _, r := range g.Relations {
			if r.Subject == r.Object || r.Subject < 0 || int(r.Subject) >= len(g.Objects) || r.Object < 0 || int(r.Object) >= len(g.Objects) {
				t.Errorf("%q: relation %+v of %d objects", s, r, len(g.Objects))
			}
		}
	})
}
