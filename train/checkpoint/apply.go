package checkpoint

import (
	"fmt"

	"capgraph/kernels"
	"capgraph/train/model"
)

// WriteTo copies the numbers of a tensor to a tensor of a device. It is an error, with the name, if
// t has integers or another number of elements.
func (t Tensor) WriteTo(d kernels.Device, to kernels.Tensor, name string) error {
	x, ok := t.Floats()
	if !ok || len(x) != to.Len() {
		return fmt.Errorf("tensor %s has %d numbers, not %d", name, len(x), to.Len())
	}
	d.Write(to, x)
	return nil
}

// Apply sets all parameters of a model.
func (w Weights) Apply(m *model.Model) error {
	for i, s := range m.Specs {
		if err := w[s.Name].WriteTo(m.Device, m.Vars[i].Value, s.Name); err != nil {
			return err
		}
	}
	return nil
}
