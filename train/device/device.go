// Package device opens the device that models compute on, an NVIDIA card or the processor, given its name in recipes
// and commands: auto, cpu, cuda, cuda:0.
package device

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"capgraph/kernels"
	"capgraph/kernels/cpu"
	"capgraph/kernels/cuda"
)

// The names of devices. A certain card is cuda: and its number, such as cuda:0.
const (
	Auto = "auto" // a card if there is one
	CPU  = "cpu"
	CUDA = "cuda" // the card with the process's number on its machine
)

// The precisions.
const (
	AnyPrecision = "auto" // bfloat16 on a card, float32 on the CPU
	Float32      = "float32"
	Float64      = "float64" // of the CPU
	BFloat16     = "bfloat16"
)

// Options say which device Open opens.
type Options struct {
	Name, Precision string
	// Local is the number of the process on its machine. It is also that of its card, unless Name has a number.
	Local int
}

// UnavailableError is the error of Open if a device does not exist or does not fit the options.
type UnavailableError struct{ text string }

// Error implements error.
func (e *UnavailableError) Error() string { return e.text }

// ExitCode returns 2, the code of a usage error.
func (e *UnavailableError) ExitCode() int { return 2 }

var cardName = regexp.MustCompile(`^cuda:[0-9]{1,4}$`)

// CheckName returns an error unless a name is the name of a device.
func CheckName(name string) error {
	if name != Auto && name != CPU && name != CUDA && !cardName.MatchString(name) {
		return fmt.Errorf("%q is none of auto, cpu, cuda, cuda:0, cuda:1, …", name)
	}
	return nil
}

// CheckPrecision returns an error if a device cannot compute with a precision.
func CheckPrecision(name, precision string) error {
	switch {
	case precision == Float64 && strings.HasPrefix(name, CUDA):
		return fmt.Errorf("float64 is for the CPU, and device is %s: set device to cpu", name)
	case precision == BFloat16 && name == CPU:
		return errors.New("bfloat16 is for cards, and device is cpu: set this to auto")
	}
	return nil
}

// Open opens a device. If the name is auto, the build has CUDA and no card is used, note says why. The error is an
// *UnavailableError.
func Open(o Options) (d kernels.Device, note string, err error) {
	if err := CheckName(o.Name); err != nil {
		return nil, "", &UnavailableError{"device: " + err.Error()}
	}
	switch {
	case o.Precision == Float64:
		return kernels.NewReference(), "", nil
	case o.Name == CPU:
		return cpu.New(), "", nil
	}
	card := o.Local
	if number, ok := strings.CutPrefix(o.Name, CUDA+":"); ok {
		if card, err = strconv.Atoi(number); err != nil {
			return nil, "", err
		}
	}
	precision := cuda.BFloat16
	if o.Precision == Float32 {
		precision = cuda.Float32
	}
	opened, err := cuda.Open(card, precision)
	switch {
	case err == nil:
		return opened, "", nil
	case o.Name == Auto && o.Precision != BFloat16 && errors.Is(err, cuda.ErrNotBuilt):
		return cpu.New(), "", nil // without CUDA in the build, auto needs no note
	case o.Name == Auto && o.Precision != BFloat16:
		return cpu.New(), fmt.Sprintf("computing on the CPU: %v", err), nil
	case o.Name == Auto:
		return nil, "", &UnavailableError{fmt.Sprintf("precision is bfloat16, which is for cards, and there is none: %v", err)}
	}
	return nil, "", &UnavailableError{fmt.Sprintf("device is %s: %v", o.Name, err)}
}
