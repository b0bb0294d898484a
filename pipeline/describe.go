package pipeline

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"capgraph/folder"
	"capgraph/internal/text"
)

// Describe prints what Do would run, and changes nothing. It prints the files of the corpus, and
// for each pass its stages with their columns, what is finished and what decide returns.
func (r *Run) Describe(w io.Writer) error {
	if err := r.checkPasses(); err != nil {
		return err
	}
	corpus, err := r.openCorpus()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "source   %s, %s\n", corpus.Options.Format, text.Counted(len(corpus.Files), "file", "files"))
	const most = 5
	for i, f := range corpus.Files {
		if i == most {
			fmt.Fprintf(w, "         … and %d more\n", len(corpus.Files)-most)
			break
		}
		fmt.Fprintf(w, "         %s  %s\n", f.Path, text.Counted(f.Size, "byte", "bytes"))
	}
	fmt.Fprintf(w, "output   %s\n", r.Folder.Dir)
	index, err := r.readIndex()
	if err != nil {
		return err
	}
	state, err := r.Folder.ReadState(index)
	if err != nil {
		return err
	}
	if index == nil {
		fmt.Fprintf(w, "\n0 index  not done: it counts rows and cuts the files into shards (%s, %s)\n", r.Output.Shards, text.Counted(r.Output.ShardRows, "row", "rows"))
	} else {
		fmt.Fprintf(w, "\n0 index  done: %s in %s\n", text.Counted(index.Rows(), "row", "rows"), text.Counted(len(index.Shards), "shard", "shards"))
		if err := r.describeAppend(w, corpus, state); err != nil {
			return err
		}
	}
	return r.describePasses(w, state)
}

// describePasses prints, for each pass, its stages, its outputs and what decide returns.
func (r *Run) describePasses(w io.Writer, state *folder.State) error {
	p := planner{Run: r}
	input, redo := "", folder.Pass("")
	if state.Index != nil {
		input = state.Index.Plan
	}
	for i, pass := range r.Passes {
		if err := r.describePass(w, i, pass, state); err != nil {
			return err
		}
		if state.Index != nil && p.readsAllShards(i) {
			input += state.Index.PlanInput() + describeLeftOut(state.Failed(r.Passes[i-1].Name))
		}
		s, err := p.readSituation(i, input, state)
		if err != nil {
			return err
		}
		if redo != "" && s.old != nil { // an earlier pass is made again: only the settings can be compared
			if s, err = p.readSituation(i, s.old.Input, state); err != nil {
				return err
			}
		}
		d := decide(s)
		switch d.action {
		case refuse:
			redo = cmp.Or(redo, pass.Name)
			for _, diff := range folder.ListChanges(s.old, s.now) {
				fmt.Fprintf(w, "    differs from what is there (needs --redo %s): %s\n", redo, diff)
			}
			input = s.now.Hash()
			continue
		case replace:
			for _, diff := range folder.ListChanges(s.old, s.now) {
				fmt.Fprintf(w, "    nothing of it is finished, and its settings are replaced: %s\n", diff)
			}
		case rebuild:
			fmt.Fprintf(w, "    made again with the passes after it: it was made without %s, which %s there now\n", text.List(d.recovered), text.Plural(len(d.recovered), "is", "are"))
			redo = pass.Name
		case renew:
			fmt.Fprintf(w, "    its plan becomes that of the files that joined; texts made before stay\n")
		}
		input = d.plan.Hash()
	}
	return nil
}

