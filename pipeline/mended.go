package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"capgraph/folder"
	"capgraph/internal/plural"
	"capgraph/internal/usage"
)

// remakeWithMended removes what the pass of that number and those after it made
// without shards that are there by now, their files having been mended: all is made
// anew of all shards. now is the plan of the pass. It gives the state after it.
func (r *Run) remakeWithMended(at int, now *folder.PassPlan, only folder.Pass, state *folder.State) (*folder.State, error) {
	pass := r.Passes[at]
	old, err := state.Plan(pass.Name)
	if err != nil {
		return nil, err
	}
	if old == nil || r.at(only) >= 0 && r.at(only) < at {
		return state, nil
	}
	mended := lackedBefore(old.Input, now.Input)
	if len(mended) == 0 {
		return state, nil
	}
	if only != "" && only != pass.Name {
		return nil, &NotReadyError{Pass: only, Needs: pass.Name, Missing: []string{folder.Whole}}
	}
	var names []string
	for _, p := range r.Passes[at:] {
		names = append(names, string(p.Name))
		if err := r.checkRemade(p, only, state); err != nil {
			return nil, err
		}
	}
	what := fmt.Sprintf("%s: pass %s was made without %s, which %s there by now", r.Folder.Dir, pass.Name, plural.Some(mended), plural.Of(len(mended), "is", "are"))
	if r.Parts > 1 {
		return nil, usage.Errorf("%s: run once with --only %s and without --shard, which removes what the passes %s made, then all parts", what, pass.Name, strings.Join(names, ", "))
	}
	r.tell(fmt.Sprintf("%s: the passes %s are made anew", what, strings.Join(names, ", ")))
	return r.remove(at, state.Index)
}

// checkRemade checks that a pass can be made anew with the settings that it was made
// with.
func (r *Run) checkRemade(pass *Pass, only folder.Pass, state *folder.State) error {
	old, err := state.Plan(pass.Name)
	if err != nil {
		return err
	}
	if old != nil {
		now, err := pass.plan(old.Input)
		if err != nil {
			return err
		}
		if err := r.Folder.Same(old, now, true); err != nil {
			return err
		}
	}
	if pass.Able != nil && (only == "" || only == pass.Name) {
		return pass.Able()
	}
	return nil
}

// lackedBefore lists the shards that the input of a plan lacked and that of the plan
// now does not, where the inputs differ in nothing else.
func lackedBefore(old, now string) []string {
	before, left := strings.Split(old, folder.Without), strings.Split(now, folder.Without)
	if before[0] != left[0] {
		return nil
	}
	for _, name := range left[1:] {
		i := slices.Index(before[1:], name)
		if i < 0 {
			return nil
		}
		before = slices.Delete(before, i+1, i+2)
	}
	return before[1:]
}
