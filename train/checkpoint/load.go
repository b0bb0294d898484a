package checkpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"

	"capgraph/store"
	"capgraph/train/model"
)

// Weights are the parameters of a model by open_clip's names, each [Rows, Cols]
// as on the tape (model.Spec), of float32 or float64 as they were stored.
type Weights map[string]Tensor

// The files of a folder that may hold the weights, the first that is there.
var weightFiles = []string{WeightsFile, "open_clip_pytorch_model.safetensors", "model.safetensors"}

// Load reads the parameters of a model from a safetensors file, or from a folder
// of open_clip or of Hugging Face. Position embeddings of another image size or
// context length are resized. Tensors that are missing, are not of the model or
// have another shape are errors that name the first few of each.
func Load(s store.Store, name string, c model.Config) (Weights, error) {
	return load(s, name, c, (*Reader).Weights)
}

// LoadImageTower reads as Load does, but nothing besides the image tower: of such a file, or
// of one that has an image tower alone, which ends before the projection to
// the common space: DINOv2 of Hugging Face (Dinov2Model) or under its original names, a
// network of timm. The projection is then not among the weights.
func LoadImageTower(s store.Store, name string, c model.Config) (Weights, error) {
	return load(s, name, c, (*Reader).ImageTower)
}

// LoadWithoutImageTower reads as Load does, but nothing of the image tower, whichever the
// file has.
func LoadWithoutImageTower(s store.Store, name string, c model.Config) (Weights, error) {
	return load(s, name, c, (*Reader).WithoutImageTower)
}

