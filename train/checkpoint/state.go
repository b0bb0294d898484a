package checkpoint

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"capgraph/store"
	"capgraph/train/model"
)

// StatePrefix is the prefix of the names of tensors that belong to a training, not to its model.
const StatePrefix = "capgraph.state."

// The metadata keys of a state.
const (
	stepKey    = "capgraph.step"
	scalarsKey = "capgraph.state"
)

// State is everything that a training needs to continue as if it had not stopped.
type State struct {
	// Step is the number of finished steps.
	Step    int
	Weights Weights
	// Tensors has the state's arrays, such as the moments of the optimiser. The caller chooses the
	// names.
	Tensors map[string]Tensor
	// Scalars is a JSON value with the rest of the state, such as the position in the data.
	Scalars json.RawMessage
}

const (
	stateName = "step-"
	stateExt  = ".safetensors"
)

// StateFile returns the name of the file of a training's state after that many steps, in the folder
// dir.
func StateFile(dir string, step int) string {
	return store.Join(dir, fmt.Sprintf("%s%09d%s", stateName, step, stateExt))
}

// SaveState writes the file of a state into a folder. If the process dies, the file is complete or
// does not exist.
func SaveState(s store.Store, dir string, c model.Config, st State) error {
	name := StateFile(dir, st.Step)
	tensors, metadata, err := st.Weights.storedTensors(c)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for n, t := range st.Tensors {
		tensors[StatePrefix+n] = t
	}
	metadata[stepKey] = strconv.Itoa(st.Step)
	metadata[scalarsKey] = string(st.Scalars)
	if _, err := s.Sweep(dir); err != nil {
		return err
	}
	return Save(s, name, tensors, metadata)
}

// Steps returns the steps of the states in a folder, ascending; none if the folder does not exist.
func Steps(s store.Store, dir string) ([]int, error) {
	infos, err := s.List(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var steps []int
	for _, i := range infos {
		digits, ok := strings.CutPrefix(path.Base(i.Name), stateName)
		digits, whole := strings.CutSuffix(digits, stateExt)
		if step, err := strconv.Atoi(digits); ok && whole && err == nil && step >= 0 && path.Base(i.Name) == path.Base(StateFile(dir, step)) {
			steps = append(steps, step)
		}
	}
	slices.Sort(steps)
	return steps, nil
}

// LoadState reads the state of a training of this model after that many steps.
func LoadState(s store.Store, dir string, step int, c model.Config) (State, error) {
	name := StateFile(dir, step)
	r, err := Open(s, name)
	if err != nil {
		return State{}, err
	}
	defer r.Close()
	st := State{Tensors: map[string]Tensor{}, Scalars: json.RawMessage(r.Metadata[scalarsKey])}
	if st.Step, err = strconv.Atoi(r.Metadata[stepKey]); err != nil || st.Step != step {
		return State{}, fmt.Errorf("%s says that it is of step %q: it is not the state of a training, or was renamed", name, r.Metadata[stepKey])
	}
	config, err := c.JSON()
	if err != nil {
		return State{}, err
	}
	if r.Metadata[modelKey] != string(config) {
		return State{}, fmt.Errorf("%s belongs to another model than the recipe's (%s): continue with that model, or write to another folder",
			name, describeDifference(r.Metadata[modelKey], string(config)))
	}
	if st.Weights, err = r.Weights(c); err != nil {
		return State{}, err
	}
	for _, i := range r.Infos() {
		if n, ok := strings.CutPrefix(i.Name, StatePrefix); ok {
			if st.Tensors[n], err = r.Tensor(i.Name); err != nil {
				return State{}, err
			}
		}
	}
	return st, nil
}

// maxDifferences is the maximum number of keys that describeDifference lists.
const maxDifferences = 5

// describeDifference returns the keys in which two configurations differ, with both values, such as
// "text_cfg.context_length: 77 → 48".
func describeDifference(was, is string) string {
	before, after := flattenKeys(was), flattenKeys(is)
	var names []string
	for key := range before {
		if before[key] != after[key] {
			names = append(names, key)
		}
	}
	for key := range after {
		if _, there := before[key]; !there {
			names = append(names, key)
		}
	}
	slices.Sort(names)
	var differ []string
	for _, key := range names[:min(len(names), maxDifferences)] {
		differ = append(differ, fmt.Sprintf("%s: %s → %s", strings.TrimPrefix(key, "model_cfg."), cmp.Or(before[key], "unset"), cmp.Or(after[key], "unset")))
	}
	if n := len(names) - len(differ); n > 0 {
		differ = append(differ, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(differ, ", ")
}

// flattenKeys returns the values of a JSON object, by paths such as "text_cfg.context_length"; none
// if text is no object.
func flattenKeys(text string) map[string]string {
	values := map[string]string{}
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &object) != nil {
		return values
	}
	for key, value := range object {
		below := flattenKeys(string(value))
		for path, v := range below {
			values[key+"."+path] = v
		}
		if len(below) == 0 {
			values[key] = string(value)
		}
	}
	return values
}

// Retain removes the states in a folder, except the last ones (as many as last) and those of the
// steps keep, such as the best one.
func Retain(s store.Store, dir string, last int, keep ...int) error {
	steps, err := Steps(s, dir)
	if err != nil {
		return err
	}
	for _, step := range steps[:max(0, len(steps)-last)] {
		if !slices.Contains(keep, step) {
			if err := s.Remove(StateFile(dir, step)); err != nil {
				return err
			}
		}
	}
	return nil
}
