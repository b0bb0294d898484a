package train

import (
	"strings"
	"testing"

	"capgraph/kernels"
	"capgraph/train/device"
)

// broke is a device that has failed.
type broke struct {
	*kernels.Reference
	err error
}

func (b broke) Err() error { return b.err }

func TestImpossibleDevices(t *testing.T) {
	for _, c := range []struct{ device, precision, want string }{
		{"cuda:", device.AnyPrecision, "none of auto, cpu, cuda"}, {"cuda:-1", device.AnyPrecision, "none of auto"}, {"cuda:0x", device.Float32, "none of auto"},
		{"cuda:1", device.Float64, "float64 is for the CPU"}, {device.CUDA, device.Float64, "set device to cpu"}, {device.CPU, device.BFloat16, "bfloat16 is for cards"},
		{"cuda:12", device.BFloat16, ""}, {device.CUDA, device.Float32, ""}, {device.Auto, device.Float64, ""},
	} {
		err := (&Recipe{Device: c.device, Precision: c.precision}).checkDevice()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s: %v, not %q", c.device, c.precision, err, c.want)
		}
	}
}

func TestLackOfMemoryNamesTheSettings(t *testing.T) {
	err := deviceError(broke{kernels.NewReference(), kernels.ErrMemory})
	if err == nil || err.Error() != "out of memory: set batch.recompute to blocks, lower batch.chunk_tokens (0 is all at once), then batch.size; capgraph train --dry-run lists what takes how much" {
		t.Error(err)
	}
	if err := deviceError(kernels.NewReference()); err != nil {
		t.Error(err)
	}
}
