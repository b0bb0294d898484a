package checkpoint

import (
	"fmt"

	"capgraph/kernels"
	"capgraph/train/model"
)

// Put writes the numbers of a tensor of a file to one of a device. It is an error
// that names the tensor where it is of integers or has not as many.
func (t Tensor) Put(d kernels.Device, to kernels.Tensor, name string) error {
	x, ok := t.Floats()
	if !ok || len(x) != to.Len() {
		return fmt.Errorf("tensor %s has %d numbers, not %d", name, len(x), to.Len())
	}
	d.Write(to, x)
	return nil
}

// Put gives all parameters of a model their values.
func (w Weights) Put(m *model.Model) error {
	for i, s := range m.Specs {
		if err := w[s.Name].Put(m.Device, m.Vars[i].Value, s.Name); err != nil {
			return err
		}
	}
	return nil
}
