package report

import (
	"fmt"
	"maps"
	"slices"

	"capgraph/folder"
	"capgraph/schemas"
)

// step is a number of rows and the parts that add up to it.
type step struct {
	Name    string
	Rows    int64
	Command string // prints the number
	Parts   []part
}

// part is a part of the rows of a step.
type part struct {
	Name string
	Rows int64
}

// totals are what the entries of a folder add up to.
type totals struct {
	state        *folder.State
	parse, texts *folder.Account
	failures     []folder.Failure
}

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

// funnel says where all rows went.
func (t *totals) funnel(dir string) []step {
	sum := func(pass folder.Pass, number string) string {
		return fmt.Sprintf("cat %s/.capgraph/entries/%s/*.json | jq -s 'map(%s) | add'", dir, pass, number)
	}
	read := step{Name: "rows of the corpus", Rows: t.state.Index.Rows(), Command: fmt.Sprintf("cat %s/.capgraph/index*.json | jq -s 'map(.files[].rows) | add'", dir)}
	read.add(rejected(t.parse.Rejects)...)
	read.add(part{"in shards that failed", t.parse.Failed}, part{"not parsed yet", t.parse.Missing}, part{"parsed into a graph", t.parse.Out})
	steps := []step{read}
	if t.parse.Done == 0 {
		return steps
	}
	graphs := step{Name: "graphs", Rows: t.parse.Out, Command: sum(folder.PassParse, ".rows_out")}
	empty, doubtful := t.parse.Stats["empty_graphs"], t.parse.Stats["doubtful_graphs"]
	graphs.add(part{"no graph: the caption names no object", empty}, part{fmt.Sprintf("doubtful: with objects, and confidence below %v", schemas.Doubtful), doubtful},
		part{"with objects", t.parse.Out - empty - doubtful})
	steps = append(steps, graphs)
	if t.texts.Done == 0 {
		return steps
	}
	made := step{Name: "graphs that texts are made of", Rows: t.parse.Out, Command: sum(folder.PassParse, ".rows_out")}
	made.add(rejected(t.texts.Rejects)...)
	made.add(part{"in shards that failed or are not done", t.parse.Out - t.texts.In}, part{"written to texts/", t.texts.Out})
	without := t.texts.Stats["without_negative"]
	texts := step{Name: "rows of texts", Rows: t.texts.Out, Command: sum(folder.PassTexts, ".rows_out")}
	texts.add(part{"without a negative", without}, part{"with negatives", t.texts.Out - without})
	return append(steps, made, texts)
}

// add adds the parts that there are.
func (s *step) add(parts ...part) {
	for _, p := range parts {
		if p.Rows != 0 {
			s.Parts = append(s.Parts, p)
		}
	}
}

func rejected(reasons map[string]int64) []part {
	var parts []part
	for _, name := range slices.Sorted(maps.Keys(reasons)) {
		parts = append(parts, part{"rejected: " + name, reasons[name]})
	}
	return parts
}
