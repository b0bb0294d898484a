package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"capgraph/folder"
	"capgraph/internal/text"
	"capgraph/schemas"
)

// funnelStep is a step with the number of rows that enter it. The rows of its parts add up to that.
type funnelStep struct {
	Name    string
	Rows    int64
	Command string // prints the number
	Parts   []funnelPart
}

// funnelPart is a part of the rows of a step.
type funnelPart struct {
	Name string
	Rows int64
}

// totals has the row counts of the passes parse and texts, summed over their shards, and the failures of all
// passes.
type totals struct {
	state        *folder.State
	parse, texts *folder.Account
	failures     []folder.Failure
}

// readTotals reads the state of a folder and sums its entries.
func readTotals(f folder.Folder) (*totals, error) {
	state, err := f.Read()
	if err != nil {
		return nil, err
	}
	t := &totals{state: state}
	for pass, account := range map[folder.Pass]**folder.Account{folder.PassParse: &t.parse, folder.PassTexts: &t.texts} {
		if *account, err = state.Account(pass); err != nil {
			return nil, err
		}
	}
	for _, pass := range folder.RowPasses() {
		failures, err := state.Failures(pass)
		if err != nil {
			return nil, err
		}
		t.failures = append(t.failures, failures...)
	}
	return t, nil
}

// funnel returns how many rows each step received and what became of them. dir is the folder in the shown
// commands.
func (t *totals) funnel(dir string) []funnelStep {
	dir = text.Quote(dir)
	sumCommand := func(pass folder.Pass, number string) string {
		return fmt.Sprintf("cat %s/.capgraph/entries/%s/*.json | jq -s 'map(%s) | add'", dir, pass, number)
	}
	read := funnelStep{Name: "rows of the corpus", Rows: t.state.Index.Rows(), Command: fmt.Sprintf("cat %s/.capgraph/index*.json | jq -s 'map(.files[].rows) | add'", dir)}
	read.addParts(rejectedParts(t.parse.Rejects)...)
	read.addParts(funnelPart{"in shards that failed", t.parse.Failed}, funnelPart{"not parsed yet", t.parse.Missing}, funnelPart{"parsed into a graph", t.parse.Out})
	steps := []funnelStep{read}
	if t.parse.Done == 0 {
		return steps
	}
	graphs := funnelStep{Name: "graphs", Rows: t.parse.Out, Command: sumCommand(folder.PassParse, ".rows_out")}
	empty, doubtful := t.parse.Stats["empty_graphs"], t.parse.Stats["doubtful_graphs"]
	graphs.addParts(funnelPart{"no graph: the caption names no object", empty}, funnelPart{fmt.Sprintf("doubtful: with objects, and confidence below %v", schemas.Doubtful), doubtful},
		funnelPart{"with objects", t.parse.Out - empty - doubtful})
	steps = append(steps, graphs)
	if t.texts.Done == 0 {
		return steps
	}
	made := funnelStep{Name: "graphs that texts are made of", Rows: t.parse.Out, Command: sumCommand(folder.PassParse, ".rows_out")}
	made.addParts(rejectedParts(t.texts.Rejects)...)
	made.addParts(funnelPart{"in shards that failed or are not done", t.parse.Out - t.texts.In}, funnelPart{"written to texts/", t.texts.Out})
	without := t.texts.Stats["without_negative"]
	texts := funnelStep{Name: "rows of texts", Rows: t.texts.Out, Command: sumCommand(folder.PassTexts, ".rows_out")}
	texts.addParts(funnelPart{"without a negative", without}, funnelPart{"with negatives", t.texts.Out - without})
	return append(steps, made, texts)
}

// addParts adds the parts that have any rows.
func (s *funnelStep) addParts(parts ...funnelPart) {
	for _, p := range parts {
		if p.Rows != 0 {
			s.Parts = append(s.Parts, p)
		}
	}
}

// trimRejected returns the reason in the name of a part that rejectedParts returned.
func trimRejected(name string) string { return strings.TrimPrefix(name, "rejected: ") }

// rejectedParts returns a part for each reason with the number of rows that it rejected.
func rejectedParts(reasons map[string]int64) []funnelPart {
	var parts []funnelPart
	for _, name := range slices.Sorted(maps.Keys(reasons)) {
		parts = append(parts, funnelPart{"rejected: " + name, reasons[name]})
	}
	return parts
}
