package train

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"capgraph/internal/usage"
	"capgraph/kernels"
	"capgraph/store"
	"capgraph/train/checkpoint"
	"capgraph/train/loader"
	"capgraph/train/objective"
)

// checkpointsDir returns the folder of a training's checkpoints.
func (r *Recipe) checkpointsDir() string { return store.Join(r.Output.Dir, "checkpoints") }

// trainingState is everything in a checkpoint except tensors.
type trainingState struct {
	// Position is the position of the next batch.
	Position loader.Position `json:"position"`
	Samples  int64           `json:"samples"`
	Seconds  float64         `json:"seconds"`
	// LeftOut counts the images left out so far, by reason.
	LeftOut    map[string]int64           `json:"left_out,omitempty"`
	Objectives map[string]objective.State `json:"objectives"`
	// Best is the step of the best checkpoint, BestValue the value that it is compared by.
	Best      int     `json:"best,omitempty"`
	BestValue float64 `json:"best_with,omitempty"`
	// Losses is the mean loss since the last regular checkpoint.
	Losses runningMean `json:"losses"`
	// Before has the results of the benchmarks before the first step.
	Before []Measured `json:"before,omitempty"`
	// Provenance has everything else that the trained weights depend on; see training.provenance.
	Provenance map[string]string `json:"made"`
}

// provenance returns what must be the same when a training is resumed: device, number of processes,
// the files of texts, and the settings that change the trained weights.
func (t *training) provenance() (map[string]string, error) {
	settings, err := t.recipe.pinnedSettings()
	if err != nil {
		return nil, err
	}
	settings["what computes"] = t.device.Name()
	settings["processes"] = fmt.Sprint(t.worldSize())
	if t.teacherDigest != "" {
		settings["the weights of the teacher"] = t.teacherDigest
	}
	settings["the files of texts"] = t.loader.Fingerprint()
	return settings, nil
}

// listDifferences returns a line for each name whose values differ, sorted by name.
func listDifferences(before, now map[string]string) []string {
	var names []string
	for name := range before {
		if before[name] != now[name] {
			names = append(names, fmt.Sprintf("%s was %s and is %s", name, orNothing(before[name]), orNothing(now[name])))
		}
	}
	for name := range now {
		if _, ok := before[name]; !ok {
			names = append(names, fmt.Sprintf("%s is %s and was not there", name, orNothing(now[name])))
		}
	}
	slices.Sort(names)
	return names
}

// orNothing returns s, or "nothing" if it is empty.
func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}

// stateTensors yields the averages of weights and the adapters, each with its name in a checkpoint.
func (t *training) stateTensors() iter.Seq2[string, kernels.Tensor] {
	return func(yield func(string, kernels.Tensor) bool) {
		for name, tensor := range t.optimiser.AdapterState() {
			if !yield(name, tensor) {
				return
			}
		}
		for name, tensor := range t.emaTensors() {
			if !yield(name, tensor) {
				return
			}
		}
	}
}

// saveCheckpoint writes a checkpoint after the last step.
func (t *training) saveCheckpoint() error {
	t.savedStep = t.optimiser.Steps()
	return t.runOnLeader(t.writeCheckpoint)
}

// writeCheckpoint writes the checkpoint in the leading process.
func (t *training) writeCheckpoint() error {
	made, err := t.provenance()
	if err != nil {
		return err
	}
	s := t.state
	s.Provenance, s.Objectives = made, map[string]objective.State{}
	for _, o := range t.stepper.objectives {
		s.Objectives[o.Name()] = o.State()
	}
	scalars, err := json.Marshal(s)
	if err != nil {
		return err
	}
	tensors := map[string]checkpoint.Tensor{}
	for i, spec := range t.model.Specs {
		if first, second := t.optimiser.Moments(i); !first.IsNone() {
			tensors["first."+spec.Name] = readTensor(t.device, first)
			tensors["second."+spec.Name] = readTensor(t.device, second)
		}
	}
	for name, tensor := range t.stateTensors() {
		tensors[name] = readTensor(t.device, tensor)
	}
	if err := errors.Join(t.log.Sync(), t.journal.upload()); err != nil {
		return err
	}
	err = checkpoint.SaveState(t.store, t.recipe.checkpointsDir(), t.model.Config, checkpoint.State{
		Step: t.optimiser.Steps(), Weights: readWeights(t.model), Tensors: tensors, Scalars: scalars,
	})
	if err != nil {
		return err
	}
	return checkpoint.Retain(t.store, t.recipe.checkpointsDir(), t.recipe.Output.Keep, t.state.Best)
}

// resumeFromLast restores the last checkpoint and reports whether there is one.
func (t *training) resumeFromLast() (bool, error) {
	steps, err := checkpoint.Steps(t.store, t.recipe.checkpointsDir())
	if err != nil || len(steps) == 0 {
		return false, err
	}
	last := steps[len(steps)-1]
	name := checkpoint.StateFile(t.recipe.checkpointsDir(), last)
	s, err := checkpoint.LoadState(t.store, t.recipe.checkpointsDir(), last, t.model.Config)
	if err != nil {
		return false, fmt.Errorf("%w; remove it to resume from the checkpoint before it", err)
	}
	if err := json.Unmarshal(s.Scalars, &t.state); err != nil {
		return false, fmt.Errorf("%s: %w: it is not the state of a training", name, err)
	}
	made, err := t.provenance()
	if err != nil {
		return false, err
	}
	if d := listDifferences(t.state.Provenance, made); len(d) > 0 {
		return false, usage.Errorf("%s belongs to another training: %s; set these back, or set output.dir to another folder", name, strings.Join(d, "; "))
	}
	if err := s.Weights.Apply(t.model); err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	for i, spec := range t.model.Specs {
		first, second := t.optimiser.Moments(i)
		if first.IsNone() {
			continue
		}
		if err := s.Tensors["first."+spec.Name].WriteTo(t.device, first, "first."+spec.Name); err != nil {
			return false, fmt.Errorf("%s: %w", name, err)
		}
		if err := s.Tensors["second."+spec.Name].WriteTo(t.device, second, "second."+spec.Name); err != nil {
			return false, fmt.Errorf("%s: %w", name, err)
		}
	}
	for tensor, to := range t.stateTensors() {
		if err := s.Tensors[tensor].WriteTo(t.device, to, tensor); err != nil {
			return false, fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, o := range t.stepper.objectives {
		if err := o.Restore(t.state.Objectives[o.Name()]); err != nil {
			return false, fmt.Errorf("%s: %s: %w", name, o.Name(), err)
		}
	}
	t.optimiser.SetSteps(last)
	t.savedStep = last
	return true, nil
}
