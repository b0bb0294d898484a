package export

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"capgraph/schemas"
	"capgraph/schemas/drawing"
	"capgraph/store"
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
		c.dropEqual(r)
		if len(r.Negatives) != want {
			t.Errorf("context %d: %d negatives, want %d: %v", context, len(r.Negatives), want, r.Negatives)
		}
		if said := c.warning(); (want < 5) != strings.HasPrefix(said, "2 of 5 negatives are left out") {
			t.Errorf("context %d: %q", context, said)
		}
	}
	if _, err := newCutNegatives(1); err == nil {
		t.Error("a context of one token: no error")
	}
}

// TestDrawnNegativesCutOff leaves them out of an epoch, and counts those that were drawn.
func TestDrawnNegativesCutOff(t *testing.T) {
	long := strings.Repeat("a dog on a mat and ", 15)
	first := row("1", "one", long+"a red car", true)
	first.Negatives[0].Text = long + "a blue car"
	dir := writeTexts(t, map[string][]*Row{"0": {first, row("2", "two", "a red car", true)}})
	for tokens, want := range map[int][2]int{0: {1, 1}, 77: {0, 1}, 248: {1, 1}} {
		var b bytes.Buffer
		said, err := WriteEpoch(t.Context(), store.Local{}, dir, drawing.NewDraw(1, 0, 2), tokens, NewJSONLines(&b))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(b.String()), "\n")
		for i, line := range lines {
			var r jsonRow
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatal(err)
			}
			if len(lines) != 2 || len(r.Neg) != want[i] || len(r.NegOf) != want[i] || len(r.Pos) == 0 {
				t.Errorf("context %d: %s: want %d negatives", tokens, line, want[i])
			}
		}
		if (tokens == 77) != strings.HasPrefix(said, "1 of 2 negatives are left out: within the 77 tokens") {
			t.Errorf("context %d: %q", tokens, said)
		}
	}
}
