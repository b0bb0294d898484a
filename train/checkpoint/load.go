package checkpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"capgraph/store"
	"capgraph/train/model"
)

// Weights are the parameters of a model, by their names in open_clip. Each has the shape [Rows,
// Cols] of its model.Spec, in float32 or float64 as it was stored.
type Weights map[string]Tensor

// weightFiles are the names of files with weights in a folder; the first that exists is read.
var weightFiles = []string{WeightsFile, "open_clip_pytorch_model.safetensors", "model.safetensors"}

// Load reads the parameters of a model from a safetensors file, or from a folder of open_clip or of
// Hugging Face. Position embeddings of another image size or context length are resized. It is an
// error, which names the first few tensors, if tensors are missing, unknown to the model or of
// another shape. It is also an error if the weights' own configuration has another activation, mean
// or standard deviation, or if a number is not finite.
func Load(s store.Store, name string, c model.Config) (Weights, error) {
	return loadWith(s, name, c, func(r *Reader, c model.Config) (Weights, error) {
		if own, err := ownConfig(s, r); err == nil {
			if err := checkSameInput(r.name, own, c); err != nil {
				return nil, err
			}
		}
		return r.Weights(c)
	})
}

// LoadImageTower reads the image tower only, from a file as for Load or from a file with an image
// tower alone: DINOv2 of Hugging Face (Dinov2Model) or under its original names, or a network of
// timm. Such a file has no projection to the common space, and neither has the result.
func LoadImageTower(s store.Store, name string, c model.Config) (Weights, error) {
	return loadWith(s, name, c, (*Reader).ImageTower)
}

// LoadWithoutImageTower reads all parameters except those of the image tower. The file may have any
// image tower.
func LoadWithoutImageTower(s store.Store, name string, c model.Config) (Weights, error) {
	return loadWith(s, name, c, (*Reader).WithoutImageTower)
}

