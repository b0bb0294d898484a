package main

import (
	"errors"
	"fmt"
	"slices"

	"capgraph/kernels/cpu"
	"capgraph/kernels/cuda"
	"capgraph/kernels/selfcheck"
	"capgraph/look/inspect"
)

// doctorCommand tells what a training can compute on.
type doctorCommand struct {
	GPU int `default:"0" name:"gpu" help:"Number of the GPU." placeholder:"N"`
}

// Help is shown below the flags.
func (doctorCommand) Help() string {
	return `Lists the devices that a training can use, and checks their arithmetic: the CPU; and, of a build with CUDA, the driver, the libraries that
were found and where, the cards and their memory. Each operation is held against the plain device in float64; a table has the
worst errors of values and of gradients, as ‖Δ‖/‖reference‖. It is what to run first on a new card, and what to send with a report.

Exit codes: 0 all is right, or the build has no CUDA; 1 something is missing or wrong.`
}

// mostOff are how far the CPU may be from the plain device.
var mostOff = selfcheck.Bounds{Value: 2e-6, Gradient: 5e-5}

// Run implements doctor.
func (c *doctorCommand) Run(std streams) error {
	out := inspect.NewPrinter(std.out)
	if err := (&versionCommand{}).Run(std); err != nil {
		return err
	}
	d := cpu.New()
	small := slices.DeleteFunc(selfcheck.Cases(), func(c selfcheck.Case) bool { return c.Large })
	wrong := selfcheck.WriteTable(out, d.Name(), d, small, func(selfcheck.Case) selfcheck.Bounds { return mostOff })
	if err := d.Close(); err != nil {
		return err
	}
	if wrong > 0 {
		return fmt.Errorf("%d results are wrong on this processor: please report them, with the output above", wrong)
	}
	fmt.Fprintln(out)
	err := cuda.Doctor(out, c.GPU)
	if errors.Is(err, cuda.ErrNotBuilt) {
		_, err = fmt.Fprintf(out, "no card: %v\n", err)
	}
	return err
}
