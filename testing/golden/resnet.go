package golden

import (
	"encoding/json"

	"capgraph/train/model"
)

// ResNet has the values of resnet.json: a tiny ResNet with weights and running averages from
// Formula, on images of FormulaBytes "pixels".
type ResNet struct {
	Model model.Config
	// Tensors has the shapes in which open_clip stores parameters and running averages.
	Tensors map[string][]int
	// Tokens has the tokens of a text for each image.
	Tokens [][]int32
	// Features are those of the images, computed with the running averages, before normalisation.
	Features [][]float64
	Cases    []Chunked
	Training struct {
		Losses, Norms []float64
		Features      [][]float64
		Tensors       map[string]Sketch
	}
}

// Chunked is CLIP's loss on images that are encoded in chunks, each normalised by its own mean and variance.
type Chunked struct {
	Chunks    []int
	Loss      float64
	Image     [][]float64
	Gradients map[string]Sketch
	// Averages are the running averages after the step.
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
