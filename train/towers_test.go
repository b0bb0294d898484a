package train

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"capgraph/kernels"
	"capgraph/kernels/cpu"
	"capgraph/store"
	"capgraph/testing/golden"
	"capgraph/testing/longtest"
	"capgraph/train/checkpoint"
	"capgraph/train/model"
)

// Published models at their real sizes, with weights by a formula, encode as they do in
// open_clip.
func TestTowersOfPublishedSizesArePyTorchs(t *testing.T) {
	longtest.Only(t, "it encodes with models of published sizes")
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
			golden.FillFormula(m)
			tape, packer := kernels.NewTape(d, kernels.NewArena(d, 0)), model.Packer{}
			tape.ForwardOnly = true
			side := want.Model.Image.ImageSize
			images := m.EncodeImages(tape, packer.Images(d, m.Config, golden.FormulaBytes("pixels", 2*3*side*side)))
			alike(t, "image", readAll(d, images.Value), want.Image, 1e-5)
			var ids, lengths []int32
			for _, text := range want.Tokens {
				ids, lengths = append(ids, text...), append(lengths, int32(len(text)))
			}
			texts := m.EncodeTexts(tape, packer.Texts(d, m.Config, ids, lengths, model.Room{}))
			alike(t, "text", readAll(d, texts.Value), want.Text, 1e-5)
		})
	}
}

// alike compares features with those that are wanted, to most of the norm of all.
func alike(t *testing.T, what string, got []float64, want [][]float64, most float64) {
	t.Helper()
	var all []float64
	for _, row := range want {
		all = append(all, row...)
	}
	if d := relativeError(got, all); !(d < most) {
		t.Errorf("the features of %s are off by %.2g", what, d)
	}
}

// Tiny towers with weights by a formula: features, loss and gradients, of all images at
// once, a few at a time, and with blocks made again.
func TestTinyTowersArePyTorchs(t *testing.T) {
	g := readGolden(t)
	towers, err := golden.ReadTinyTowers()
	if err != nil {
		t.Fatal(err)
	}
	for _, dev := range devices {
		for _, want := range towers {
			for _, batch := range []Batch{{}, {ChunkTokens: 40}, {ChunkTokens: 20, Recompute: RecomputeBlocks}} {
				made := func(c model.Config) *model.Model {
					d := dev.make()
					t.Cleanup(func() { d.Close() })
					m, err := model.New(d, c)
					if err != nil {
						t.Fatal(err)
					}
					golden.FillFormula(m)
					return m
				}
				t.Run(fmt.Sprintf("%s/%s/%d", dev.name, want.Name, batch.ChunkTokens), func(t *testing.T) {
					m := made(want.Model.WithoutBinding())
					tape, packer := kernels.NewTape(m.Device, kernels.NewArena(m.Device, 0)), model.Packer{}
					tape.ForwardOnly = true
					images := m.EncodeImages(tape, packer.Images(m.Device, m.Config, g.Batches["captions"].Images))
					alike(t, "images", readAll(m.Device, images.Value), want.Features, dev.loss)
					if has := m.Config.HasPatchFeatures(); has != (want.Patches != nil) {
						t.Errorf("it has features of patches: %v", has)
					} else if has {
						first := g.Batches["captions"].Images[:3*32*32]
						packer.WithPatches = true
						laid := packer.Images(m.Device, m.Config, first)
						patches := m.PatchFeatures(tape, m.ImageTokens(tape, laid), laid)
						alike(t, "patches", readAll(m.Device, patches.Value), want.Patches, dev.loss)
					}
					r := goldenRunOf(t, m, g, golden.Case{Batch: "captions", Objective: "clip"}, batch)
					if loss, err := r.computeGradients(r.samples); err != nil || !near(loss, want.Loss, dev.loss) {
						t.Fatalf("loss %v, %v, not %v", loss, err, want.Loss)
					}
					gradientsAre(t, r, want.Gradients, dev.gradient)
				})
				if want.Graphs != nil {
					t.Run(fmt.Sprintf("%s/%s/%d/graphs", dev.name, want.Name, batch.ChunkTokens), func(t *testing.T) {
						m := made(want.Model)
						scored(t, m.Device, scoredRunOf(m, *want.Graphs, batch), *want.Graphs, dev.bounds)
					})
				}
			}
		}
	}
}

// A training begins with an image tower of one file and a text tower of another, random
// where neither has a parameter, and all of it can be gone back to.
func TestTowersOfTwoFiles(t *testing.T) {
	text := model.Text{ContextLength: 9, VocabSize: 30, Layers: 1, Width: 8, Heads: 2, MLPRatio: 2}
	c := model.Config{
		EmbedDim: 6, Text: text, Std: [3]float64{1, 1, 1},
		Image: model.Image{Timm: "vit_base_patch14_dinov2", Layers: 2, Width: 8, HeadWidth: 4, PatchSize: 2, ImageSize: 8, MLPRatio: 2},
	}
	clip := c
	clip.Image = model.Image{Layers: 1, Width: 4, HeadWidth: 4, PatchSize: 4, ImageSize: 8, MLPRatio: 2}
	d, s, dir := kernels.NewReference(), store.Local{}, t.TempDir()
	made := func(c model.Config) *model.Model {
		m, err := model.New(d, c)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(m.Free)
		return m
	}
	other := made(clip)
	other.Initialise(5)
	of := readWeights(other)
	if err := checkpoint.Export(s, filepath.Join(dir, "clip"), clip, of); err != nil {
		t.Fatal(err)
	}
	r := &Recipe{Seed: 7, WiSEFT: []float64{0.5}}
	r.Model.Init, r.Model.InitImage = filepath.Join(dir, "clip"), "checkpoint/testdata/dinov2_timm.safetensors"
	r.Output.Dir = filepath.Join(dir, "out")
	m := made(c)
	if err := r.initialiseWeights(s, m); err != nil {
		t.Fatal(err)
	}
	begun := readWeights(m)
	for i, spec := range m.Specs {
		x := make([]float64, spec.Len())
		switch {
		case spec.Name == "visual.head.proj.weight":
			spec.Initialise(r.Seed, x)
		case spec.Tower == model.ImageTower:
			x = golden.Formula(spec.Name, spec.Shape)
		default:
			x, _ = of[spec.Name].Floats()
		}
		if !slices.Equal(readAll(d, m.Vars[i].Value), x) {
			t.Errorf("%s begins with other numbers", spec.Name)
		}
		d.Fill(m.Vars[i].Value, 3)
	}
	if err := errors.Join(r.writeInitialWeights(s, made(c)), r.writeWeights(s, m, readWeights(m))); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(r.Output.Dir, "wise_ft-0.5.safetensors")
	read, err := checkpoint.Config(s, file)
	if err != nil || read != c {
		t.Fatalf("%+v, %v", read, err)
	}
	between, err := checkpoint.Load(s, file, read)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range m.Specs {
		got, _ := between[spec.Name].Floats()
		x, _ := begun[spec.Name].Floats()
		want := 3.0
		if spec.Tower == model.ImageTower {
			want = (x[0] + 3) / 2
		}
		if got[0] != want {
			t.Errorf("%s: halfway from %v to 3 is %v", spec.Name, x[0], got[0])
		}
	}
	for _, name := range []string{InitialWeightsFile, WeightsFile, "open_clip"} {
		if w, err := checkpoint.Load(s, filepath.Join(r.Output.Dir, name), c); err != nil || len(w) != len(m.Specs) {
			t.Errorf("%s: %d parameters, %v", name, len(w), err)
		}
	}
}
