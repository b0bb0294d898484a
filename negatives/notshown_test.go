package negatives

import (
	"slices"
	"strings"
	"testing"
)

// TestWhatIsNotShownIsNotSaid leaves out what a caption names and does not say to be in the picture, and says the rest.
func TestWhatIsNotShownIsNotSaid(t *testing.T) {
	for _, c := range []struct{ caption, not, said string }{
		{"A man holds strings connected to a large parachute or kite on a beach.", "parachute", "a man holding strings"},
		{"A man holds strings connected to a parachute or a large kite.", "kite", "a man holding strings"},
		{"Two or three dogs lie on a red rug.", "no such", "a red rug"},
		{"long narrow console table to put behind sofa against a wall.", "wall", "a long narrow console table"},
		{"country style bedroom to relax in after a long hike in the forest.", "forest", "a bedroom"},
		{"A man uses a knife to cut a large cake.", "no such", "a large cake"},
		{"children flying a red kite in an area", "in an area", "a red kite"},
		{"children flying a kite in a grassy area", "no such", "a grassy area"},
		{"A silver kitchen with floors.", "with floors", "a silver kitchen"},
		{"two bottles of wine beside a loaf of bread", "of a loaf", "two bottles of wine"},
		{"A bus with graphics beside a tree", "a graphics", "a bus"},
	} {
		got := positivesOf(t, parsed(t, c.caption))
		for _, s := range got {
			if strings.Contains(s, c.not) {
				t.Errorf("%q: %q", c.caption, s)
			}
		}
		if !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, c.said) }) {
			t.Errorf("%q: no %q in %q", c.caption, c.said, got)
		}
	}
}

// TestTextsOfObjectsAlone says no camera that takes the picture, no thing without its article, no piece of a compound.
func TestTextsOfObjectsAlone(t *testing.T) {
	for caption, not := range map[string]string{
		"A guy in a suit is posing for the camera.":            "a camera",
		"A cow grazes. The cow's black and white coat shines.": "a black and white coat",
		"Two dogs run. Their brown coats shine.":               "brown coats",
		"TomTom Map Update Service":                            "map update service",
		"A stunning faux pearl embellished belt on a table.":   "a faux belt",
		"A radio host attends the world premiere in a red tie": "there is the world premiere",
	} {
		if got := positivesOf(t, parsed(t, caption)); slices.Contains(got, not) {
			t.Errorf("%q: %q", caption, got)
		}
	}
	if got := positivesOf(t, parsed(t, "A woman holds a black camera.")); !slices.Contains(got, "a camera") {
		t.Errorf("no camera in %q", got)
	}
}
