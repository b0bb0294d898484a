package pipeline

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"

	"capgraph/internal/progress"
)

// Account is where the rows of a pass went: In = Out + all of Rejects, and the
// corpus' rows are In + Failed + Missing.
type Account struct {
	Pass         string           `json:"pass"`
	Output       string           `json:"output"`
	Shards       int              `json:"shards"`
	Done         int              `json:"done"`
	FailedShards int              `json:"failed_shards"`
	In           int64            `json:"rows_in"`
	Out          int64            `json:"rows_out"`
	Failed       int64            `json:"failed"`
	Missing      int64            `json:"missing"`
	Rejects      map[string]int64 `json:"rejects"`
	Stats        map[string]int64 `json:"stats"`
}

// Account adds the entries of a pass over all shards up.
func (f Folder) Account(pass, output string, x *Index) (*Account, error) {
	h, err := f.Held(pass, x.Shards)
	if err != nil {
		return nil, err
	}
	a := &Account{Pass: pass, Output: output, Shards: len(x.Shards), Done: len(h.Entries), FailedShards: len(h.Failed),
		Rejects: map[string]int64{}, Stats: map[string]int64{}}
	for _, s := range h.Failed {
		a.Failed += s.Rows
	}
	for _, s := range h.Missing {
		a.Missing += s.Rows
	}
	for _, e := range h.Entries {
		a.In += e.RowsIn
		a.Out += e.RowsOut
		for reason, n := range e.Rejects {
			a.Rejects[reason] += n
		}
		for name, n := range e.Stats {
			a.Stats[name] += n
		}
	}
	return a, nil
}

// Accounts are those of the passes that go shard by shard, in their order;
// none where the corpus has not been indexed.
func (r *Run) Accounts() ([]*Account, error) {
	index, err := r.Folder.Index()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var accounts []*Account
	for _, pass := range r.Passes {
		if pass.Reduce != nil {
			continue
		}
		a, err := r.Folder.Account(pass.Name, pass.Output, index)
		if err != nil {
			return nil, err
		}
		accounts = append(accounts, a)
	}
	return accounts, nil
}

// Summary tells a person where the rows went and what to do next.
func (r *Run) Summary(w io.Writer, accounts []*Account) error {
	first := accounts[0]
	fmt.Fprintf(w, "\n%s in %s\n", counted(first.In+first.Failed+first.Missing, "row", "rows"), counted(int64(first.Shards), "shard", "shards"))
	for i, a := range accounts {
		if a.Done > 0 || i == 0 && a.FailedShards > 0 {
			r.print(w, a)
		}
	}
	look := "\n"
	if last := accounts[len(accounts)-1]; last.Out > 0 {
		look += "look at the texts:    capgraph sample " + Quote(r.Folder.Dir) + "\n"
	}
	if first.Done > 0 {
		look += "look at the rejects:  capgraph rejects " + Quote(r.Folder.Dir) + "\n"
	}
	_, err := io.WriteString(w, look)
	return err
}

func (r *Run) print(w io.Writer, a *Account) {
	fmt.Fprintf(w, "%-6s %s in, %s out to %s/, %s rejected", a.Pass, thousands(a.In), thousands(a.Out), a.Output, thousands(a.In-a.Out))
	if a.FailedShards > 0 {
		fmt.Fprintf(w, ", %s in %s that failed", thousands(a.Failed), counted(int64(a.FailedShards), "shard", "shards"))
	}
	if a.Missing > 0 {
		fmt.Fprintf(w, ", %s not yet done", thousands(a.Missing))
	}
	fmt.Fprintln(w)
	for _, reason := range a.Reasons() {
		fmt.Fprintf(w, "  %10s %s\n", thousands(a.Rejects[reason]), reason)
	}
	if pass := r.Passes[r.at(a.Pass)]; pass.Tell != nil && a.Out > 0 {
		fmt.Fprintln(w, pass.Tell(a.Stats, a.Out))
	}
}

// Reasons are those of the rejects, the most frequent first.
func (a *Account) Reasons() []string {
	return slices.SortedFunc(maps.Keys(a.Rejects), func(x, y string) int {
		return cmp.Or(cmp.Compare(a.Rejects[y], a.Rejects[x]), cmp.Compare(x, y))
	})
}

// Rejected tells whether all rows that went in were rejected, and why most of
// them were.
func (a *Account) Rejected() (why string, all bool) {
	reasons := a.Reasons()
	if a.Out > 0 || len(reasons) == 0 {
		return "", false
	}
	return fmt.Sprintf("%s of %s as %s", progress.Thousands(a.Rejects[reasons[0]]), progress.Thousands(a.In), reasons[0]), true
}
