package checkpoint

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// testdata/resize.py has the values from open_clip and PyTorch.
func TestPositionsAreResizedAsInPyTorch(t *testing.T) {
	data, err := os.ReadFile("testdata/resize.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Tower         string
		From, To      int
		Before, After []float64
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		const width = 3
		var got []float64
		switch c.Tower {
		case "image":
			got = resizeGrid(c.Before, c.From, c.To, width, antialiasedTaps)
		case "dinov2":
			got = resizeGrid(c.Before, c.From, c.To, width, bicubicTaps)
		default:
			got = resizeLine(c.Before, c.From, c.To, width)
		}
		if len(got) != len(c.After) {
			t.Fatalf("%s from %d to %d: %d numbers, not %d", c.Tower, c.From, c.To, len(got), len(c.After))
		}
		for i := range got {
			if math.Abs(got[i]-c.After[i]) > 1e-12 {
				t.Errorf("%s from %d to %d: element %d is %v, not %v", c.Tower, c.From, c.To, i, got[i], c.After[i])
				break
			}
		}
	}
}