// describeAppend prints how many files of the corpus can be appended to the folder, and how many
// rows would be indexed, parsed and counted for that.
func (r *Run) describeAppend(w io.Writer, corpus *Corpus, state *folder.State) error {
	earlier, all, err := state.CountStaleTexts()
	if err != nil {
		return err
	}
	if earlier > 0 {
		fmt.Fprintf(w, "         files joined since %d of %s of texts/ were made: --redo texts makes all anew\n", earlier, text.Counted(all, "shard", "shards"))
	}
	index := state.Index
	ordered, found, err := corpus.matchIndex(index)
	if err != nil || !found || len(newFiles(ordered, index)) == 0 {
		return err
	}
	old, bytes := int64(0), int64(0)
	for i, f := range ordered.Files {
		if i < len(index.Files) {
			old += f.Size
		} else {
			bytes += f.Size
		}
	}
	new := text.Counted(len(newFiles(ordered, index)), "file", "files")
	rows := int64(float64(index.Rows()) / float64(max(old, 1)) * float64(bytes))
	fmt.Fprintf(w, "         %s more, of %s, may join with --append: some %s to index, parse, tally and make texts of,\n", new, text.Counted(bytes, "byte", "bytes"), text.Counted(rows, "row", "rows"))
	fmt.Fprintf(w, "         with count and balance over all %s; the texts of %s stay, and --redo texts makes them anew\n",
		text.Counted(index.Rows()+rows, "row", "rows"), text.Counted(len(state.Finished(folder.PassTexts)), "shard", "shards"))
	return nil
}

func (r *Run) describePass(w io.Writer, i int, pass *Pass, state *folder.State) error {
	done := "not done"
	if state.Index != nil {
		missing, err := r.missingInputs(pass, state)
		if err != nil {
			return err
		}
		switch all := len(state.Index.Shards); {
		case len(missing) == 0:
			done = "done"
		case pass.Reduce == nil:
			done = fmt.Sprintf("%d of %s done", all-len(missing), text.Counted(all, "shard", "shards"))
		}
		failures, err := state.Failures(pass.Name)
		if err != nil {
			return err
		}
		if len(failures) > 0 {
			done += fmt.Sprintf(", %d failed", len(failures))
		}
	}
	fmt.Fprintf(w, "\n%d %-6s %s: %s\n", i+1, pass.Name, done, pass.Summary)
	for _, s := range pass.Stages {
		fmt.Fprintf(w, "    %-10s %s\n", s.Name, s.Summary)
		fmt.Fprintf(w, "    %-10s requires %s\n", "", strings.Join(s.Requires, ", "))
		if len(s.Assigns) > 0 {
			names := make([]string, len(s.Assigns))
			for j, f := range s.Assigns {
				names[j] = f.Name
			}
			fmt.Fprintf(w, "    %-10s assigns  %s\n", "", strings.Join(names, ", "))
		}
	}
	if pass.Name.Output() != "" {
		fmt.Fprintf(w, "    → %s\n", r.Folder.Path(folder.DataFile(pass.Name, "SHARD")))
	}
	if pass.Name.HasCounts() {
		fmt.Fprintf(w, "    → %s\n", r.Folder.Path(folder.CountsFile(pass.Name, "SHARD")))
	}
	if pass.Sample != nil && state.Index != nil && pass.Sample(state.Index) != nil {
		fmt.Fprintf(w, "    → %s\n", r.Folder.Path(folder.SampleFile(pass.Name, "SHARD")))
	}
	for _, name := range pass.Name.Files() {
		fmt.Fprintf(w, "    → %s\n", r.Folder.Path(folder.ReducedFile(name)))
	}
	return nil
}

// checkStages returns an error if a stage requires a column that neither Reads names nor a stage
// before it assigns.
func (p *Pass) checkStages() error {
	have := slices.Clone(p.Reads)
	for _, s := range p.Stages {
		for _, need := range s.Requires {
			if !slices.Contains(have, need) {
				return fmt.Errorf("pass %s: stage %s requires the column %q, which no stage before it assigns", p.Name, s.Name, need)
			}
		}
		for _, f := range s.Assigns {
			have = append(have, f.Name)
		}
	}
	return nil
}

// checkPasses checks the stages of all passes.
func (r *Run) checkPasses() error {
	for _, p := range r.Passes {
		if err := p.checkStages(); err != nil {
			return err
		}
	}
	return nil
}
