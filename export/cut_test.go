package export

import (
	"strings"
	"testing"

	"capgraph/schemas"
)

// TestNegativesCutOff leaves out what a text encoder reads as the positive, and counts it.
func TestNegativesCutOff(t *testing.T) {
	long := strings.Repeat("a dog on a mat and ", 15) + "a red "
	row := func() *Row {
		return &Row{Pool: schemas.Pool{
			Positives: []schemas.Positive{{Text: long + "car"}, {Text: "a red car"}},
			Negatives: []schemas.HardNegative{
				{Text: long + "bus"}, {Text: strings.Replace(long, "dog", "cat", 1) + "car"}, {Text: "a red bus", Of: 1}, {Text: long + "boat"}, {Text: "a blue car", Of: 1},
			},
		}}
	}
	for context, want := range map[int]int{0: 5, 8: 5 - 2, 77: 5 - 2, 248: 5} {
		c, err := newCutNegatives(context)
		if err != nil {
			t.Fatal(err)
		}
		r := row()
		c.leaveOut(r)
		if len(r.Negatives) != want {
			t.Errorf("context %d: %d negatives, want %d: %v", context, len(r.Negatives), want, r.Negatives)
		}
		if said := c.warnOfCut(); (want < 5) != strings.HasPrefix(said, "2 of 5 negatives are left out") {
			t.Errorf("context %d: %q", context, said)
		}
	}
	if _, err := newCutNegatives(1); err == nil {
		t.Error("a context of one token: no error")
	}
}
