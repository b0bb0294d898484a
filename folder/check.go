package folder

import "capgraph/internal/usage"

// checkFiles checks that the files which entries of a pass name are there. Their
// content is not read.
func (f Folder) checkFiles(pass Pass, entries []*Entry) error {
	var gone *GoneError
	for _, e := range entries {
		for _, file := range e.Files {
			there, err := f.Exists(file.Name)
			switch {
			case err != nil:
				return err
			case there:
			case gone == nil:
				gone = &GoneError{Dir: f.Dir, Pass: pass, File: f.Path(file.Name), Remedy: f.Again(pass, e.Shard, e)}
			default:
				gone.More++
			}
		}
	}
	if gone != nil {
		return gone
	}
	return nil
}

// checkPlan checks that entries of a pass were made by its plan.
func (s *State) checkPlan(pass Pass, entries []*Entry) error {
	plan, err := s.Plan(pass)
	if plan == nil {
		return err
	}
	for _, e := range entries {
		if hash := plan.Hash(); e.Plan != hash {
			return usage.Errorf("%s: shard %s of pass %s was made by the plan %s, and the plan of the pass is %s: a run with other settings was under way here; end it, then %s, or make the whole pass again with --redo %s",
				s.Folder.Dir, e.Shard, e.Pass, e.Plan, hash, s.Folder.Again(e.Pass, e.Shard, e), e.Pass)
		}
	}
	return nil
}

// Again is how to have a shard made again; e is its entry, nil where that
// cannot be read.
func (f Folder) Again(pass Pass, shard string, e *Entry) string {
	remedy := "remove " + f.Path(EntryFile(pass, shard))
	if e != nil {
		for _, file := range e.Files {
			remedy += " " + f.Path(file.Name)
		}
	}
	return remedy + " and run again"
}
