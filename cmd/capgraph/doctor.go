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

// doctorCommand lists and checks devices.
type doctorCommand struct {
	GPU int `default:"0" name:"gpu" help:"Number of the GPU." placeholder:"N"`
}

// Help returns the text below the usage.
func (doctorCommand) Help() string {
	return `Checks the arithmetic of the CPU. A build with CUDA also lists the driver, the libraries and their paths, and the GPUs with their
memory, and checks one GPU. Each operation is compared with the float64 reference; the table shows the largest errors of values
and of gradients, as ‖Δ‖/‖reference‖. Run it first on a new GPU, and attach its output to bug reports.

Exit codes: 0 all is correct, or the build has no CUDA; 1 something is missing or wrong.`
}

// cpuBounds are the largest accepted differences between the CPU's results and the reference.
var cpuBounds = selfcheck.Bounds{Value: 2e-6, Gradient: 5e-5}

// Run implements doctor.
func (c *doctorCommand) Run(std streams) error {
	out := inspect.NewPrinter(std.out)
	if err := (&versionCommand{}).Run(std); err != nil {
		return err
	}
	d := cpu.New()
	small := slices.DeleteFunc(selfcheck.Cases(), func(c selfcheck.Case) bool { return c.Large })
	wrong := selfcheck.WriteTable(out, d.Name(), d, small, func(selfcheck.Case) selfcheck.Bounds { return cpuBounds })
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
