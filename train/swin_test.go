package train

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"capgraph/kernels"
	"capgraph/store"
	"capgraph/testing/golden"
	"capgraph/train/checkpoint"
	"capgraph/train/model"
)

func tinySwin(t *testing.T) golden.TinyTower {
	t.Helper()
	towers, err := golden.ReadTinyTowers()
	if err != nil {
		t.Fatal(err)
	}
	return towers[slices.IndexFunc(towers, func(w golden.TinyTower) bool { return w.Name == "swin" })]
}

// Weights of open_clip's and of timm's file, by their names and in their order, are the
// model's, and are written as they were read.
func TestASwinsFilesAreOpenCLIPsAndTimms(t *testing.T) {
	c, s, dir := tinySwin(t).Model, store.Local{}, t.TempDir()
	d := kernels.NewReference()
	m, err := model.New(d, c)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Free()
	golden.FillFormula(m)
	openCLIP := map[string]checkpoint.Tensor{}
	timm := map[string]checkpoint.Tensor{"head.fc.weight": checkpoint.Float32([]int{2, 64}, make([]float64, 128)), "head.fc.bias": checkpoint.Float32([]int{2}, make([]float64, 2))}
	for _, spec := range m.Specs {
		x := checkpoint.Tensor{Shape: spec.Shape, Data: golden.Formula(spec.Name, spec.Shape)}
		openCLIP[spec.Name] = x
		if name, ok := trunkName(spec); ok {
			timm[name] = x
		}
	}
	for name, tensors := range map[string]map[string]checkpoint.Tensor{"open_clip.safetensors": openCLIP, "timm.safetensors": timm} {
		if err := checkpoint.Save(s, filepath.Join(dir, name), tensors, nil); err != nil {
			t.Fatal(err)
		}
	}
	w, err := checkpoint.Load(s, filepath.Join(dir, "open_clip.safetensors"), c)
	if err != nil {
		t.Fatal(err)
	}
	image, err := checkpoint.LoadImageTower(s, filepath.Join(dir, "timm.safetensors"), c)
	if err != nil {
		t.Fatal(err)
	}
	for i, spec := range m.Specs {
		want := readAll(d, m.Vars[i].Value)
		if got, _ := w[spec.Name].Floats(); !slices.Equal(got, want) {
			t.Errorf("%s of open_clip's file is another", spec.Name)
		}
		_, ok := trunkName(spec)
		if got, _ := image[spec.Name].Floats(); ok != (len(got) > 0) || ok && !slices.Equal(got, want) {
			t.Errorf("%s of timm's file is another", spec.Name)
		}
		stored, err := checkpoint.ToStored(spec, w[spec.Name])
		if err != nil || !reflect.DeepEqual(stored.Data, openCLIP[spec.Name].Data) {
			t.Errorf("%s is written in another order: %v", spec.Name, err)
		}
	}
	if err := checkpoint.Export(s, filepath.Join(dir, "out"), c, w); err != nil {
		t.Fatal(err)
	}
	read, err := model.Read(s, filepath.Join(dir, "out"))
	if err != nil || read != c {
		t.Fatalf("%+v, %v", read, err)
	}
	if again, err := checkpoint.Load(s, filepath.Join(dir, "out"), read); err != nil || !reflect.DeepEqual(again, w) {
		t.Errorf("written and read the weights are others: %v", err)
	}
}

// trunkName is what timm calls a parameter of its network.
func trunkName(s model.Spec) (string, bool) { return strings.CutPrefix(s.Name, "visual.trunk.") }
