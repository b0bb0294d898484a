package train

import (
	"slices"
	"testing"

	"capgraph/kernels"
	"capgraph/kernels/cpu"
	"capgraph/store"
	"capgraph/train/golden"
	"capgraph/train/model"
)

// Published models at their real sizes, with weights by a formula, encode as they do in
// open_clip.
func TestTowersOfPublishedSizesArePyTorchs(t *testing.T) {
	if testing.Short() {
		t.Skip("long under the race detector")
	}
	towers, err := golden.ReadTowers()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range towers {
		t.Run(want.Name, func(t *testing.T) {
			named, err := model.Read(store.Local{}, want.Name)
			if err != nil || named != want.Model {
				t.Errorf("by its name it is %+v, %v, and open_clip's is %+v", named, err, want.Model)
			}
			specs := model.Parameters(want.Model)
			for _, s := range specs {
				if shape, ok := want.Parameters[s.Name]; !ok || !slices.Equal(shape, s.Shape) {
					t.Errorf("%s is %v, and in open_clip %v", s.Name, s.Shape, shape)
				}
			}
			if len(specs) != len(want.Parameters) {
				t.Errorf("it has %d parameters, and in open_clip %d", len(specs), len(want.Parameters))
			}
			d := cpu.New()
			defer d.Close()
			m, err := model.New(d, want.Model, model.ImageTower, model.TextTower)
			if err != nil {
				t.Fatal(err)
			}
			defer m.Free()
			golden.Fill(m)
			tape, packer := kernels.NewTape(d, kernels.NewArena(d, 0)), model.Packer{}
			tape.Forward = true
			side := want.Model.Image.ImageSize
			images := m.EncodeImages(tape, packer.Images(d, m.Config, golden.FormulaBytes("pixels", 2*3*side*side)))
			alike(t, "image", readAll(d, images.Value), want.Image)
			var ids, lengths []int32
			for _, text := range want.Tokens {
				ids, lengths = append(ids, text...), append(lengths, int32(len(text)))
			}
			texts := m.EncodeTexts(tape, packer.Texts(d, m.Config, ids, lengths, model.Room{}))
			alike(t, "text", readAll(d, texts.Value), want.Text)
		})
	}
}

// alike compares features with those that are wanted, to 1e-5 of the norm of all.
func alike(t *testing.T, what string, got []float64, want [][]float64) {
	t.Helper()
	var all []float64
	for _, row := range want {
		all = append(all, row...)
	}
	if d := off(got, all); !(d < 1e-5) {
		t.Errorf("the features of %s are off by %.2g", what, d)
	}
}
