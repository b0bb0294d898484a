package folder

import (
	"errors"
	"io/fs"
	"path"

	"capgraph/internal/usage"
)

// Held is what a folder holds of a pass.
type Held struct {
	Entries []*Entry // of the shards that are done, in their order
	Failed  []Shard  // those that are not done since they failed, here or in a pass before
	Missing []Shard  // those that are neither
}

// Held reads what the folder holds of the shards of a pass.
func (f Folder) Held(pass string, shards []Shard) (*Held, error) {
	failed, err := f.failed()
	if err != nil {
		return nil, err
	}
	h := &Held{}
	for _, s := range shards {
		e, err := f.Entry(pass, s.Name)
		switch {
		case errors.Is(err, fs.ErrNotExist) && failed[s.Name]:
			h.Failed = append(h.Failed, s)
		case errors.Is(err, fs.ErrNotExist):
			h.Missing = append(h.Missing, s)
		case err != nil:
			return nil, err
		default:
			h.Entries = append(h.Entries, e)
		}
	}
	return h, nil
}

// failed lists the shards that failed in any pass.
func (f Folder) failed() (map[string]bool, error) {
	passes, err := f.Names(path.Join(MetaDir, "failed"))
	if err != nil {
		return nil, err
	}
	failed := map[string]bool{}
	for pass := range passes {
		names, err := f.failedIn(pass)
		if err != nil {
			return nil, err
		}
		for name := range names {
			failed[name] = true
		}
	}
	return failed, nil
}

// Whole checks that a pass is done on all shards but those that failed, of
// which it returns the number, and that the files of its entries are there.
// The error wraps fs.ErrNotExist where the folder has no index.
func (f Folder) Whole(pass string) (failed int, err error) {
	x, err := f.Index()
	if err != nil {
		return 0, err
	}
	h, err := f.Held(pass, x.Shards)
	if err != nil {
		return 0, err
	}
	if len(h.Missing) > 0 {
		return len(h.Failed), &NotWholeError{Dir: f.Dir, Pass: pass, Shards: len(x.Shards), Missing: h.Missing}
	}
	return len(h.Failed), f.MissingFiles(pass, h.Entries)
}

// WholeReduced is Whole for a pass over the whole folder.
func (f Folder) WholeReduced(pass string) error {
	if _, err := f.Index(); err != nil {
		return err
	}
	h, err := f.Held(pass, []Shard{{Name: Whole}})
	if err != nil {
		return err
	}
	if len(h.Missing) > 0 {
		return &NotWholeError{Dir: f.Dir, Pass: pass, Shards: 1, Missing: h.Missing}
	}
	return f.MissingFiles(pass, h.Entries)
}

// there checks that the files which entries of a pass name are there. Their
// content is not read.
func (f Folder) MissingFiles(pass string, entries []*Entry) error {
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

// ofPlan checks that entries of a pass were made by its plan.
func (f Folder) OfPlan(plan string, entries []*Entry) error {
	for _, e := range entries {
		if e.Plan != plan {
			return usage.Errorf("%s: shard %s of pass %s was made by the plan %s, and the plan of the pass is %s: a run with other settings was under way here; end it, then %s, or make the whole pass again with --redo %s",
				f.Dir, e.Shard, e.Pass, e.Plan, plan, f.Again(e.Pass, e.Shard, e), e.Pass)
		}
	}
	return nil
}

// Again is how to have a shard made again; e is its entry, nil where that
// cannot be read.
func (f Folder) Again(pass, shard string, e *Entry) string {
	remedy := "remove " + f.Path(EntryFile(pass, shard))
	if e != nil {
		for _, file := range e.Files {
			remedy += " " + f.Path(file.Name)
		}
	}
	return remedy + " and run again"
}