func load(s store.Store, name string, c model.Config, weights func(*Reader, model.Config) (Weights, error)) (Weights, error) {
	name, err := weightsIn(s, name)
	if err != nil {
		return nil, err
	}
	switch path.Ext(name) {
	case ".pt", ".pth", ".bin", ".ckpt":
		return nil, fmt.Errorf("%s is a file of PyTorch: make a safetensors file of it with python/capgraph_convert.py", name)
	}
	r, err := Open(s, name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return weights(r, c)
}

// Config returns the configuration of a model: that which a safetensors file of
// this package says it is of, or else what model.Read finds under the name.
func Config(s store.Store, name string) (model.Config, error) {
	if path.Ext(name) != ".safetensors" {
		return model.Read(s, name)
	}
	r, err := Open(s, name)
	if err != nil {
		return model.Config{}, err
	}
	defer r.Close()
	config, ok := r.Metadata[modelKey]
	if !ok {
		return model.Config{}, fmt.Errorf("%s does not say what model it is of: name the model too (%s, or a JSON file in open_clip's form)", name, strings.Join(model.Names(), ", "))
	}
	c, err := model.Parse([]byte(config))
	if err != nil {
		return model.Config{}, fmt.Errorf("%s: %w", name, err)
	}
	return c, nil
}

// weightsIn finds the file of weights in a folder; a file is itself.
func weightsIn(s store.Store, name string) (string, error) {
	info, err := s.Stat(name)
	if err != nil || !info.Dir {
		return name, err
	}
	for _, file := range weightFiles {
		_, err := s.Stat(store.Join(name, file))
		if err == nil {
			return store.Join(name, file), nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return "", fmt.Errorf("%s has no weights: it needs one of %s (python/capgraph_convert.py makes one of PyTorch's files)", name, strings.Join(weightFiles, ", "))
}

// which are the parameters that are read.
type which int

const (
	wholeModel which = iota
	imageTower
	allButImageTower
)

// of tells whether a parameter, or a stored tensor, is read: one of the image tower, or another.
func (w which) of(image bool) bool { return w == wholeModel || image == (w == imageTower) }

// Weights reads the parameters of a model as Load does, whatever form their names have.
func (r *Reader) Weights(c model.Config) (Weights, error) { return r.weights(c, wholeModel) }

// ImageTower reads as LoadImageTower does.
func (r *Reader) ImageTower(c model.Config) (Weights, error) { return r.weights(c, imageTower) }

// WithoutImageTower reads as LoadWithoutImageTower does.
func (r *Reader) WithoutImageTower(c model.Config) (Weights, error) {
	return r.weights(c, allButImageTower)
}

func (r *Reader) weights(c model.Config, read which) (Weights, error) {
	f := r.form()
	if f.bare && read != imageTower {
		return nil, fmt.Errorf("%s has an image tower alone: name it as model.init_image, and the rest as model.init", r.name)
	}
	w, used := Weights{}, map[string]bool{}
	var missing, wrong, extra []string
	for _, s := range model.Parameters(c) {
		if !read.of(s.Tower == model.ImageTower) {
			continue
		}
		names := f.stored(s)
		var found []Info
		for _, n := range names {
			used[n] = true
			if i, ok := r.Info(n); ok {
				found = append(found, i)
			} else {
				missing = append(missing, n)
			}
		}
		if len(found) < len(names) || len(names) == 0 {
			continue
		}
		if why := unfit(s, f, found); why != "" {
			wrong = append(wrong, why)
			continue
		}
		if len(missing)+len(wrong) > 0 {
			continue // the error is certain: nothing need be read
		}
		t, err := r.parameter(s, f, names)
		if err != nil {
			return nil, err
		}
		w[s.Name] = t
	}
	for _, i := range r.infos {
		unwanted := c.Binding.None() && strings.HasPrefix(i.Name, model.BindingTower+".")
		if strings.HasSuffix(i.Name, "register_tokens") {
			return nil, fmt.Errorf("%s has register tokens, which are not supported: take DINOv2 without registers", r.name)
		}
		if !used[i.Name] && !unwanted && !harmless(i.Name) && read.of(f.ofImage(i.Name)) {
			extra = append(extra, i.Name)
		}
	}
	var faults []string
	for _, x := range []struct {
		names []string
		what  string
	}{{missing, "missing"}, {extra, "not of the model"}, {wrong, "of another shape or type"}} {
		if len(x.names) > 0 {
			faults = append(faults, fmt.Sprintf("%d %s (%s)", len(x.names), x.what, few(x.names)))
		}
	}
	if len(faults) > 0 {
		return nil, fmt.Errorf("%s does not fit the model: of its tensors %s; choose the model that it is of", r.name, strings.Join(faults, ", "))
	}
	return w, nil
}

// few lists the first of some names.
func few(names []string) string {
	const most = 3
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

// form finds out who named the tensors.
func (r *Reader) form() form {
	for _, f := range forms {
		if _, ok := r.Info(f.mark); ok {
			return f
		}
	}
	return forms[len(forms)-1]
}

// unfit says in words why the stored parts of a parameter are not it.
func unfit(s model.Spec, f form, found []Info) string {
	want := slices.Clone(s.Shape)
	if s.Transposed && f.out {
		slices.Reverse(want)
	}
	if len(want) > 0 {
		want[0] /= len(found)
	}
	for _, i := range found {
		if !strings.HasSuffix(i.Type, "F16") && i.Type != "F32" && i.Type != "F64" {
			return fmt.Sprintf("%s is of %s", i.Name, i.Type)
		}
		have := i.Shape
		if len(want) == 0 && slices.Equal(have, []int{1}) {
			have = nil
		}
		if s.Resize != model.Fixed && len(have) == len(want) {
			at := len(want) - 2 // of the number of rows
			rows := have[at]
			have = slices.Clone(have)
			if s.Resize == model.Linear && rows > 0 || square(rows-1) > 0 {
				have[at] = want[at]
			}
		}
		if !slices.Equal(have, want) {
			return fmt.Sprintf("%s is %v, not %v", i.Name, have, want)
		}
	}
	return ""
}

// square returns the side of a square of n, or 0 where there is none.
func square(n int) int {
	side := int(math.Sqrt(float64(max(n, 0))))
	if side*side != n {
		return 0
	}
	return side
}

// parameter reads a parameter from its parts and brings it to the tape's order.
func (r *Reader) parameter(s model.Spec, f form, names []string) (Tensor, error) {
	var x []float64
	double := false
	for _, n := range names {
		t, err := r.Tensor(n)
		if err != nil {
			return Tensor{}, err
		}
		part, _ := t.Floats()
		if _, ok := t.Data.([]float64); ok {
			double = true
		}
		if x == nil {
			x = part
		} else {
			x = append(x, part...)
		}
	}
	switch {
	case s.Resize != model.Fixed && len(x) != s.Len():
		from := len(x) / s.Cols
		switch s.Resize {
		case model.Linear:
			x = resizeLine(x, from, s.Rows, s.Cols)
		case model.Antialiased:
			x = resizeGrid(x, square(from-1), square(s.Rows-1), s.Cols, antialiased)
		case model.Bicubic:
			x = resizeGrid(x, square(from-1), square(s.Rows-1), s.Cols, bicubic)
		}
	case s.Transposed && !f.out:
		x = transposed(x, s.Cols, s.Rows)
	case s.Pixels > 1:
		x = turned(x, s, s.Cols/s.Pixels, s.Pixels)
	case s.Merged:
		x = crossed(x, s.Cols)
	}
	if double {
		return Tensor{[]int{s.Rows, s.Cols}, x}, nil
	}
	return Float32([]int{s.Rows, s.Cols}, x), nil
}

// turned returns the kernels of a convolution, each [rows, cols], each [cols, rows].
func turned[T any](x []T, s model.Spec, rows, cols int) []T {
	y := make([]T, 0, len(x))
	for i := range s.Rows {
		y = append(y, transposed(x[i*s.Cols:(i+1)*s.Cols], rows, cols)...)
	}
	return y
}

// crossed returns rows of cols numbers each, of whose quarters the second and the third
// have changed places.
func crossed[T any](x []T, cols int) []T {
	y, quarter := slices.Clone(x), cols/4
	for at := 0; at < len(x); at += cols {
		copy(y[at+quarter:], x[at+2*quarter:at+3*quarter])
		copy(y[at+2*quarter:], x[at+quarter:at+2*quarter])
	}
	return y
}

// transposed returns x [rows, cols] as [cols, rows].
func transposed[T any](x []T, rows, cols int) []T {
	y := make([]T, len(x))
	for i := range rows {
		for j := range cols {
			y[j*rows+i] = x[i*cols+j]
		}
	}
	return y
}
