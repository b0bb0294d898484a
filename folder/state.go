package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"sync"

	"capgraph/store"
)

// State is what a folder held of its passes when it was read: plans, and which
// shards are finished and which failed. It does not change while other processes
// work on; read another one to see what they made.
//
// The shards of a pass are finished, failed or pending, each one of these.
type State struct {
	Folder Folder
	Index  *Index // nil where no corpus has been indexed
	passes map[Pass]*passState
}

type passState struct {
	plan     *PassPlan
	damaged  error            // of the plan
	finished map[string]int64 // the sizes of entries, by shard
	failed   map[string]bool

	once    sync.Mutex
	compact *compactedState // when it was asked for
}

// Read reads the index and the state of the folder. The error wraps fs.ErrNotExist
// where no corpus has been indexed.
func (f Folder) Read() (*State, error) {
	x, err := f.ReadIndex()
	if err != nil {
		return nil, err
	}
	return f.ReadState(x)
}

// ReadState reads what the folder holds of the shards of an index, which may be nil.
func (f Folder) ReadState(x *Index) (*State, error) {
	s := &State{Folder: f, Index: x, passes: map[Pass]*passState{}}
	for _, row := range Passes {
		var err error
		if s.passes[row.Pass], err = f.readPassState(row.Pass); err != nil {
			return nil, err
		}
	}
	s.invalidateAggregates()
	return s, nil
}

// invalidateAggregates takes what passes over the whole folder made for not made where files
// joined the folder since.
func (s *State) invalidateAggregates() {
	if !s.HasStaleAggregates() {
		return
	}
	for _, row := range Passes {
		if !row.Pass.IsByShard() {
			s.passes[row.Pass].finished = nil
		}
	}
}

// Refresh is the state with what the folder holds of one pass by now.
func (s *State) Refresh(pass Pass) (*State, error) {
	now, err := s.Folder.readPassState(pass)
	if err != nil {
		return nil, err
	}
	after := &State{Folder: s.Folder, Index: s.Index, passes: maps.Clone(s.passes)}
	after.passes[pass] = now
	after.invalidateAggregates()
	return after, nil
}

func (f Folder) readPassState(pass Pass) (*passState, error) {
	p := &passState{}
	var err error
	if p.plan, p.damaged = f.ReadPlan(pass); store.IsEnvironmentError(p.damaged) {
		return nil, p.damaged
	}
	if p.failed, err = f.ListNames(passFile("failed", pass, "")); err != nil {
		return nil, err
	}
	p.finished, err = f.listSizes(passFile("entries", pass, ""))
	return p, err
}

// Plan is that of a pass; nil where the pass has not begun. The error is that of one
// that is damaged.
func (s *State) Plan(pass Pass) (*PassPlan, error) {
	return s.passes[pass].plan, s.passes[pass].damaged
}

// Shards are those of a pass, in their order: all of the index, or one, Whole.
func (s *State) Shards(pass Pass) []Shard {
	if !pass.IsByShard() {
		return []Shard{{Name: Whole}}
	}
	if s.Index == nil {
		return nil
	}
	return s.Index.Shards
}

// IsFinished tells whether a shard of a pass has an entry.
func (s *State) IsFinished(pass Pass, shard Shard) bool {
	_, finished := s.passes[pass].finished[shard.Name]
	return finished
}

// HasFailure tells whether it is said why a shard failed in a pass, also where it was made
// since.
func (s *State) HasFailure(pass Pass, shard Shard) bool { return s.passes[pass].failed[shard.Name] }

// isFailedNow tells whether a shard without an entry failed, in the pass or in another:
// what failed in one is not made in those after it.
func (s *State) isFailedNow(pass Pass, shard Shard) bool {
	if s.IsFinished(pass, shard) {
		return false
	}
	for _, p := range s.passes {
		if _, finished := p.finished[shard.Name]; p.failed[shard.Name] && !finished {
			return true
		}
	}
	return false
}

// Finished lists the shards of a pass that have an entry, in their order.
func (s *State) Finished(pass Pass) []Shard {
	return s.shardsWhere(pass, func(shard Shard) bool { return s.IsFinished(pass, shard) })
}

// Unfinished lists the others: those that failed, and those that are pending.
func (s *State) Unfinished(pass Pass) []Shard {
	return s.shardsWhere(pass, func(shard Shard) bool { return !s.IsFinished(pass, shard) })
}

// Failed lists the shards of a pass that are not finished since they failed.
func (s *State) Failed(pass Pass) []Shard {
	return s.shardsWhere(pass, func(shard Shard) bool { return s.isFailedNow(pass, shard) })
}

// Pending lists the shards of a pass that are neither finished nor failed.
func (s *State) Pending(pass Pass) []Shard {
	return s.shardsWhere(pass, func(shard Shard) bool { return !s.IsFinished(pass, shard) && !s.isFailedNow(pass, shard) })
}

func (s *State) shardsWhere(pass Pass, are func(Shard) bool) []Shard {
	var shards []Shard
	for _, shard := range s.Shards(pass) {
		if are(shard) {
			shards = append(shards, shard)
		}
	}
	return shards
}

// IsComplete tells whether nothing of a pass is left to make: each shard is finished,
// or is of a file that cannot be read. One that failed in another way, or whose file
// was mended since, is left.
func (s *State) IsComplete(pass Pass) bool {
	if s.Index == nil {
		return false
	}
	for _, shard := range s.Unfinished(pass) {
		if !pass.IsByShard() || !s.Index.IsBroken(shard) {
			return false
		}
	}
	return true
}

// Entries reads the entries of the finished shards of a pass, in their order.
func (s *State) Entries(pass Pass) ([]*Entry, error) {
	var entries []*Entry
	for _, shard := range s.Finished(pass) {
		e, err := s.Folder.ReadEntry(pass, shard.Name)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// Failures reads why shards that are not finished failed in a pass, in their order.
func (s *State) Failures(pass Pass) ([]Failure, error) {
	var failures []Failure
	for _, shard := range s.Unfinished(pass) {
		if !s.HasFailure(pass, shard) {
			continue
		}
		var e Failure
		err := s.Folder.ReadJSON(failureFile(pass, shard.Name), &e)
		if errors.Is(err, fs.ErrNotExist) { // it was made, or removed, since
			continue
		}
		if err == nil && (e.Pass != pass || e.Shard != shard.Name) {
			err = s.Folder.damagedError(failureFile(pass, shard.Name), fmt.Errorf("it is of pass %q and shard %q", e.Pass, e.Shard))
		}
		if err != nil {
			return nil, err
		}
		failures = append(failures, e)
	}
	return failures, nil
}

// CheckComplete checks that no shard of a pass is pending, and that the files of its
// entries are there. Shards that failed are not in the way.
func (s *State) CheckComplete(pass Pass) error {
	if pending := s.Pending(pass); len(pending) > 0 {
		return &IncompleteError{Dir: s.Folder.Dir, Pass: pass, Shards: len(s.Shards(pass)), Missing: pending}
	}
	return s.checkFiles(pass)
}

// CheckEntries checks that the files of what is finished of a pass are there, and
// that all of it was made by the plan of the pass.
func (s *State) CheckEntries(pass Pass) error {
	if err := s.checkFiles(pass); err != nil {
		return err
	}
	return s.CheckPlan(pass)
}
