package golden

import (
	"encoding/json"

	"capgraph/train/model"
)

// ResNet is resnet.json: a tiny ResNet with weights and running averages of Formula, on images of
// FormulaBytes "pixels".
type ResNet struct {
	Model model.Config
	// Tensors are the shapes that open_clip stores parameters and averages in.
	Tensors map[string][]int
	// Tokens are a text of each image.
	Tokens [][]int32
	// Features are the images' by running averages, before normalisation.
	Features [][]float64
	Cases    []Chunked
	Training struct {
		Losses, Norms []float64
		Features      [][]float64
		Tensors       map[string]Sketch
	}
}

// Chunked is CLIP's loss of images that are encoded in chunks, each by its own moments.
type Chunked struct {
	Chunks    []int
	Loss      float64
	Image     [][]float64
	Gradients map[string]Sketch
	// Averages are the running ones afterwards.
	Averages map[string]Sketch
}

// ReadResNet returns the golden values of a ResNet.
func ReadResNet() (*ResNet, error) {
	g := &ResNet{}
	file := struct {
		*ResNet
		Model json.RawMessage
	}{ResNet: g}
	if err := readJSON("resnet.json", &file); err != nil {
		return nil, err
	}
	var err error
	g.Model, err = model.Parse(file.Model)
	return g, err
}
