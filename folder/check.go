package folder

import (
	"maps"
	"path"
	"slices"

	"capgraph/internal/text"
	"capgraph/internal/usage"
)

// checkFiles returns an error if a file that the entries of a pass name does not exist. It lists
// folders, and reads neither the files nor, for passes by shard, the entries: the layout determines
// the names.
func (s *State) checkFiles(pass Pass) error {
	finished := s.Finished(pass)
	if len(finished) == 0 {
		return nil
	}
	if !pass.IsByShard() {
		return s.checkReduced(pass)
	}
	var gone *MissingFileError
	for _, of := range pass.shardFileNames() {
		there, err := s.Folder.listPresent(path.Dir(of("")))
		if err != nil {
			return err
		}
		for _, shard := range finished {
			if there[s.Folder.Path(of(shard.Name))] {
				continue
			}
			if gone == nil {
				e, _ := s.Folder.ReadEntry(pass, shard.Name) // without it, the hint does not name the files
				gone = &MissingFileError{Dir: s.Folder.Dir, Pass: pass, File: s.Folder.Path(of(shard.Name)), Remedy: s.Folder.RebuildHint(pass, shard.Name, e)}
			} else {
				gone.More++
			}
		}
	}
	if gone != nil {
		return gone
	}
	return nil
}

// checkReduced is checkFiles for a pass over the whole folder.
func (s *State) checkReduced(pass Pass) error {
	e, err := s.Folder.ReadEntry(pass, Whole)
	if err != nil {
		return err
	}
	for _, file := range e.Files {
		there, err := s.Folder.Exists(file.Name)
		if err != nil {
			return err
		}
		if !there {
			return &MissingFileError{Dir: s.Folder.Dir, Pass: pass, File: s.Folder.Path(file.Name), Remedy: s.Folder.RebuildHint(pass, Whole, e)}
		}
	}
	return nil
}

// shardFileNames returns the functions that name the files that a pass writes for a shard.
func (p Pass) shardFileNames() []func(shard string) string {
	of := func(name func(Pass, string) string) func(string) string {
		return func(shard string) string { return name(p, shard) }
	}
	if p.Output() == "" {
		return []func(string) string{of(CountsFile)}
	}
	return []func(string) string{of(DataFile), of(RejectsFile)}
}

// CheckPlan returns an error if a finished shard of a pass was made by another plan. A process that
// still used the settings from before a --redo may have made it.
func (s *State) CheckPlan(pass Pass) error {
	plan, err := s.Plan(pass)
	if plan == nil {
		return err
	}
	all, err := s.readCompacted(pass)
	if err != nil {
		return err
	}
	hash := plan.Hash()
	for _, other := range slices.Sorted(maps.Keys(all.Plans)) {
		if other == hash {
			continue
		}
		if pass == PassTexts {
			if earlier, err := s.IsPlanOfEarlier(other); err != nil || earlier {
				if err != nil {
					return err
				}
				continue
			}
		}
		shard := all.Plans[other]
		e, _ := s.Folder.ReadEntry(pass, shard)
		return usage.Errorf("%s: shard %s of pass %s was made by the plan %s, and the plan of the pass is %s: a run with other settings was under way here; end it, then %s, or make the whole pass again with --redo %s",
			s.Folder.Dir, shard, pass, other, hash, s.Folder.RebuildHint(pass, shard, e), pass)
	}
	return nil
}

// RebuildHint returns the command that rebuilds a shard. e is its entry, nil if it cannot be read.
func (f Folder) RebuildHint(pass Pass, shard string, e *Entry) string {
	remedy := "remove " + text.Quote(f.Path(EntryFile(pass, shard)))
	if e != nil {
		for _, file := range e.Files {
			remedy += " " + text.Quote(f.Path(file.Name))
		}
	}
	return remedy + " and run again"
}
