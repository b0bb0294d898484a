package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"sync"

	"capgraph/store"
)

// State is the content of a folder at the time when it was read: plans, and which shards are
// finished or failed. Other processes do not change it.
type State struct {
	Folder Folder
	Index  *Index // nil if no corpus has been indexed
	passes map[Pass]*passState
}

type passState struct {
	plan     *PassPlan
	damaged  error            // of the plan
	finished map[string]int64 // the sizes of entries, by shard
	failed   map[string]bool

	once    sync.Mutex
	compact *compactedState // nil until it is needed
}

// Read reads the index and the state of the folder. The error wraps fs.ErrNotExist if there is no
// index.
func (f Folder) Read() (*State, error) {
	x, err := f.ReadIndex()
	if err != nil {
		return nil, err
	}
	return f.ReadState(x)
}

// ReadState reads the state of the shards of an index, which may be nil.
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

// invalidateAggregates marks the results of passes over the whole folder as missing if files were
// appended later.
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

// Refresh returns a copy of s in which one pass is read again from the folder.
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

// Plan returns the plan of a pass; nil if the pass has not begun. It returns an error if the plan is
// damaged.
func (s *State) Plan(pass Pass) (*PassPlan, error) {
	return s.passes[pass].plan, s.passes[pass].damaged
}

// Shards returns the shards of a pass in their order: the index's shards, or the one shard Whole.
func (s *State) Shards(pass Pass) []Shard {
	if !pass.IsByShard() {
		return []Shard{{Name: Whole}}
	}
	if s.Index == nil {
		return nil
	}
	return s.Index.Shards
}

// IsFinished reports whether a shard of a pass has an entry.
func (s *State) IsFinished(pass Pass, shard Shard) bool {
	_, finished := s.passes[pass].finished[shard.Name]
	return finished
}

// HasFailure reports whether the failure of a shard is recorded, even if the shard was finished
// later.
func (s *State) HasFailure(pass Pass, shard Shard) bool { return s.passes[pass].failed[shard.Name] }

// isFailedNow reports whether a shard has no entry and failed in this pass or an earlier one, so
// that this pass cannot make it.
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

// Finished returns the shards of a pass that have an entry.
func (s *State) Finished(pass Pass) []Shard {
	return s.shardsWhere(pass, func(shard Shard) bool { return s.IsFinished(pass, shard) })
}

// Unfinished returns the shards of a pass without an entry: failed and pending ones.
func (s *State) Unfinished(pass Pass) []Shard {
	return s.shardsWhere(pass, func(shard Shard) bool { return !s.IsFinished(pass, shard) })
}

// Failed returns the shards of a pass that failed.
func (s *State) Failed(pass Pass) []Shard {
	return s.shardsWhere(pass, func(shard Shard) bool { return s.isFailedNow(pass, shard) })
}

// Pending returns the shards of a pass that are neither finished nor failed.
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

// IsComplete reports whether each shard of a pass is finished, or belongs to a file that cannot be
// read.
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

// Failures reads the failures of a pass, in the order of the shards.
func (s *State) Failures(pass Pass) ([]Failure, error) {
	var failures []Failure
	for _, shard := range s.Unfinished(pass) {
		if !s.HasFailure(pass, shard) {
			continue
		}
		var e Failure
		err := s.Folder.ReadJSON(failureFile(pass, shard.Name), &e)
		if errors.Is(err, fs.ErrNotExist) { // it was finished or removed in the meantime
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

// CheckComplete returns an error if a shard of a pass is pending, or if a file of its entries does
// not exist. Failed shards are no error.
func (s *State) CheckComplete(pass Pass) error {
	if pending := s.Pending(pass); len(pending) > 0 {
		return &IncompleteError{Dir: s.Folder.Dir, Pass: pass, Shards: len(s.Shards(pass)), Missing: pending}
	}
	return s.checkFiles(pass)
}

// CheckEntries returns an error if a file of the finished shards of a pass does not exist, or if a
// shard was made by another plan.
func (s *State) CheckEntries(pass Pass) error {
	if err := s.checkFiles(pass); err != nil {
		return err
	}
	return s.CheckPlan(pass)
}
