package pipeline

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"capgraph/folder"
	"capgraph/internal/text"
)

// Accounts returns the row counts of the passes that write rows, in the order of the passes. If
// this process ran one pass of a part of the run, only that pass is returned. Without an index the
// result is nil.
func (r *Run) Accounts() ([]*folder.Account, error) {
	state, err := r.Folder.Read()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r.bad, r.files = r.countBadFiles(state), len(state.Index.Files)
	var accounts []*folder.Account
	for _, pass := range r.Passes {
		if pass.Name.Output() == "" || r.Parts > 1 && r.only != "" && r.only != pass.Name {
			continue
		}
		if r.Parts > 1 && !state.IsComplete(pass.Name) {
			accounts = append(accounts, r.partAccount(pass.Name, state))
			continue
		}
		a, err := state.Account(pass.Name)
		if err != nil {
			return nil, err
		}
		accounts = append(accounts, a)
	}
	return accounts, nil
}

// partAccount returns the counts of the shards that this process made. If each part also read the
// entries of the others, that would take each as long as the whole run.
func (r *Run) partAccount(pass folder.Pass, state *folder.State) *folder.Account {
	a := *cmp.Or(r.made[pass], folder.NewAccount(pass))
	a.Shards = len(state.Shards(pass))
	for _, s := range state.Unfinished(pass) {
		a.Missing += s.Rows
	}
	return &a
}

// Summary prints how many rows each pass wrote and rejected, and what to do next.
func (r *Run) Summary(w io.Writer, accounts []*folder.Account) error {
	first := accounts[0]
	if first.Missing > 0 && r.Parts > 1 {
		fmt.Fprintf(w, "\npart %d of %d: %d of %s\n", r.Part, r.Parts, first.Done, text.Counted(first.Shards, "shard", "shards"))
	} else {
		fmt.Fprintf(w, "\n%s in %s\n", text.Counted(first.In+first.Failed+first.Missing, "row", "rows"), text.Counted(first.Shards, "shard", "shards"))
	}
	for i, a := range accounts {
		if a.Done > 0 || i == 0 && a.FailedShards > 0 {
			r.printAccount(w, a)
		}
	}
	if r.SkipBad && r.bad > 0 {
		fmt.Fprintf(w, "files  %d of %s cannot be read (source.max_bad_files %g: %d may be left out)\n", r.bad, text.Counted(r.files, "file", "files"), r.MaxBad, r.maxBadFiles(r.files))
	}
	look, program := "\n", cmp.Or(r.Program, "capgraph")
	if last := accounts[len(accounts)-1]; last.Pass == folder.PassTexts && last.Out > 0 {
		look += "look at the texts:    " + program + " sample " + text.Quote(r.Folder.Dir) + "\n"
	}
	if first.Pass == folder.PassParse && first.In > first.Out {
		look += "look at the rejects:  " + program + " rejects " + text.Quote(r.Folder.Dir) + "\n"
	}
	_, err := io.WriteString(w, look)
	return err
}

func (r *Run) printAccount(w io.Writer, a *folder.Account) {
	fmt.Fprintf(w, "%-6s %s in, %s out to %s/, %s rejected", a.Pass, text.Thousands(a.In), text.Thousands(a.Out), a.Output, text.Thousands(a.In-a.Out))
	if a.FailedShards > 0 {
		fmt.Fprintf(w, ", %s in %s that failed", text.Thousands(a.Failed), text.Counted(a.FailedShards, "shard", "shards"))
	}
	if a.Missing > 0 {
		fmt.Fprintf(w, ", %s not yet done", text.Thousands(a.Missing))
	}
	fmt.Fprintln(w)
	pass := r.Passes[r.passIndex(a.Pass)]
	for _, reason := range a.Reasons() {
		fmt.Fprintf(w, "  %10s %s (%.1f %%)", text.Thousands(a.Rejects[reason]), reason, 100*float64(a.Rejects[reason])/float64(a.In))
		if settings := pass.Remedies[reason]; settings != "" {
			fmt.Fprintf(w, ": %s", settings)
		}
		fmt.Fprintln(w)
	}
	if pass.FormatStats != nil && a.Out > 0 {
		fmt.Fprintln(w, pass.FormatStats(a.Stats, a.Out))
	}
}
