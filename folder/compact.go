package folder

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"

	"github.com/cespare/xxhash/v2"

	"capgraph/store"
)

// CompactFrom is the smallest number of shards for which a pass has a compacted state.
const CompactFrom = 64

// compactedState is the sum of the entries of the finished shards of a pass. For a complete pass it
// is kept in a file, which is read instead of the entries as long as their names and sizes are the
// same.
type compactedState struct {
	Pass    Pass             `json:"pass"`
	Entries string           `json:"entries"` // the hash of their names and sizes
	In      int64            `json:"rows_in"`
	Out     int64            `json:"rows_out"`
	Rejects map[string]int64 `json:"rejects"`
	Stats   map[string]int64 `json:"stats"`
	// Plans maps each plan that shards were made by to the first such shard.
	Plans map[string]string `json:"plans"`
	// Shards counts the shards made by each plan.
	Shards map[string]int `json:"shards"`
	Lost   LostFiles      `json:"lost_files"`

	kept bool // in the file
}

func compactFile(pass Pass) string { return passFile("compact", pass, "state.json") }

// readCompacted returns the sum of the entries of a pass. It is computed once and kept in s.
func (s *State) readCompacted(pass Pass) (*compactedState, error) {
	p := s.passes[pass]
	p.once.Lock()
	defer p.once.Unlock()
	if p.compact != nil {
		return p.compact, nil
	}
	finished := s.Finished(pass)
	if len(finished) >= CompactFrom {
		var kept compactedState
		err := s.Folder.ReadJSON(compactFile(pass), &kept)
		if store.IsEnvironmentError(err) {
			return nil, err
		}
		if err == nil && kept.Pass == pass && kept.Entries == p.hashEntries(finished) && kept.Shards != nil && kept.isSubsetOf(finished) {
			kept.kept = true
			p.compact = &kept
			return p.compact, nil
		}
	}
	entries, err := s.Entries(pass)
	if err != nil {
		return nil, err
	}
	sum := NewAccount(pass)
	plans, shards := map[string]string{}, map[string]int{}
	for _, e := range entries {
		sum.Add(e)
		plans[e.Plan] = cmp.Or(plans[e.Plan], e.Shard)
		shards[e.Plan]++
	}
	c := &compactedState{Pass: pass, Entries: p.hashEntries(finished), In: sum.In, Out: sum.Out, Rejects: sum.Rejects, Stats: sum.Stats, Plans: plans, Shards: shards}
	if pass == PassParse {
		c.Lost = lostFiles(finished, entries)
	}
	p.compact = c
	return c, nil
}

// isSubsetOf reports whether the shards that Plans names are all finished.
func (c *compactedState) isSubsetOf(finished []Shard) bool {
	names := make(map[string]bool, len(finished))
	for _, s := range finished {
		names[s.Name] = true
	}
	for _, shard := range c.Plans {
		if !names[shard] {
			return false
		}
	}
	return true
}

// hashEntries returns a hash of the names and sizes of the entries of shards.
func (p *passState) hashEntries(shards []Shard) string {
	var h xxhash.Digest
	h.Reset()
	for _, s := range shards {
		fmt.Fprintf(&h, "%s\n%d\n", s.Name, p.finished[s.Name])
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// WriteCompacted writes the compacted state of a pass that is complete and has CompactFrom shards
// or more.
func (s *State) WriteCompacted(pass Pass) error {
	if !pass.IsByShard() || len(s.Finished(pass)) < CompactFrom || !s.IsComplete(pass) {
		return nil
	}
	c, err := s.readCompacted(pass)
	if err != nil || c.kept {
		return err
	}
	if err := s.Folder.ReplaceJSON(compactFile(pass), c); err != nil {
		return err
	}
	c.kept = true
	return nil
}

// listPresent returns the names of the files in a folder; none if it does not exist.
func (f Folder) listPresent(dir string) (map[string]bool, error) {
	infos, err := f.Store.List(f.Path(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	names := make(map[string]bool, len(infos))
	for _, info := range infos {
		names[info.Name] = true
	}
	return names, nil
}
