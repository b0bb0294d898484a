package checkpoint

import (
	"fmt"
	"slices"

	"capgraph/store"
	"capgraph/train/model"
)

// WeightsFile is the name of the weights in a local-dir of open_clip.
const WeightsFile = "open_clip_model.safetensors"

// modelKey is the metadata key whose value is the model's configuration.
const modelKey = "capgraph.model"

// ToStored converts a parameter from [Rows, Cols] to the shape and order in which open_clip stores
// it.
func ToStored(s model.Spec, t Tensor) (Tensor, error) {
	if !slices.Equal(t.Shape, []int{s.Rows, s.Cols}) {
		return Tensor{}, fmt.Errorf("parameter %s is %v, not [%d %d]", s.Name, t.Shape, s.Rows, s.Cols)
	}
	t.Shape = s.Shape
	if s.Transposed {
		switch data := t.Data.(type) {
		case []float32:
			t.Data = transposeMatrix(data, s.Rows, s.Cols)
		case []float64:
			t.Data = transposeMatrix(data, s.Rows, s.Cols)
		}
	}
	if s.Pixels > 1 {
		switch data := t.Data.(type) {
		case []float32:
			t.Data = transposeKernels(data, s, s.Pixels, s.Cols/s.Pixels)
		case []float64:
			t.Data = transposeKernels(data, s, s.Pixels, s.Cols/s.Pixels)
		}
	}
	if s.Merged {
		switch data := t.Data.(type) {
		case []float32:
			t.Data = swapQuarters(data, s.Cols)
		case []float64:
			t.Data = swapQuarters(data, s.Cols)
		}
	}
	return t, nil
}

// storedTensors returns all parameters in the form that open_clip stores, and the file's metadata.
func (w Weights) storedTensors(c model.Config) (map[string]Tensor, map[string]string, error) {
	tensors := make(map[string]Tensor, len(w))
	for _, s := range model.Parameters(c) {
		t, ok := w[s.Name]
		if !ok {
			return nil, nil, fmt.Errorf("parameter %s is missing", s.Name)
		}
		var err error
		if tensors[s.Name], err = ToStored(s, t); err != nil {
			return nil, nil, err
		}
	}
	config, err := c.JSON()
	return tensors, map[string]string{"format": "pt", modelKey: string(config)}, err
}

// SaveWeights writes the parameters of a model to a safetensors file, and replaces an existing one.
// Load, open_clip and Hugging Face's libraries can read it.
func SaveWeights(s store.Store, name string, c model.Config, w Weights) error {
	tensors, metadata, err := w.storedTensors(c)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return Save(s, name, tensors, metadata)
}

// Export writes a folder that open_clip.create_model("local-dir:…") reads: the
// configuration and the weights.
func Export(s store.Store, dir string, c model.Config, w Weights) error {
	if err := SaveWeights(s, store.Join(dir, WeightsFile), c, w); err != nil {
		return err
	}
	config, err := c.JSON()
	if err != nil {
		return err
	}
	return store.ReplaceFile(s, store.Join(dir, model.ConfigFile), config)
}
