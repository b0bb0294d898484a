package train

import (
	"errors"
	"fmt"

	"capgraph/internal/strictyaml"
	"capgraph/kernels"
	"capgraph/train/device"
)

func (r *Recipe) checkDevice() error {
	if err := device.CheckName(r.Device); err != nil {
		return strictyaml.At("device", err)
	}
	if err := device.CheckPrecision(r.Device, r.Precision); err != nil {
		return strictyaml.At("precision", err)
	}
	return nil
}

// OpenDevice opens what the recipe computes on, in the process of that number on its
// machine. note says why it is no card, where one would have been taken.
func (r *Recipe) OpenDevice(local int) (d kernels.Device, note string, err error) {
	return device.Open(device.Options{Name: r.Device, Precision: r.Precision, Local: local})
}

// failed is what went wrong on a device, with what to do where its memory is short.
func failed(d kernels.Device) error {
	err := d.Err()
	if errors.Is(err, kernels.ErrMemory) {
		return fmt.Errorf("%w: set batch.recompute to blocks, lower batch.chunk_tokens (0 is all at once), then batch.size; capgraph train --dry-run tells what takes how much", err)
	}
	return err
}
