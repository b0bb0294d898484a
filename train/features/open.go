package features

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"capgraph/kernels"
	"capgraph/store"
	"capgraph/train/checkpoint"
	"capgraph/train/model"
	"capgraph/train/tokenizer"
)

// Names of files in the folder of a model.
const (
	weightsFile   = "model.safetensors" // the weights in a training's output folder
	tokenizerFile = "tokenizer.json"    // a tokenizer that a training learned
)

// Options are settings that are not in a model's files, or that override them.
type Options struct {
	// Config names the configuration, as for model.Read; "" stands for that of the weights.
	Config string
	// Tokenizer is a tokenizer.json that a training learned, or the file of CLIP's merges. If "",
	// they are searched for beside the weights and in the folder above; if there are none, CLIP's
	// are used.
	Tokenizer string
	// Parse is as in Encoder, for models that compare images with scene graphs.
	Parse Parse
	// MaxPixels is as in Encoder.
	MaxPixels int
}

// Model is an opened model with its tokenizer.
type Model struct {
	*Encoder
	Name    string
	Weights checkpoint.Weights

	model *model.Model
}

// Open loads a model onto a device: the output folder of a training, a folder of open_clip or of
// Hugging Face, or a safetensors file.
func Open(s store.Store, d kernels.Device, name string, o Options) (*Model, error) {
	config, err := openConfig(s, name, o.Config)
	if err != nil {
		return nil, err
	}
	t, err := openTokenizer(s, name, o.Tokenizer, config)
	if err != nil {
		return nil, err
	}
	weights, err := checkpoint.Load(s, name, config)
	if err != nil {
		return nil, err
	}
	m, err := model.New(d, config, model.ImageTower, model.TextTower, model.BindingTower)
	if err != nil {
		return nil, err
	}
	if err := weights.Apply(m); err != nil {
		m.Free()
		return nil, err
	}
	encoder := New(m, t)
	encoder.Parse, encoder.MaxPixels = o.Parse, o.MaxPixels
	return &Model{Encoder: encoder, Name: name, Weights: weights, model: m}, nil
}

// Interpolate sets the weights of the model to those between before's (alpha 0) and its own (alpha
// 1), as checkpoint.Interpolate returns them.
func (m *Model) Interpolate(before *Model, alpha float64) error {
	w, err := checkpoint.Interpolate(m.model.Config, before.Weights, m.Weights, alpha)
	if err != nil {
		return fmt.Errorf("%s and %s: %w", before.Name, m.Name, err)
	}
	m.ForgetTexts()
	return w.Apply(m.model)
}

// Device returns the device of the model.
func (m *Model) Device() kernels.Device { return m.model.Device }

// Free frees the memory of the parameters and of the encoder.
func (m *Model) Free() {
	m.tape.Arena.Free()
	m.tape.Scratch.Arena.Free()
	m.model.Free()
}

// openConfig returns the named configuration, or that of the weights if named is "".
func openConfig(s store.Store, name, named string) (model.Config, error) {
	if named != "" {
		return model.Read(s, named)
	}
	info, err := s.Stat(name)
	if err != nil {
		return model.Config{}, fmt.Errorf("model: %w", err)
	}
	inFolder := store.Join(name, weightsFile)
	if info.Dir && !fileExists(s, store.Join(name, model.ConfigFile)) && fileExists(s, inFolder) {
		if c, err := checkpoint.Config(s, inFolder); err == nil {
			return c, nil
		}
	}
	return checkpoint.Config(s, name)
}

func fileExists(s store.Store, name string) bool {
	_, err := s.Stat(name)
	return err == nil
}

// openTokenizer opens the named tokenizer, or else one beside the weights, or else CLIP's. It must
// have as many tokens as the model.
func openTokenizer(s store.Store, name, named string, c model.Config) (tokenizer.Tokenizer, error) {
	files := []string{named}
	if named == "" {
		files = nil
		dir := name
		if info, err := s.Stat(name); err == nil && !info.Dir {
			dir = store.Dir(name)
		}
		for _, dir := range []string{dir, store.Join(dir, "..")} {
			files = append(files, store.Join(dir, tokenizerFile), store.Join(dir, tokenizer.Vocabulary))
		}
	}
	if named == "" && c.Text.VocabSize == tokenizer.CLIPSize && !c.Text.Padded {
		files = append(files, "")
	}
	var reasons []string
	for _, file := range files {
		t, err := openTokenizerFile(s, file, c.Text)
		if err == nil && t.Size() != c.Text.VocabSize {
			err = fmt.Errorf("%s has %d tokens and the model %d", file, t.Size(), c.Text.VocabSize)
		}
		switch {
		case err == nil:
			return t, nil
		case named != "":
			return nil, err
		case !errors.Is(err, fs.ErrNotExist):
			reasons = append(reasons, err.Error())
		}
	}
	why := "there is none beside it"
	if len(reasons) > 0 {
		why = strings.Join(reasons, "; ")
	}
	return nil, fmt.Errorf("the tokenizer of %s is not known: %s; name it: the tokenizer.json of its training or of its weights, or CLIP's %s", name, why, tokenizer.Vocabulary)
}

// openTokenizerFile opens the tokenizer in a file: a unigram model if the text tower reads padding.
func openTokenizerFile(s store.Store, file string, tower model.Text) (tokenizer.Tokenizer, error) {
	context := tower.ContextLength
	if tower.Padded {
		t, err := tokenizer.OpenUnigram(s, file)
		if err != nil {
			return nil, err
		}
		return t.WithContext(context)
	}
	if path.Ext(file) == ".json" {
		t, err := tokenizer.OpenLearned(s, file)
		if err != nil {
			return nil, err
		}
		return t.WithContext(context)
	}
	t, err := openCLIP(s, file)
	if err != nil {
		return nil, err
	}
	return t.WithContext(context)
}

// openCLIP opens a file of CLIP's merges, or those that the program contains if file is "".
func openCLIP(s store.Store, file string) (*tokenizer.CLIP, error) {
	if file == "" {
		return tokenizer.NewCLIP()
	}
	return tokenizer.OpenCLIP(s, file)
}
