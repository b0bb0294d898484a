package train

import (
	"errors"
	"fmt"

	"capgraph/internal/strictyaml"
	"capgraph/kernels"
	"capgraph/train/device"
)

// checkDevice checks the settings device and precision.
func (r *Recipe) checkDevice() error {
	if err := device.CheckName(r.Device); err != nil {
		return strictyaml.At("device", err)
	}
	if err := device.CheckPrecision(r.Device, r.Precision); err != nil {
		return strictyaml.At("precision", err)
	}
	return nil
}

// OpenDevice opens the recipe's device, for the process with number local on its machine. If the
// device is auto and no card is used, note says why.
func (r *Recipe) OpenDevice(local int) (d kernels.Device, note string, err error) {
	return device.Open(device.Options{Name: r.Device, Precision: r.Precision, Local: local})
}

// deviceError returns the error of a device, if it has one. If memory is short, the error says
// which settings to change.
func deviceError(d kernels.Device) error {
	err := d.Err()
	if errors.Is(err, kernels.ErrMemory) {
		return fmt.Errorf("%w: set batch.recompute to blocks, lower batch.chunk_tokens (0 is all at once), then batch.size; capgraph train --dry-run lists what takes how much", err)
	}
	return err
}
