package selfcheck

import (
	"fmt"
	"io"

	"capgraph/kernels"
)

// WriteTable runs cases on a device, and writes a line for each operation: the number of cases, the
// largest errors of values and of gradients as ‖Δ‖/‖reference‖, and the mistakes. It returns the
// number of mistakes, and stops if the device fails. title is the heading of the errors.
func WriteTable(w io.Writer, title string, d kernels.Device, cases []Case, bounds func(Case) Bounds) (wrong int) {
	fmt.Fprintf(w, "\n%-26s  %5s  %8s  %9s\n", title, "cases", "values", "gradients")
	for len(cases) > 0 {
		operation := cases[0].Operation
		var worst Outcome
		n := 0
		for ; len(cases) > 0 && cases[0].Operation == operation && d.Err() == nil; cases = cases[1:] {
			o, b := Compare(d, cases[0]), bounds(cases[0])
			if !(o.Value <= b.Value && o.Gradient <= b.Gradient) {
				o.Mistakes = append(o.Mistakes, fmt.Sprintf("values are off by %.1e, gradients by %.1e, where %.1e and %.1e are allowed", o.Value, o.Gradient, b.Value, b.Gradient))
			}
			for _, m := range o.Mistakes {
				worst.Mistakes = append(worst.Mistakes, cases[0].Name+": "+m)
			}
			worst.Value, worst.Gradient = max(worst.Value, o.Value), max(worst.Gradient, o.Gradient)
			n++
		}
		fmt.Fprintf(w, "%-26s  %5d  %8.1e  %9.1e\n", operation, n, worst.Value, worst.Gradient)
		for _, m := range worst.Mistakes {
			fmt.Fprintf(w, "  WRONG  %s\n", m)
		}
		if wrong += len(worst.Mistakes); d.Err() != nil {
			fmt.Fprintf(w, "  WRONG  the device has failed, and does nothing from here on\n")
			break
		}
	}
	return wrong
}
