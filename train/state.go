package train

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"capgraph/internal/usage"
	"capgraph/store"
	"capgraph/train/checkpoint"
	"capgraph/train/loader"
	"capgraph/train/objective"
)

// checkpoints is the folder of a training's states.
func (r *Recipe) checkpoints() string { return store.Join(r.Output.Dir, "checkpoints") }

// state is what a checkpoint has besides tensors.
type state struct {
	// Position is that of the next batch.
	Position loader.Position `json:"position"`
	Samples  int64           `json:"samples"`
	Seconds  float64         `json:"seconds"`
	// LeftOut are the images left out so far, by reason.
	LeftOut    map[string]int64           `json:"left_out,omitempty"`
	Objectives map[string]objective.State `json:"objectives"`
	// Best is the step of the best checkpoint, and what it has.
	Best     int     `json:"best,omitempty"`
	BestWith float64 `json:"best_with,omitempty"`
	// Losses are those since the last regular checkpoint.
	Losses mean `json:"losses"`
	// Before is what was measured before the first step.
	Before map[string]float64 `json:"before,omitempty"`
	// Made is what bits depend on besides: see made.
	Made map[string]string `json:"made"`
}

// made is what a training goes on with or not at all: what computes, what decodes,
// how many processes, and the settings that change what is learned.
func (t *training) made() (map[string]string, error) {
	settings, err := t.recipe.pinned()
	if err != nil {
		return nil, err
	}
	settings["what computes"] = t.device.Name()
	settings["what decodes images"] = t.decoder
	settings["processes"] = fmt.Sprint(t.world())
	return settings, nil
}

// differences lists what differs between two trainings, by name.
func differences(before, now map[string]string) []string {
	var names []string
	for name := range before {
		if before[name] != now[name] {
			names = append(names, fmt.Sprintf("%s was %s and is %s", name, quoted(before[name]), quoted(now[name])))
		}
	}
	for name := range now {
		if _, ok := before[name]; !ok {
			names = append(names, fmt.Sprintf("%s is %s and was not there", name, quoted(now[name])))
		}
	}
	slices.Sort(names)
	return names
}

func quoted(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}

// save writes a checkpoint of the step that was just done.
func (t *training) save() error {
	t.saved = t.optimiser.Steps()
	return t.alone(t.write)
}

func (t *training) write() error {
	made, err := t.made()
	if err != nil {
		return err
	}
	s := t.state
	s.Made, s.Objectives = made, map[string]objective.State{}
	for _, o := range t.stepper.objectives {
		s.Objectives[o.Name()] = o.State()
	}
	scalars, err := json.Marshal(s)
	if err != nil {
		return err
	}
	tensors := map[string]checkpoint.Tensor{}
	for i, spec := range t.model.Specs {
		if first, second := t.optimiser.Moments(i); !first.None() {
			tensors["first."+spec.Name] = tensorOf(t.device, first)
			tensors["second."+spec.Name] = tensorOf(t.device, second)
		}
	}
	if err := errors.Join(t.log.Sync(), t.journal.put()); err != nil {
		return err
	}
	err = checkpoint.SaveState(t.store, t.recipe.checkpoints(), t.model.Config, checkpoint.State{
		Step: t.optimiser.Steps(), Weights: weightsOf(t.model), Tensors: tensors, Scalars: scalars,
	})
	if err != nil {
		return err
	}
	return checkpoint.Retain(t.store, t.recipe.checkpoints(), t.recipe.Output.Keep, t.state.Best)
}

// resume goes on from the last checkpoint; false where there is none.
func (t *training) resume() (bool, error) {
	steps, err := checkpoint.Steps(t.store, t.recipe.checkpoints())
	if err != nil || len(steps) == 0 {
		return false, err
	}
	last := steps[len(steps)-1]
	name := checkpoint.StateFile(t.recipe.checkpoints(), last)
	s, err := checkpoint.Resume(t.store, t.recipe.checkpoints(), last, t.model.Config)
	if err != nil {
		return false, fmt.Errorf("%w; remove it to go on from the checkpoint before it", err)
	}
	if err := json.Unmarshal(s.Scalars, &t.state); err != nil {
		return false, fmt.Errorf("%s: %w: it is no state of a training", name, err)
	}
	made, err := t.made()
	if err != nil {
		return false, err
	}
	if d := differences(t.state.Made, made); len(d) > 0 {
		return false, usage.Errorf("%s is of another training: %s; set these back, or set output.dir to another folder", name, join(d))
	}
	if err := s.Weights.Put(t.model); err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	for i, spec := range t.model.Specs {
		first, second := t.optimiser.Moments(i)
		if first.None() {
			continue
		}
		if err := s.Tensors["first."+spec.Name].Put(t.device, first, "first."+spec.Name); err != nil {
			return false, fmt.Errorf("%s: %w", name, err)
		}
		if err := s.Tensors["second."+spec.Name].Put(t.device, second, "second."+spec.Name); err != nil {
			return false, fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, o := range t.stepper.objectives {
		if err := o.Restore(t.state.Objectives[o.Name()]); err != nil {
			return false, fmt.Errorf("%s: %s: %w", name, o.Name(), err)
		}
	}
	t.optimiser.Resume(last)
	t.saved = last
	return true, nil
}
