package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"capgraph/folder"
	"capgraph/internal/text"
	"capgraph/internal/usage"
)

// action is the way in which a run treats one pass.
type action int

const (
	skip    action = iota // not requested: existing output stays
	keep                  // finished with compatible settings
	resume                // begun with compatible settings
	start                 // nothing of it exists
	replace               // begun with other settings and nothing finished: the new settings replace them
	renew                 // finished before files were appended: its output stays, the new plan replaces the old
	rebuild               // made without source files that can be read now: this pass and later ones start again
	refuse                // the run ends with an error
)

func (a action) String() string {
	return [...]string{"skip", "keep", "resume", "start", "replace", "renew", "rebuild", "refuse"}[a]
}

// situation is what decide needs to know about a pass.
type situation struct {
	dir      string           // of the output folder, for messages
	old      *folder.PassPlan // of the folder; nil if the pass has not begun
	now      *folder.PassPlan // of the recipe
	finished int              // shards with an entry
	complete bool             // all shards are finished

	asked    bool        // the run is to make the pass
	followed bool        // the run is to make a later pass from its output
	only     folder.Pass // the pass that --only names, empty for all
	after    bool        // the pass only comes after this one
	parts    int         // processes that share the folder

	// overShards reports that the pass reads all shards of the previous pass, so that its input names those that are
	// missing.
	overShards bool
	// earlier reports that old is the plan of texts that were made before files were appended.
	earlier bool
	// later are the passes from this one on, with their old and new settings.
	later []replanned
}

// replanned is a pass with the plan of the folder, nil if it has not begun, and the recipe's plan for the same input.
type replanned struct {
	name     folder.Pass
	old, now *folder.PassPlan
}

// decision is an action for a pass, and the plan with which the pass is made.
type decision struct {
	action    action
	plan      *folder.PassPlan
	recovered []string // rebuild: the shards that were missing from its input
	err       error    // refuse
}

// decide returns the action of a run for a pass. It reads and writes nothing: 'capgraph run' acts
// on the decision, 'capgraph plan' prints it.
func decide(s situation) decision {
	if s.old == nil {
		if !s.asked {
			return decision{action: skip, plan: s.now}
		}
		return decision{action: start, plan: s.now}
	}
	if s.overShards && (s.only == "" || s.asked || s.after) {
		if recovered := recoveredShards(s.old.Input, s.now.Input); len(recovered) > 0 {
			return decideRebuild(s, recovered)
		}
	}
	compatible := folder.IsCompatible(s.old, s.now, s.complete)
	switch {
	case !s.asked && !s.followed:
		return decision{action: skip, plan: s.old}
	case s.asked && s.earlier && s.old.Hash() != s.now.Hash():
		// Only the input may differ: it names the appended files.
		same := *s.old
		same.Input = s.now.Input
		if !folder.IsCompatible(&same, s.now, true) {
			return refusal(folder.IncompatibleError(s.dir, &same, s.now))
		}
		return decision{action: renew, plan: s.now}
	case compatible && !s.asked:
		return decision{action: skip, plan: s.old}
	case compatible && s.complete:
		return decision{action: keep, plan: s.old}
	case compatible:
		return decision{action: resume, plan: s.old}
	case s.asked && s.finished == 0 && s.old.IsReadable():
		return decision{action: replace, plan: s.now}
	}
	return refusal(folder.IncompatibleError(s.dir, s.old, s.now))
}

func refusal(err error) decision { return decision{action: refuse, err: err} }

// decideRebuild decides on a pass that was made without shards that exist now.
func decideRebuild(s situation, recovered []string) decision {
	if !s.asked {
		return refusal(&NotReadyError{Pass: s.only, Needs: s.now.Pass, Missing: []string{folder.Whole}})
	}
	for _, p := range s.later {
		if p.old != nil && !folder.IsCompatible(p.old, p.now, true) {
			return refusal(folder.IncompatibleError(s.dir, p.old, p.now))
		}
	}
	if s.parts > 1 {
		return refusal(usage.Errorf("%s: run once with --only %s and without --shard, which removes what the passes %s made, then all parts",
			describeRecovered(s.dir, s.now.Pass, recovered), s.now.Pass, passNames(s.later)))
	}
	return decision{action: rebuild, plan: s.now, recovered: recovered}
}

// describeRecovered returns a message about the shards that exist now and were missing when a pass was made.
func describeRecovered(dir string, pass folder.Pass, shards []string) string {
	return fmt.Sprintf("%s: pass %s was made without %s, which %s there by now", dir, pass, text.List(shards), text.Plural(len(shards), "is", "are"))
}

func passNames(passes []replanned) string {
	names := make([]string, len(passes))
	for i, p := range passes {
		names[i] = string(p.name)
	}
	return strings.Join(names, ", ")
}

// recoveredShards returns the shards that the input of the old plan lacks and that of the new plan has. It returns nil
// if the inputs differ in anything else.
func recoveredShards(old, now string) []string {
	before, missing := strings.Split(old, folder.MissingShardMarker), strings.Split(now, folder.MissingShardMarker)
	if before[0] != missing[0] {
		return nil
	}
	for _, name := range missing[1:] {
		i := slices.Index(before[1:], name)
		if i < 0 {
			return nil
		}
		before = slices.Delete(before, i+1, i+2)
	}
	return before[1:]
}

// planner collects the situation of each pass for decide. Do and Describe both use it.
type planner struct {
	*Run
	only folder.Pass // the pass that Do is limited to; empty for all
}

// readSituation returns the situation of pass i. input is the hash of the plan of its input.
func (p *planner) readSituation(i int, input string, state *folder.State) (situation, error) {
	pass := p.Passes[i]
	s := situation{
		dir: p.Folder.Dir, only: p.only, parts: max(p.Parts, 1),
		asked: p.only == "" || p.only == pass.Name, after: p.passIndex(p.only) > i,
		finished: len(state.Finished(pass.Name)), complete: state.IsComplete(pass.Name),
		overShards: p.readsAllShards(i),
	}
	s.followed = !s.asked && s.after
	var err error
	if s.old, err = state.Plan(pass.Name); err != nil {
		return s, err
	}
	if s.now, err = pass.newPlan(input); err != nil || s.old == nil {
		return s, err
	}
	if s.asked && pass.Name == folder.PassTexts {
		if s.earlier, err = state.IsPlanOfEarlier(s.old.Hash()); err != nil {
			return s, err
		}
	}
	for _, later := range p.Passes[i:] {
		old, err := state.Plan(later.Name)
		if err != nil {
			return s, err
		}
		l := replanned{name: later.Name, old: old}
		if old != nil {
			if l.now, err = later.newPlan(old.Input); err != nil {
				return s, err
			}
		}
		s.later = append(s.later, l)
	}
	return s, nil
}

// readsAllShards reports whether pass i works on the whole folder, and the one before it shard by
// shard.
func (p *planner) readsAllShards(i int) bool {
	return i > 0 && p.Passes[i].Reduce != nil && p.Passes[i-1].Reduce == nil
}
