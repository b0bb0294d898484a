package device

import (
	"errors"
	"strings"
	"testing"

	"capgraph/kernels/cuda"
)

// autoNote begins the note of a machine without a card: there is none unless the build has CUDA.
func autoNote() string {
	if _, err := cuda.Open(0, cuda.BFloat16); errors.Is(err, cuda.ErrNotBuilt) {
		return ""
	}
	return "computing on the CPU: "
}

func TestDescribeDevice(t *testing.T) {
	for _, c := range []struct{ name, precision, want, note, err string }{
		{CPU, AnyPrecision, "cpu/", "", ""},
		{CPU, Float32, "cpu/", "", ""},
		{Auto, Float64, "cpu/float64", "", ""},
		{Auto, AnyPrecision, "cpu/", autoNote(), ""},
		{Auto, BFloat16, "", "", "precision is bfloat16, which is for cards, and there is none: "},
		{"cuda:9999", AnyPrecision, "", "", "device is cuda:9999: "},
		{"gpu", AnyPrecision, "", "", `device: "gpu" is none of auto, cpu`},
	} {
		d, note, err := Open(Options{Name: c.name, Precision: c.precision})
		if err == nil && strings.HasPrefix(d.Name(), "cuda/") {
			t.Skip("this machine has a card")
		}
		switch {
		case (err != nil) != (c.err != "") || err != nil && !strings.HasPrefix(err.Error(), c.err):
			t.Errorf("%s, %s: %v, not %q", c.name, c.precision, err, c.err)
		case err != nil && !errors.As(err, new(*UnavailableError)):
			t.Errorf("%v is no mistake of the usage", err)
		case err == nil && (!strings.HasPrefix(d.Name(), c.want) || !strings.HasPrefix(note, c.note) || (note == "") != (c.note == "")):
			t.Errorf("%s, %s: %s with the note %q", c.name, c.precision, d.Name(), note)
		}
		if err == nil {
			d.Close()
		}
	}
}
