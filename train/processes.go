package train

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"capgraph/kernels"
	"capgraph/train/group"
)

// Join connects the processes of a training that a launcher started (torchrun, Slurm's srun, Open
// MPI, Kubeflow). All need the same version, recipe, device and decoder. A single process is a
// group of one. warn is called for processes that do not have the group's secret. The caller closes
// the group.
func Join(ctx context.Context, version string, r *Recipe, d kernels.Device, p group.Place, warn func(string)) (*group.Group, error) {
	settings, err := r.pinnedSettings()
	if err != nil {
		return nil, err
	}
	terms := []group.Term{{Name: "version", Value: version}, {Name: "device", Value: d.Name()}}
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		terms = append(terms, group.Term{Name: key, Value: settings[key]})
	}
	return group.Join(ctx, p, group.Options{Terms: terms, Warn: warn})
}

// isLeader reports whether this process writes files and messages.
func (t *training) isLeader() bool { return t.group == nil || t.group.Rank == 0 }

// anyError returns the error of the first process that has one. own is this process's error.
func (t *training) anyError(own error) error {
	if t.group == nil {
		return own
	}
	return t.group.AnyError(own)
}

// runOnLeader runs do in the leading process while the others wait, and returns its error in all.
func (t *training) runOnLeader(do func() error) error {
	var err error
	if t.isLeader() {
		err = do()
	}
	return t.anyError(err)
}

// checkSameOnAll returns an error if a value differs between processes.
func (t *training) checkSameOnAll(what string, mine any) error {
	if t.group == nil {
		return nil
	}
	parts, err := t.group.GatherBytes(fmt.Append(nil, mine))
	if err != nil {
		return err
	}
	for rank, part := range parts {
		if string(part) != string(parts[0]) {
			return fmt.Errorf("%s is %s on rank 0 and %s on rank %d: output.dir has to be a folder that all processes share", what, parts[0], part, rank)
		}
	}
	return nil
}

// wasStopped reports whether an error means that the training was asked to stop.
func wasStopped(ctx context.Context, err error) bool {
	return errors.Is(err, ErrStopped) || ctx.Err() != nil && errors.Is(err, context.Canceled)
}
