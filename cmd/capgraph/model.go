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

// modelFlags name a model and the images that it looks at.
type modelFlags struct {
	Model     string   `arg:"" help:"The output folder of a training, a folder of open_clip or Hugging Face, or a safetensors file." placeholder:"MODEL"`
	Config    string   `help:"Configuration of the model, if the weights have none: a model of open_clip, or a JSON file." placeholder:"NAME"`
	Tokenizer string   `help:"tokenizer.json of its training, if it is not beside the weights; without one, CLIP's." placeholder:"FILE"`
	Images    []string `help:"The images: a folder, tars or Parquet files." placeholder:"PATH"`
	Format    string   `help:"Format of the images: auto, folder, tars or parquet." enum:"auto,folder,tars,parquet" default:"auto"`
	Column    string   `help:"Column of the images in Parquet." placeholder:"NAME"`
	MaxPixels int      `help:"Most pixels of an image; one with more is left out." default:"50000000" placeholder:"N"`
	Device    string   `help:"Device, as in the recipe of a training: auto, cpu, cuda:0 and so on." default:"auto" placeholder:"NAME"`
	Progress  string   `enum:"auto,plain,json,none" default:"auto" help:"How to show progress: auto, plain, json or none."`
}

// open reads the model, or another one in its place, onto a device.
func (m *modelFlags) open(std streams, d kernels.Device, name string) (*features.Model, error) {
	return features.Open(std.files, d, name, features.Options{
		Config: m.Config, Tokenizer: m.Tokenizer, Parse: graphParser(), MaxPixels: m.MaxPixels,
	})
}

// graphParser cleans and parses texts as a run does by default, with the rule parser,
// which is loaded where it is needed first.
func graphParser() features.Parse {
	parser := sync.OnceValues(ruleparse.New)
	cleaner := sync.OnceValues(func() (*clean.Cleaner, error) { return clean.New(clean.Defaults()) })
	var parsed schemas.Parsed
	return func(text string, to *schemas.SceneGraph) {
		p, err := parser()
		c, wrong := cleaner()
		if err := cmp.Or(err, wrong); err != nil { // the model and the settings are part of the program
			panic(err)
		}
		if cleaned, _ := c.Clean(text); cleaned != "" {
			text = cleaned
		}
		p.ParseText(text, &parsed)
		*to = parsed.Graph
	}
}

// set opens the images, or others in their place.
func (m *modelFlags) set(std streams, paths []string) (images.Set, error) {
	return images.Open(std.files, images.Options{Format: m.Format, Paths: paths, Column: m.Column})
}

// compute opens what is computed on.
func (m *modelFlags) compute(std streams) (kernels.Device, error) {
	d, note, err := device.Open(device.Options{Name: m.Device})
	if note != "" {
		std.warn(note)
	}
	return d, err
}

// encoder opens the model with its images, if there are some, and what frees both.
func (m *modelFlags) encoder(std streams) (*features.Folder, func(), error) {
	var opened []func()
	free := func() {
		for _, f := range slices.Backward(opened) {
			f()
		}
	}
	d, err := m.compute(std)
	if err != nil {
		return nil, nil, err
	}
	opened = append(opened, func() { d.Close() })
	model, err := m.open(std, d, m.Model)
	if err != nil {
		free()
		return nil, nil, err
	}
	opened = append(opened, model.Free)
	var set images.Set
	if len(m.Images) > 0 {
		if set, err = m.set(std, m.Images); err != nil {
			free()
			return nil, nil, err
		}
		opened = append(opened, func() { set.Close() })
	}
	return features.NewFolder(model.Encoder, set), free, nil
}

// counted shows how many of something are done, until stop; its function add may be
// called at any time.
func (s streams) counted(log, name, one, many string, total int) (add func(int), stop func()) {
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

// mostNamed is how many broken images are named.
const mostNamed = 5

// warnOfBroken counts and names the images of something that could not be used.
func (s streams) warnOfBroken(of string, broken []clip.Broken) {
	if len(broken) == 0 {
		return
	}
	n := len(broken)
	s.warn(fmt.Sprintf("%s: %d %s missing or broken, and left out:", of, n, text.Plural(n, "image is", "images are")))
	for _, b := range broken[:min(n, mostNamed)] {
		s.warn(fmt.Sprintf("  %s: %v", b.Image, b.Err))
	}
	if n > mostNamed {
		s.warn(fmt.Sprintf("  and %d more", n-mostNamed))
	}
}
