package train

import (
	"errors"
	"strings"
	"testing"

	"capgraph/kernels"
)

// broke is a device that has failed.
type broke struct {
	*kernels.Reference
	err error
}

func (b broke) Err() error { return b.err }

func TestWhatComputes(t *testing.T) {
	for _, c := range []struct{ device, precision, want, note, err string }{
		{DeviceCPU, PrecisionAuto, "cpu/", "", ""},
		{DeviceCPU, Float32, "cpu/", "", ""},
		{DeviceAuto, Float64, "cpu/float64", "", ""},
		{DeviceAuto, PrecisionAuto, "cpu/", "computing on the CPU: ", ""},
		{DeviceAuto, BFloat16, "", "", "precision is bfloat16, which is for cards, and there is none: "},
		{"cuda:9999", PrecisionAuto, "", "", "device is cuda:9999: "},
	} {
		d, note, err := (&Recipe{Device: c.device, Precision: c.precision}).openDevice(0)
		if err == nil && strings.HasPrefix(d.Name(), "cuda/") {
			t.Skip("this machine has a card")
		}
		switch {
		case (err != nil) != (c.err != "") || err != nil && !strings.HasPrefix(err.Error(), c.err):
			t.Errorf("%s, %s: %v, not %q", c.device, c.precision, err, c.err)
		case err != nil && !errors.As(err, new(*UsageError)):
			t.Errorf("%v is no mistake of the recipe", err)
		case err == nil && (!strings.HasPrefix(d.Name(), c.want) || !strings.HasPrefix(note, c.note) || (note == "") != (c.note == "")):
			t.Errorf("%s, %s: %s with the note %q", c.device, c.precision, d.Name(), note)
		}
	}
}

func TestDevicesThatCannotBeMeant(t *testing.T) {
	for _, c := range []struct{ device, precision, want string }{
		{"cuda:", PrecisionAuto, "none of auto, cpu, cuda"}, {"cuda:-1", PrecisionAuto, "none of auto"}, {"cuda:0x", Float32, "none of auto"},
		{"cuda:1", Float64, "float64 is for the CPU"}, {DeviceCUDA, Float64, "set device to cpu"}, {DeviceCPU, BFloat16, "bfloat16 is for cards"},
		{"cuda:12", BFloat16, ""}, {DeviceCUDA, Float32, ""}, {DeviceAuto, Float64, ""},
	} {
		err := (&Recipe{Device: c.device, Precision: c.precision}).checkDevice()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s: %v, not %q", c.device, c.precision, err, c.want)
		}
	}
}

func TestWhatToDoWithoutMemory(t *testing.T) {
	err := failed(broke{kernels.NewReference(), kernels.ErrMemory})
	if err == nil || err.Error() != "out of memory: set batch.recompute to blocks, lower batch.chunk_tokens (0 is all at once), then batch.size; capgraph train --dry-run tells what takes how much" {
		t.Error(err)
	}
	if err := failed(kernels.NewReference()); err != nil {
		t.Error(err)
	}
}
