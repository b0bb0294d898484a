package main

import (
	"fmt"
	"strings"
)

// column shows the mean of some figures.
type column struct {
	title   string
	figures []string
}

// isRetrieval reports whether a column is of retrieval, where chance is not 50 %.
func (c column) isRetrieval() bool { return strings.HasSuffix(c.figures[0], "R@1") }

// panel is a group of columns of a table.
type panel struct {
	name    string // in the names of plots
	title   string // "" if the world has only one panel
	columns []column
}

// meanSample returns the means of the column's figures by seed; nil if a row has none of these figures.
func (c column) meanSample(figures map[string]sample) (mean sample) {
	n := 0.
	for _, name := range c.figures {
		s := figures[name]
		if len(s) == 0 {
			continue
		}
		if mean == nil {
			mean = make(sample, len(s))
		}
		n++
		for i := range mean {
			mean[i] += s[i]
		}
	}
	for i := range mean {
		mean[i] /= n
	}
	return mean
}

// row is an arm with its figures by name.
type row struct {
	name    string
	figures map[string]sample
	beside  bool // not compared with the first row, since it is not a model
}

// table has rows that are all compared with the first.
type table struct {
	name, title string
	seeds       int  // of the first row
	fewer       bool // some rows have fewer seeds, and show how many
	panels      []panel
	rows        []row
}

// markdown returns the table in Markdown: means and standard deviations, and ▲ or ▼ if the 95 %
// interval of the paired differences from the first row is above or below 0.
func (t table) markdown() string {
	var b strings.Builder
	seeds := fmt.Sprintf("%d paired seeds", t.seeds)
	if t.seeds == 1 {
		seeds = "1 seed"
	}
	if t.fewer {
		seeds += ", or as many as a row has in parentheses"
	}
	fmt.Fprintf(&b, "### %s\n\n%s. Beside “%s”:\n", t.title, seeds, t.rows[0].name)
	for _, p := range t.panels {
		if p.title != "" {
			b.WriteString("\n**" + p.title + "**\n")
		}
		b.WriteString("\n|")
		for _, c := range p.columns {
			b.WriteString(" | " + c.title)
		}
		b.WriteString(" |\n|---|" + strings.Repeat("---|", len(p.columns)) + "\n")
		for i, r := range t.rows {
			b.WriteString("| " + r.name)
			for _, c := range p.columns {
				b.WriteString(" | " + t.cell(i, c))
			}
			b.WriteString(" |\n")
		}
	}
	return b.String()
}

func (t table) cell(i int, c column) string {
	s := c.meanSample(t.rows[i].figures)
	if len(s) == 0 {
		return "–"
	}
	text := fmt.Sprintf("%.1f", s.mean())
	if len(s) > 1 {
		text += fmt.Sprintf(" ± %.1f", s.deviation())
	}
	first := c.meanSample(t.rows[0].figures)
	if i == 0 || t.rows[i].beside || len(first) < len(s) {
		return text
	}
	return text + map[int]string{1: " ▲", -1: " ▼", 0: ""}[s.minus(first[:len(s)]).compareWithZero()]
}
