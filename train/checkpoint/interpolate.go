package checkpoint

import (
	"fmt"
	"slices"

	"capgraph/train/model"
)

// Interpolate returns (1−alpha)·before + alpha·after for the parameters of the given towers
// (model.ImageTower, model.TextTower), and after's weights for all others: WiSE-FT (Wortsman et al.
// 2022). If no towers are given, it is the image tower, as in MosaiCLIP (App. H.1). alpha is from 0
// to 1.
func Interpolate(c model.Config, before, after Weights, alpha float64, towers ...string) (Weights, error) {
	if !(alpha >= 0 && alpha <= 1) {
		return nil, fmt.Errorf("alpha is %v: it must be from 0, before, to 1, after", alpha)
	}
	if len(towers) == 0 {
		towers = []string{model.ImageTower}
	}
	mixed := Weights{}
	for _, s := range model.Parameters(c) {
		mixed[s.Name] = after[s.Name]
		if !slices.Contains(towers, s.Tower) {
			continue
		}
		x, okX := before[s.Name].Floats()
		y, okY := after[s.Name].Floats()
		if !okX || !okY || len(x) != len(y) {
			return nil, fmt.Errorf("parameter %s is not in both models alike", s.Name)
		}
		z := make([]float64, len(y))
		for i := range z {
			z[i] = float64((1-alpha)*x[i]) + float64(alpha*y[i])
		}
		if _, ok := after[s.Name].Data.([]float64); ok {
			mixed[s.Name] = Tensor{after[s.Name].Shape, z}
		} else {
			mixed[s.Name] = Float32(after[s.Name].Shape, z)
		}
	}
	return mixed, nil
}
