package main

import (
	"fmt"
	"strings"

	"capgraph/synth"
)

// column is a figure that all arms of a table have.
type column struct{ name, title string }

var columns = []column{
	{synth.TestTrained, "trained"}, {synth.TestAttributes, "attributes"}, {synth.TestWords, "words"}, {synth.TestPairs, "pairs"},
	{synth.TestOrders, "orders"}, {synth.TestRelations, "relations"}, {"text to image R@1", "text → image"}, {"image to text R@1", "image → text"},
}

// row is an arm with its figures by column name; a figure that it lacks is none.
type row struct {
	name    string
	figures map[string]sample
	beside  bool // not compared: it is no model
}

// table are rows, of which all are compared with the first.
type table struct {
	name, title string
	seeds       int
	rows        []row
}

// markdown writes a table: means and standard deviations, and what is two
// standard deviations of the paired differences above (▲) or below (▼) the first.
func (t table) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n%d %s. Beside “%s”:\n\n|", t.title, t.seeds, map[bool]string{true: "seed", false: "paired seeds"}[t.seeds == 1], t.rows[0].name)
	for _, c := range columns {
		b.WriteString(" | " + c.title)
	}
	b.WriteString(" |\n|---|" + strings.Repeat("---|", len(columns)) + "\n")
	for i, r := range t.rows {
		b.WriteString("| " + r.name)
		for _, c := range columns {
			b.WriteString(" | " + t.cell(i, c.name))
		}
		b.WriteString(" |\n")
	}
	return b.String()
}

func (t table) cell(i int, column string) string {
	s := t.rows[i].figures[column]
	if len(s) == 0 {
		return "–"
	}
	text := fmt.Sprintf("%.1f", s.mean())
	if len(s) > 1 {
		text += fmt.Sprintf(" ± %.1f", s.deviation())
	}
	first := t.rows[0].figures[column]
	if i == 0 || t.rows[i].beside || len(first) != len(s) {
		return text
	}
	return text + map[int]string{1: " ▲", -1: " ▼", 0: ""}[s.minus(first).apart()]
}
