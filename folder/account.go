package folder

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"capgraph/internal/text"
)

// Account counts where the rows of a pass went: In = Out + all Rejects. The rows of the corpus are
// In + Failed + Missing.
type Account struct {
	Pass         Pass             `json:"pass"`
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

// NewAccount returns an account without any rows.
func NewAccount(pass Pass) *Account {
	return &Account{Pass: pass, Output: pass.Output(), Rejects: map[string]int64{}, Stats: map[string]int64{}}
}

// Add adds the entry of a finished shard.
func (a *Account) Add(e *Entry) {
	a.Done++
	a.In += e.RowsIn
	a.Out += e.RowsOut
	for reason, n := range e.Rejects {
		a.Rejects[reason] += n
	}
	for name, n := range e.Stats {
		a.Stats[name] += n
	}
}

// Account adds up the entries of a pass over all shards.
func (s *State) Account(pass Pass) (*Account, error) {
	all, err := s.readCompacted(pass)
	if err != nil {
		return nil, err
	}
	failed := s.Failed(pass)
	a := &Account{Pass: pass, Output: pass.Output(), Shards: len(s.Shards(pass)), Done: len(s.Finished(pass)), FailedShards: len(failed),
		In: all.In, Out: all.Out, Rejects: maps.Clone(all.Rejects), Stats: maps.Clone(all.Stats)}
	for _, shard := range failed {
		a.Failed += shard.Rows
	}
	for _, shard := range s.Pending(pass) {
		a.Missing += shard.Rows
	}
	return a, nil
}

// Reasons returns the reasons of the rejects, the most frequent first.
func (a *Account) Reasons() []string {
	return slices.SortedFunc(maps.Keys(a.Rejects), func(x, y string) int {
		return cmp.Or(cmp.Compare(a.Rejects[y], a.Rejects[x]), cmp.Compare(x, y))
	})
}

// AllRejected reports whether all rows were rejected, and the reason that most of them have.
func (a *Account) AllRejected() (why string, all bool) {
	reasons := a.Reasons()
	if a.Out > 0 || len(reasons) == 0 {
		return "", false
	}
	return fmt.Sprintf("%s of %s as %s", text.Thousands(a.Rejects[reasons[0]]), text.Thousands(a.In), reasons[0]), true
}
