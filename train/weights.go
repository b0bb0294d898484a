package train

import (
	"fmt"
	"maps"

	"capgraph/kernels"
	"capgraph/store"
	"capgraph/train/checkpoint"
	"capgraph/train/model"
	"capgraph/train/tokenizer"
)

// readTensor returns a copy of a device's tensor, in the device's precision.
func readTensor(d kernels.Device, t kernels.Tensor) checkpoint.Tensor {
	x := make([]float64, t.Len())
	d.Read(x, t)
	shape := []int{t.Rows, t.Cols}
	if d.ElementBytes() == 4 {
		return checkpoint.Float32(shape, x)
	}
	return checkpoint.Tensor{Shape: shape, Data: x}
}

// readWeights returns a copy of all parameters of a model.
func readWeights(m *model.Model) checkpoint.Weights {
	w := checkpoint.Weights{}
	for i, s := range m.Specs {
		w[s.Name] = readTensor(m.Device, m.Vars[i].Value)
	}
	return w
}

// initialiseWeights loads the weights that the recipe names into a model, and sets the others at random.
func (r *Recipe) initialiseWeights(s store.Store, m *model.Model) error {
	c := m.Config
	stored, err := checkpoint.Config(s, r.Model.Init)
	if err != nil || stored.Binding.IsNone() {
		c = c.WithoutBinding() // the binding begins with random weights
	}
	if err != nil || stored.LogitBias == 0 {
		c = c.WithoutBias() // the bias begins with SigLIP's value
	}
	if err != nil || stored.PartClasses != c.PartClasses {
		c = c.WithoutPartClasses() // the classification head begins with random weights
	}
	w, err := r.loadWeights(s, c)
	if err != nil {
		return err
	}
	m.Initialise(r.Seed)
	if len(w) == 0 {
		return nil
	}
	all := readWeights(m)
	maps.Copy(all, w)
	return all.Apply(m)
}

// loadWeights returns the weights in the files that the recipe names, for a model of configuration c.
func (r *Recipe) loadWeights(s store.Store, c model.Config) (checkpoint.Weights, error) {
	w := checkpoint.Weights{}
	load := func(name string, load func(store.Store, string, model.Config) (checkpoint.Weights, error)) error {
		if name == "" {
			return nil
		}
		some, err := load(s, name, c)
		maps.Copy(w, some)
		return err
	}
	if r.Model.InitImage == "" {
		return w, load(r.Model.Init, checkpoint.Load)
	}
	if err := load(r.Model.Init, checkpoint.LoadWithoutImageTower); err != nil {
		return nil, err
	}
	return w, load(r.Model.InitImage, checkpoint.LoadImageTower)
}

// writeWeights writes the trained weights. With ema.decay these are the averages, and the weights after the last step
// are written to LastWeightsFile.
func (t *training) writeWeights() error {
	r, after := t.recipe, readWeights(t.model)
	if t.ema != nil {
		if err := checkpoint.SaveWeights(t.store, store.Join(r.Output.Dir, LastWeightsFile), t.model.Config, after); err != nil {
			return err
		}
		after = t.averagedWeights()
	}
	return r.writeWeights(t.store, t.model, after)
}

// writeWeights writes model.safetensors, the folder open_clip/ for open_clip's local-dir, and the
// interpolations that wise_ft asks for.
func (r *Recipe) writeWeights(s store.Store, m *model.Model, after checkpoint.Weights) error {
	if err := checkpoint.SaveWeights(s, store.Join(r.Output.Dir, WeightsFile), m.Config, after); err != nil {
		return err
	}
	if err := checkpoint.Export(s, store.Join(r.Output.Dir, "open_clip"), m.Config.TowersOnly(), after); err != nil {
		return err
	}
	if r.Tokenizer.Kind == TokenizerUnigram {
		t, err := tokenizer.OpenUnigram(s, store.Join(r.Output.Dir, TokenizerFile))
		if err == nil {
			err = t.Save(s, store.Join(r.Output.Dir, "open_clip"))
		}
		if err != nil {
			return err
		}
	}
	if len(r.WiSEFT) == 0 {
		return nil
	}
	before, err := r.loadWeights(s, m.Config.TowersOnly().WithoutBias())
	if err != nil {
		return err
	}
	for _, spec := range m.Specs {
		if _, ok := before[spec.Name]; !ok && spec.Tower == model.ImageTower { // the tower began with random numbers
			x := make([]float64, spec.Len())
			spec.Initialise(r.Seed, x)
			before[spec.Name] = checkpoint.Float32([]int{spec.Rows, spec.Cols}, x)
		}
	}
	for _, share := range r.WiSEFT {
		between, err := checkpoint.Interpolate(m.Config, before, after, share, model.ImageTower)
		if err != nil {
			return err
		}
		if err := checkpoint.SaveWeights(s, store.Join(r.Output.Dir, fmt.Sprintf("wise_ft-%g.safetensors", share)), m.Config, between); err != nil {
			return err
		}
	}
	return nil
}

// The files of weights in the output folder: the trained weights, those after the last step if the trained ones are
// averages, and the initial ones if they do not exist elsewhere.
const (
	WeightsFile        = "model.safetensors"
	LastWeightsFile    = "last.safetensors"
	InitialWeightsFile = "before.safetensors"
)

// writeInitialWeights writes the weights that a training begins with, for comparisons. If they are those of model.init,
// they exist already and are not written.
func (r *Recipe) writeInitialWeights(s store.Store, m *model.Model) error {
	if r.Model.Init != "" && r.Model.InitImage == "" {
		return nil
	}
	return checkpoint.SaveWeights(s, store.Join(r.Output.Dir, InitialWeightsFile), m.Config, readWeights(m))
}
