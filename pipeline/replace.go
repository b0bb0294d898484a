package pipeline

import (
	"fmt"
	"strings"

	"capgraph/internal/usage"
)

// pin is Folder.pin, but that settings of which nothing is finished give way to
// those of this run.
func (r *Run) pin(pass *Pass, now *PassPlan, finished bool, index *Index) (*PassPlan, error) {
	old, err := r.Folder.Plan(pass.Name)
	if err != nil {
		return nil, err
	}
	if old == nil || goesOn(old, now, finished) || !old.Readable() {
		return r.Folder.pin(now, finished)
	}
	done, err := r.Folder.Done(pass.Name)
	if err != nil {
		return nil, err
	}
	if len(done) > 0 {
		return r.Folder.pin(now, finished)
	}
	r.tellReplaced(old, now)
	// The plan goes last: until then another process that looks finds the old one,
	// and of two that replace it the later finds that of the first.
	if err := r.Folder.remove(pass.Name, pass.Output, pass.Outputs, index); err != nil {
		return nil, err
	}
	return r.Folder.pin(now, finished)
}

// replacesIndex tells whether the index, made with other settings, gives way to one
// of this run, as no shard is finished in any pass. It removes what was made of it.
func (r *Run) replacesIndex(only string, now *PassPlan, index *Index) (bool, error) {
	old, err := r.Folder.Plan(PassIndex)
	if err != nil || old == nil || goesOn(old, now, true) || !old.Readable() {
		return false, err
	}
	if r.Parts > 1 && only != "" && only != PassIndex {
		return false, nil
	}
	for _, p := range r.Passes {
		done, err := r.Folder.Done(p.Name)
		if err != nil || p.Reduce == nil && len(done) > 0 {
			return false, err
		}
	}
	r.tellReplaced(old, now)
	if err := r.remove(0, index); err != nil {
		return false, err
	}
	for _, file := range []string{indexName, planName(PassIndex)} {
		if err := r.Folder.Store.Remove(r.Folder.Path(file)); err != nil {
			return false, err
		}
	}
	return true, nil
}

func (r *Run) tellReplaced(old, now *PassPlan) {
	if r.Warn != nil {
		r.Warn(fmt.Sprintf("%s: nothing of pass %s is finished, and its settings are replaced:\n  %s", r.Folder.Dir, old.Pass, strings.Join(changed(old, now), "\n  ")))
	}
}

// stillPlanned checks that the plans by which something was made are still those of
// the folder: another process may have replaced them, as nothing was finished.
func (f Folder) stillPlanned(pass, plan, index string) error {
	for _, want := range []struct{ pass, plan string }{{PassIndex, index}, {pass, plan}} {
		is, err := f.Plan(want.pass)
		if err != nil {
			return err
		}
		if is == nil || is.Hash() != want.plan {
			return usage.Errorf("%s: another run replaced the settings of pass %s while this one, of which nothing was finished, was under way: run again with one of the two, or choose another output.dir for this", f.Dir, want.pass)
		}
	}
	return nil
}
