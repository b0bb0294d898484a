package device

import (
	"errors"
	"strings"
	"testing"
)

func TestWhatComputes(t *testing.T) {
	for _, c := range []struct{ name, precision, want, note, err string }{
		{CPU, AnyPrecision, "cpu/", "", ""},
		{CPU, Float32, "cpu/", "", ""},
		{Auto, Float64, "cpu/float64", "", ""},
		{Auto, AnyPrecision, "cpu/", "computing on the CPU: ", ""},
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
