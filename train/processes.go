package train

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"capgraph/kernels"
	"capgraph/train/group"
	"capgraph/train/images"
)

// Join connects the processes of a training that a launcher started (torchrun,
// Slurm's srun, Open MPI, Kubeflow), which have to have the same version, recipe,
// device and decoder; a process alone is a group of one. Close it at the end.
func Join(ctx context.Context, version string, r *Recipe, d kernels.Device, p group.Place) (*group.Group, error) {
	settings, err := r.pinned()
	if err != nil {
		return nil, err
	}
	terms := []group.Term{{Name: "version", Value: version}, {Name: "device", Value: d.Name()}, {Name: "decoder", Value: images.DecoderName()}}
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		terms = append(terms, group.Term{Name: key, Value: settings[key]})
	}
	return group.Join(ctx, p, group.Options{Terms: terms})
}

// leads says whether this process is the one that writes and tells.
func (t *training) leads() bool { return t.group == nil || t.group.Rank == 0 }

// together is the error of the first process that has one.
func (t *training) together(own error) error {
	if t.group == nil {
		return own
	}
	return t.group.AnyError(own)
}

// alone lets the leading process do what others wait for.
func (t *training) alone(do func() error) error {
	var err error
	if t.leads() {
		err = do()
	}
	return t.together(err)
}

// agree says of something that all processes have to have alike whether they do.
func (t *training) agree(what string, mine any) error {
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

// stopped says whether an error is that of a training that was told to stop.
func stopped(ctx context.Context, err error) bool {
	return errors.Is(err, ErrStopped) || ctx.Err() != nil && errors.Is(err, context.Canceled)
}
