package folder

import (
	"cmp"
	"fmt"
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
