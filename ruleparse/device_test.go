package ruleparse

import (
	"strings"
	"testing"
)

func TestDevicesAreNamed(t *testing.T) {
	for _, name := range []string{"cpu", "cuda", "cuda:0", "cuda:12"} {
		if err := CheckDevice(name); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"", "auto", "gpu", "CPU", "cuda:", "cuda:x", "cuda:-1", "cuda:+1", "cuda 1", "cuda1", "cuda:1:1", "cuda:123456"} {
		err := CheckDevice(name)
		if err == nil || !strings.HasSuffix(err.Error(), "is none of cpu, cuda, cuda:0, cuda:1, …") {
			t.Errorf("%q: %v", name, err)
		}
		if used := newReader(t, Fast).UseDevice(name); used == nil || used.Error() != "device: "+err.Error() {
			t.Errorf("%q is used: %v", name, used)
		}
	}
}

// TestACardThatIsNotThereIsAnError asks for a card that no machine has, and reads on the processor after that.
func TestACardThatIsNotThereIsAnError(t *testing.T) {
	p := newReader(t, Encoder)
	err := p.UseDevice("cuda:9999")
	if err == nil || !strings.HasPrefix(err.Error(), "device is cuda:9999: ") || !strings.HasSuffix(err.Error(), "; cpu needs none") {
		t.Errorf("error %v", err)
	}
	for _, err := range []error{p.UseDevice(CPU), newReader(t, Fast).UseDevice("cuda:9999")} {
		if err != nil {
			t.Error(err)
		}
	}
}
