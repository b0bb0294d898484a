package selfcheck

import "capgraph/kernels"

// Outcome is the difference between a device and the plain device in a case.
type Outcome struct {
	// Value and Gradient are the largest Distance of a value and of a gradient.
	Value, Gradient float64
	// Mistakes lists what is wrong whatever the bounds: an input that was changed, a NaN in the
	// first input but in no result, or the device's own error.
	Mistakes []string
}

// Compare runs a case on a device in all ways of Case.results and compares the results with the
// plain device. Memory is full of NaN before.
func Compare(d kernels.Device, c Case) (o Outcome) {
	want := c.results(kernels.NewReference())
	for i, got := range c.results(d) {
		switch distance := Distance(got.numbers, want[i].numbers); {
		case !(distance >= 0) || got.of == inputOf && distance > 0:
			o.Mistakes = append(o.Mistakes, got.String()+" is not that of the reference")
		case got.of == gradientOf:
			o.Gradient = max(o.Gradient, distance)
		default:
			o.Value = max(o.Value, distance)
		}
	}
	if c.hidesNaN(d) {
		o.Mistakes = append(o.Mistakes, "a NaN of the first input is in no value")
	}
	if err := d.Err(); err != nil {
		o.Mistakes = append(o.Mistakes, err.Error())
	}
	return o
}
