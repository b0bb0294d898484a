package golden

import (
	"encoding/json"
	"fmt"

	"capgraph/train/model"
)

// Tower has PyTorch's results for images and texts with a published model of its real size, with
// weights from Formula.
type Tower struct {
	Name  string
	Model model.Config
	// Parameters has the shapes in which open_clip stores parameters.
	Parameters map[string][]int
	// Image are the features of the FormulaBytes "pixels", Text those of Tokens, both before normalisation.
	Image, Text [][]float64
	Tokens      [][]int32
}

// ReadTowers returns towers.json.
func ReadTowers() ([]Tower, error) {
	var file map[string]struct {
		Model       json.RawMessage
		Parameters  map[string][]int
		Image, Text [][]float64
		Tokens      [][]int32
	}
	if err := readJSON("towers.json", &file); err != nil {
		return nil, err
	}
	var all []Tower
	for name, f := range file {
		c, err := model.Parse(f.Model)
		if err != nil {
			return nil, fmt.Errorf("towers.json: %s: %w", name, err)
		}
		all = append(all, Tower{name, c, f.Parameters, f.Image, f.Text, f.Tokens})
	}
	return all, nil
}

// TinyTower is an image tower on the batch "captions" of golden.json, with the text tower of the
// tiny model there. All weights are from Formula.
type TinyTower struct {
	Name  string
	Model model.Config
	// Features are the features of the images, before normalisation.
	Features [][]float64
	// Patches are features of the patches of the first image; nil if the tower has none.
	Patches [][]float64
	// Loss is CLIP's loss. Gradients has a sketch for each parameter.
	Loss      float64
	Gradients map[string]Sketch
	// Graphs is OC-CLIP's objective; nil if it cannot use the tower.
	Graphs *ScoredCase
}

// ReadTinyTowers returns towers_tiny.json.
func ReadTinyTowers() ([]TinyTower, error) {
	var file map[string]struct {
		TinyTower
		Model json.RawMessage
	}
	if err := readJSON("towers_tiny.json", &file); err != nil {
		return nil, err
	}
	var all []TinyTower
	for name, f := range file {
		c, err := model.Parse(f.Model)
		if err != nil {
			return nil, fmt.Errorf("towers_tiny.json: %s: %w", name, err)
		}
		f.TinyTower.Name, f.TinyTower.Model = name, c
		all = append(all, f.TinyTower)
	}
	return all, nil
}
