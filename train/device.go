package train

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"capgraph/internal/strictyaml"
	"capgraph/kernels"
	"capgraph/kernels/cpu"
	"capgraph/kernels/cuda"
)

// The values of Recipe.Device, besides a card by its number: cuda:0.
const (
	DeviceAuto = "auto" // a card where there is one
	DeviceCPU  = "cpu"
	DeviceCUDA = "cuda" // the card that has the number of the process on its machine
)

// The values of Recipe.Precision.
const (
	PrecisionAuto = "auto" // bfloat16 on a card, float32 on the CPU
	Float32       = "float32"
	Float64       = "float64"
	BFloat16      = "bfloat16"
)

var oneCard = regexp.MustCompile(`^cuda:[0-9]{1,4}$`)

func (r *Recipe) checkDevice() error {
	named := r.Device == DeviceAuto || r.Device == DeviceCPU || r.Device == DeviceCUDA
	switch {
	case !named && !oneCard.MatchString(r.Device):
		return strictyaml.At("device", fmt.Errorf("%q is none of auto, cpu, cuda, cuda:0, cuda:1, …", r.Device))
	case r.Precision == Float64 && strings.HasPrefix(r.Device, DeviceCUDA):
		return strictyaml.At("precision", fmt.Errorf("float64 is for the CPU, and device is %s: set device to cpu", r.Device))
	case r.Precision == BFloat16 && r.Device == DeviceCPU:
		return strictyaml.At("precision", errors.New("bfloat16 is for cards, and device is cpu: set this to auto"))
	}
	return nil
}

// openDevice is what the recipe computes on, in the process of that number on its
// machine. note says why it is no card, where one would have been taken.
func (r *Recipe) openDevice(local int) (d kernels.Device, note string, err error) {
	switch {
	case r.Precision == Float64:
		return kernels.NewReference(), "", nil
	case r.Device == DeviceCPU:
		return cpu.New(), "", nil
	}
	if number, ok := strings.CutPrefix(r.Device, DeviceCUDA+":"); ok {
		if local, err = strconv.Atoi(number); err != nil {
			return nil, "", err
		}
	}
	precision := cuda.BFloat16
	if r.Precision == Float32 {
		precision = cuda.Float32
	}
	card, err := cuda.Open(local, precision)
	switch {
	case err == nil:
		return card, "", nil
	case r.Device == DeviceAuto && r.Precision != BFloat16:
		return cpu.New(), fmt.Sprintf("computing on the CPU: %v", err), nil
	case r.Device == DeviceAuto:
		return nil, "", &UsageError{Text: fmt.Sprintf("precision is bfloat16, which is for cards, and there is none: %v", err)}
	}
	return nil, "", &UsageError{Text: fmt.Sprintf("device is %s: %v", r.Device, err)}
}

// failed is what went wrong on a device, with what to do where its memory is short.
func failed(d kernels.Device) error {
	err := d.Err()
	if errors.Is(err, kernels.ErrMemory) {
		return fmt.Errorf("%w: set batch.recompute to blocks, lower batch.chunk_tokens (0 is all at once), then batch.size; capgraph train --dry-run tells what takes how much", err)
	}
	return err
}
