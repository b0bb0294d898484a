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
	// Lost are the files whose rows were all rejected. It is empty in the account of one part of a
	// run.
	Lost LostFiles `json:"-"`
}

// LostFiles counts the files whose rows were all rejected, and has the first of them.
type LostFiles struct {
	Count int        `json:"count"`
	First []LostFile `json:"first"`
}

// LostFile is a file whose rows were all rejected, most for the same reason.
type LostFile struct {
	File   int    `json:"file"` // its number in the index
	Rows   int64  `json:"rows"`
	Reason string `json:"reason"`
	Most   int64  `json:"most"` // rows with that reason
}

// maxLostFiles is the largest number of lost files that are recorded.
const maxLostFiles = 5

// lostFiles returns the files of finished shards whose rows were all rejected.
func lostFiles(shards []Shard, entries []*Entry) LostFiles {
	accounts := map[int]*Account{}
	for i, s := range shards {
		a := accounts[s.File]
		if a == nil {
			a = NewAccount(entries[i].Pass)
			accounts[s.File] = a
		}
		a.Add(entries[i])
	}
	var lost LostFiles
	for _, file := range slices.Sorted(maps.Keys(accounts)) {
		a := accounts[file]
		reasons := a.Reasons()
		if a.Out > 0 || len(reasons) == 0 {
			continue
		}
		if lost.Count++; lost.Count <= maxLostFiles {
			lost.First = append(lost.First, LostFile{file, a.In, reasons[0], a.Rejects[reasons[0]]})
		}
	}
	return lost
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
		In: all.In, Out: all.Out, Rejects: maps.Clone(all.Rejects), Stats: maps.Clone(all.Stats), Lost: all.Lost}
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

// AllRejected reports whether all rows were rejected, and the most frequent reason.
func (a *Account) AllRejected() (why string, all bool) {
	reasons := a.Reasons()
	if a.Out > 0 || len(reasons) == 0 {
		return "", false
	}
	return fmt.Sprintf("%s of %s as %s", text.Thousands(a.Rejects[reasons[0]]), text.Thousands(a.In), reasons[0]), true
}
