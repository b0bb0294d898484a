package main

import (
	"cmp"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"

	"capgraph/clean"
	"capgraph/eval/clip"
	"capgraph/images"
	"capgraph/internal/progress"
	"capgraph/internal/text"
	"capgraph/kernels"
	"capgraph/ruleparse"
	"capgraph/schemas"
	"capgraph/train/device"
	"capgraph/train/features"
)

// modelFlags name a model and its images.
type modelFlags struct {
	Model     string   `arg:"" help:"The output folder of a training, a folder of open_clip or Hugging Face, or a safetensors file." placeholder:"MODEL"`
	Config    string   `help:"Configuration of the model, if the weights have none: a model of open_clip, or a JSON file." placeholder:"NAME"`
	Tokenizer string   `help:"tokenizer.json, if it is not beside the weights (default: CLIP's tokenizer)." placeholder:"FILE"`
	Images    []string `help:"The images: a folder, tars or Parquet files." placeholder:"PATH"`
	Format    string   `help:"Format of the images: auto, folder, tars or parquet." enum:"auto,folder,tars,parquet" default:"auto"`
	Column    string   `help:"Column of the images in Parquet." placeholder:"NAME"`
	MaxPixels int      `help:"Largest number of pixels of an image; larger ones are left out." default:"50000000" placeholder:"N"`
	Device    string   `help:"Device: auto, cpu, cuda:0 and so on." default:"auto" placeholder:"NAME"`
	Progress  string   `enum:"auto,plain,json,none" default:"auto" help:"How to show progress: auto, plain, json or none."`
}

// openModel reads a model onto a device.
func (m *modelFlags) openModel(std streams, d kernels.Device, name string) (*features.Model, error) {
	return features.Open(std.files, d, name, features.Options{
		Config: m.Config, Tokenizer: m.Tokenizer, Parse: graphParser(), MaxPixels: m.MaxPixels,
	})
}

// graphParser returns a function that cleans and parses texts as a run does by default. It loads the
// rule parser when it is first called.
func graphParser() features.Parse {
	parser := sync.OnceValues(ruleparse.New)
	cleaner := sync.OnceValues(func() (*clean.Cleaner, error) { return clean.New(clean.Defaults()) })
	var parsed schemas.Parsed
	return func(text string, to *schemas.SceneGraph) {
		p, err := parser()
		c, wrong := cleaner()
		if err := cmp.Or(err, wrong); err != nil { // neither can fail: the model and the settings are compiled in
			panic(err)
		}
		if cleaned, _ := c.Clean(text); cleaned != "" {
			text = cleaned
		}
		p.ParseText(text, &parsed)
		parsed.Graph.KeepAsserted()
		*to = parsed.Graph
	}
}

// openImages opens images.
func (m *modelFlags) openImages(std streams, paths []string) (images.Set, error) {
	return images.Open(std.files, images.Options{Format: m.Format, Paths: paths, Column: m.Column})
}

// openDevice opens the device.
func (m *modelFlags) openDevice(std streams) (kernels.Device, error) {
	d, note, err := device.Open(device.Options{Name: m.Device})
	if note != "" {
		std.warn(note)
	}
	return d, err
}

// openEncoder opens the model and its images, if any, and returns a function that frees both.
func (m *modelFlags) openEncoder(std streams) (*features.Folder, func(), error) {
	var opened []func()
	free := func() {
		for _, f := range slices.Backward(opened) {
			f()
		}
	}
	d, err := m.openDevice(std)
	if err != nil {
		return nil, nil, err
	}
	opened = append(opened, func() { d.Close() })
	model, err := m.openModel(std, d, m.Model)
	if err != nil {
		free()
		return nil, nil, err
	}
	opened = append(opened, model.Free)
	var set images.Set
	if len(m.Images) > 0 {
		if set, err = m.openImages(std, m.Images); err != nil {
			free()
			return nil, nil, err
		}
		opened = append(opened, func() { set.Close() })
	}
	return features.NewFolder(model.Encoder, set), free, nil
}

// showProgress shows a count until stop is called. add adds to it, from any goroutine.
func (s streams) showProgress(log, name, one, many string, total int) (add func(int), stop func()) {
	var done atomic.Int64
	shown := progress.Start(s.err, progressMode(log, s.err), progress.Work{
		Name: name, One: one, Many: many, Total: int64(total), Done: done.Load,
		Detail: func(rate float64) string { return fmt.Sprintf("%s/s", text.Thousands(int64(rate))) },
		Attrs: func(rate float64) []slog.Attr {
			return []slog.Attr{slog.String("task", name), slog.Int64(many, done.Load()), slog.Int("total", total), slog.Int64(many+"_per_second", int64(rate))}
		},
	})
	return func(n int) { done.Add(int64(n)) }, shown.Stop
}

// maxNamedBroken is the largest number of broken images to name.
const maxNamedBroken = 5

// warnAboutBroken counts and names the images that could not be used.
func (s streams) warnAboutBroken(of string, broken []clip.Broken) {
	if len(broken) == 0 {
		return
	}
	n := len(broken)
	s.warn(fmt.Sprintf("%s: %d %s missing or broken, and left out:", of, n, text.Plural(n, "image is", "images are")))
	for _, b := range broken[:min(n, maxNamedBroken)] {
		s.warn(fmt.Sprintf("  %s: %v", b.Image, b.Err))
	}
	if n > maxNamedBroken {
		s.warn(fmt.Sprintf("  and %d more", n-maxNamedBroken))
	}
}