func loadWith(s store.Store, name string, c model.Config, weights func(*Reader, model.Config) (Weights, error)) (Weights, error) {
	name, err := findWeights(s, name)
	if err != nil {
		return nil, err
	}
	if err := refusePyTorch(name); err != nil {
		return nil, err
	}
	r, err := openWeights(s, name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	r.trimPrefixes()
	return weights(r, c)
}

// openWeights opens a safetensors file, or the files that an index lists.
func openWeights(s store.Store, name string) (*Reader, error) {
	if strings.HasSuffix(name, indexSuffix) {
		return openSharded(s, name)
	}
	return Open(s, name)
}

// wrapperPrefixes are the prefixes that PyTorch's DistributedDataParallel and torch.compile add to
// the name of every tensor.
var wrapperPrefixes = []string{"module.", "_orig_mod."}

// trimPrefixes removes each wrapper's prefix from the names if all tensors have it.
func (r *Reader) trimPrefixes() {
	for trimmed := true; trimmed; {
		trimmed = false
		for _, prefix := range wrapperPrefixes {
			lacks := func(i Info) bool { return !strings.HasPrefix(i.Name, prefix) }
			if len(r.infos) == 0 || slices.ContainsFunc(r.infos, lacks) {
				continue
			}
			for i := range r.infos {
				r.infos[i].Name = strings.TrimPrefix(r.infos[i].Name, prefix)
			}
			trimmed = true
		}
	}
}

// ownConfig returns the configuration in the metadata of the weights, or in the file beside them.
func ownConfig(s store.Store, r *Reader) (model.Config, error) {
	if config, ok := r.Metadata[modelKey]; ok {
		return model.Parse([]byte(config))
	}
	if !slices.Contains(weightFiles, strings.TrimSuffix(path.Base(r.name), ".index.json")) {
		return model.Config{}, fs.ErrNotExist
	}
	return model.Read(s, store.Dir(r.name))
}

// checkSameInput returns an error if a model's configuration c differs from that of its weights,
// own, in a setting that does not show in shapes, such as the activation or the mean of pixels.
func checkSameInput(name string, own, c model.Config) error {
	for _, x := range []struct {
		what      string
		own, want any
	}{{"quick_gelu", own.QuickGELU, c.QuickGELU}, {"preprocess_cfg.mean", own.Mean, c.Mean}, {"preprocess_cfg.std", own.Std, c.Std},
		{"preprocess_cfg.resize_mode squash", own.Squash, c.Squash}, {"text_cfg.pool_type last", own.Text.Padded, c.Text.Padded},
		{"text_cfg.norm_kwargs.eps", own.Text.NormEps, c.Text.NormEps}} {
		if x.own != x.want {
			return fmt.Errorf("%s was trained with %s %v, and the model that is named has %v: name the model of the weights, or none", name, x.what, x.own, x.want)
		}
	}
	return nil
}

// Config returns the configuration of a model: the one in the metadata of a safetensors file of
// this package, or what model.Read finds under the name.
func Config(s store.Store, name string) (model.Config, error) {
	if err := refusePyTorch(name); err != nil {
		return model.Config{}, err
	}
	if strings.HasSuffix(name, indexSuffix) {
		return model.Read(s, store.Dir(name))
	}
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

// refusePyTorch returns an error if name is a file in PyTorch's own format, which may run code when
// it is read.
func refusePyTorch(name string) error {
	switch path.Ext(name) {
	case ".pt", ".pth", ".bin", ".ckpt":
		return pyTorchError(name)
	}
	return nil
}

func pyTorchError(name string) error {
	return fmt.Errorf("%s is a file of PyTorch: make a safetensors file of it with python/capgraph_convert.py", name)
}

// findWeights returns the file of weights in a folder, or name itself if it is a file.
func findWeights(s store.Store, name string) (string, error) {
	info, err := s.Stat(name)
	if err != nil || !info.Dir {
		return name, err
	}
	for _, file := range weightFiles {
		for _, file := range []string{file, file + indexSuffix[len(".safetensors"):]} {
			_, err := s.Stat(store.Join(name, file))
			if err == nil {
				return store.Join(name, file), nil
			}
			if !errors.Is(err, fs.ErrNotExist) {
				return "", err
			}
		}
	}
	return "", fmt.Errorf("%s has no weights: it needs one of %s (python/capgraph_convert.py makes one of PyTorch's files)", name, strings.Join(weightFiles, ", "))
}

// selection says which parameters are read.
type selection int

const (
	wholeModel selection = iota
	imageTower
	allButImageTower
)

// includes reports whether a parameter or stored tensor is read. image says whether it belongs to
// the image tower.
func (w selection) includes(image bool) bool { return w == wholeModel || image == (w == imageTower) }

// Weights reads the parameters of a model as Load does, under any of the known names.
func (r *Reader) Weights(c model.Config) (Weights, error) { return r.readWeights(c, wholeModel) }

// ImageTower reads the parameters of the image tower, as LoadImageTower does.
func (r *Reader) ImageTower(c model.Config) (Weights, error) { return r.readWeights(c, imageTower) }

// WithoutImageTower reads all other parameters, as LoadWithoutImageTower does.
func (r *Reader) WithoutImageTower(c model.Config) (Weights, error) {
	return r.readWeights(c, allButImageTower)
}

func (r *Reader) readWeights(c model.Config, read selection) (Weights, error) {
	f := r.findNaming()
	if f.imageOnly && read != imageTower {
		return nil, fmt.Errorf("%s has an image tower alone: name it as model.init_image, and the rest as model.init", r.name)
	}
	w, used := Weights{}, map[string]bool{}
	var missing, wrong, extra []string
	for _, s := range model.Parameters(c) {
		if !read.includes(s.Tower == model.ImageTower) {
			continue
		}
		names := f.storedNames(s)
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
		if why := explainMismatch(s, f, found); why != "" {
			wrong = append(wrong, why)
			continue
		}
		if len(missing)+len(wrong) > 0 {
			continue // an error will be returned: no need to read the numbers
		}
		t, err := r.readParameter(s, f, names)
		if err != nil {
			return nil, err
		}
		w[s.Name] = t
	}
	for _, i := range r.infos {
		unwanted := c.Binding.IsNone() && strings.HasPrefix(i.Name, model.BindingTower+".") ||
			c.LogitBias == 0 && i.Name == model.LogitBias || c.PartClasses == 0 && i.Name == model.PartHead
		if strings.HasSuffix(i.Name, "register_tokens") {
			return nil, fmt.Errorf("%s has register tokens, which are not supported: take DINOv2 without registers", r.name)
		}
		if !used[i.Name] && !unwanted && !isIgnored(i.Name) && read.includes(f.isImageTensor(i.Name)) {
			extra = append(extra, i.Name)
		}
	}
	var faults []string
	for _, x := range []struct {
		names []string
		what  string
	}{{missing, "missing"}, {extra, "not of the model"}, {wrong, "of another shape or type"}} {
		if len(x.names) > 0 {
			faults = append(faults, fmt.Sprintf("%d %s (%s)", len(x.names), x.what, listFew(x.names)))
		}
	}
	if len(faults) > 0 {
		return nil, fmt.Errorf("%s does not fit the model: of its tensors %s; choose the model that it is of", r.name, strings.Join(faults, ", "))
	}
	return w, nil
}

// listFew returns the first few names, separated by commas.
func listFew(names []string) string {
	const most = 3
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}
