package negatives

import (
	"slices"
	"strings"
	"testing"

	"capgraph/schemas"
)

// TestWrittenWords says the words on things, in their own letters, and no edit changes them.
func TestWrittenWords(t *testing.T) {
	const rest = " A black dog is chasing a white cat. A woman is riding a horse."
	for caption, want := range map[string]string{
		`A red sign that reads "OPEN 24/7" hangs above a door.`:           `a red sign that says "OPEN 24/7"`,
		`A red sign says 'STOP' next to a white truck.`:                   `a red sign that says "STOP"`,
		`A blue shirt with the words "HELLO WORLD" hangs on a wall.`:      `a blue shirt that says "HELLO WORLD"`,
		`A yellow poster reading “FLY HIGH” is attached to a blue fence.`: `a yellow poster that says "FLY HIGH"`,
		`A white bottle labeled "Milk" stands next to a brown bowl.`:      `a white bottle that says "Milk"`,
		`A red sign stands by a road. The sign reads "SLOW DOWN".`:        `a red sign that says "SLOW DOWN"`,
		`A red sign reads "Red Dog Park on the left" beside a wall.`:      `a red sign that says "Red Dog Park on the left"`,
		`A white cake inscribed "Happy Birthday" is on a blue plate.`:     `a white cake that says "Happy Birthday"`,
		`A red flag with "Go Team" on it waves above a house.`:            `a red flag that says "Go Team"`,
		`A white door with "PUSH" written on it is closed.`:               `a white door that is closed and says "PUSH"`,
		`A red boat named "Blue Mary" lies on a beach.`:                   "",
		`A red book entitled "Deep Sea" lies on a table.`:                 "",
		`A tall man with "Spot" beside him sits on a chair.`:              "",
		`A red sign hangs above a door. It says nothing.`:                 "",
		`A red sign reads "OPEN`:                                          "",
		`A "red" sign hangs above a door.`:                                "",
	} {
		c := parsed(t, caption+rest)
		c.Graph.KeepAsserted()
		pools, _ := generate(t, Defaults(), &Image{Key: "i", Captions: []Caption{c}})
		said := slices.IndexFunc(pools[0].Positives[1:], func(p schemas.Positive) bool { return strings.Contains(p.Text, `that says "`) })
		if want == "" {
			if said >= 0 {
				t.Errorf("%q: %q", caption, pools[0].Positives[said+1].Text)
			}
			continue
		}
		if !slices.ContainsFunc(pools[0].Positives, func(p schemas.Positive) bool { return strings.Contains(p.Text, want) }) {
			t.Errorf("%q: %q, want %q", caption, texts(pools[0].Positives)[1:], want)
		}
		_, quote, _ := strings.Cut(want, `"`)
		quote = strings.TrimSuffix(quote, `"`)
		for _, n := range pools[0].Negatives {
			if of := pools[0].Positives[n.Of].Text; strings.Contains(of, quote) && !strings.Contains(n.Text, quote) {
				t.Errorf("%q of %q changes what is written", n.Text, of)
			}
		}
	}
}
