// Package suite runs benchmarks of package eval/clip on trained models: it knows
// where the files and the images of each are, reads them once, and gives the same
// cases to every model.
package suite

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"capgraph/eval/clip"
	"capgraph/kernels"
	"capgraph/store"
	"capgraph/train/features"
	"capgraph/train/images"
)

// Kinds of benchmarks that are none of clip.Kinds.
const (
	ZeroShot  = "zeroshot"
	Retrieval = "retrieval"
	Probe     = "probe"
	TreeScore = "tree-score"
)

// Task is a benchmark that is to be run.
type Task struct {
	Kind string // one of clip.Kinds, or of the four above
	File string
	// Images are where its images lie; empty: where those of the suite do.
	Images []string
	// Classes and Templates are files of ZeroShot; Train is what Probe is fitted to.
	Classes, Templates, Train string
}

// Parse reads KIND=FILE,key=value…, the keys being images, which may be there more
// than once, classes, templates and train.
func Parse(s string) (Task, error) {
	parts := strings.Split(s, ",")
	kind, file, ok := strings.Cut(parts[0], "=")
	t := Task{Kind: kind, File: file}
	if !ok || file == "" {
		return t, fmt.Errorf("%q names no file: want KIND=FILE", s)
	}
	if !slices.Contains(Kinds(), kind) {
		return t, fmt.Errorf("no benchmark is called %q: want one of %s", kind, strings.Join(Kinds(), ", "))
	}
	for _, p := range parts[1:] {
		key, value, _ := strings.Cut(p, "=")
		set, known := map[string]*string{"classes": &t.Classes, "templates": &t.Templates, "train": &t.Train}[key]
		switch {
		case value == "":
			return t, fmt.Errorf("%q of %q: want KEY=VALUE", p, s)
		case key == "images" && kind != TreeScore:
			t.Images = append(t.Images, value)
		case !known || key == "train" && kind != Probe || key != "train" && kind != ZeroShot:
			return t, fmt.Errorf("%s has no use with %s", key, kind)
		default:
			*set = value
		}
	}
	if kind == Probe && t.Train == "" {
		return t, fmt.Errorf("%q: a probe wants train=FILE too, the images that it is fitted to", s)
	}
	return t, nil
}

// Kinds are the names of all kinds.
func Kinds() []string {
	names := []string{ZeroShot, Retrieval, Probe, TreeScore}
	for _, k := range clip.Kinds() {
		names = append(names, k.Name)
	}
	return names
}

// Suite is benchmarks whose files were read and whose images are open.
type Suite struct {
	benchmarks []benchmark
	sets       map[string]images.Set
	// Size is how many cases, images and texts all benchmarks of a model are.
	Size int
}

// benchmark is a task that is ready to be run.
type benchmark struct {
	set images.Set // nil of one that needs no images
	run func(context.Context, kernels.Device, *features.Folder, clip.Options) (*clip.Result, error)
}

// Open reads the files of tasks and opens their images. where has the images of tasks
// that name none of their own. tag is called for benchmarks that shuffle words.
func Open(ctx context.Context, files store.Store, tasks []Task, where images.Options, tag clip.Tagger) (*Suite, error) {
	s := &Suite{sets: map[string]images.Set{}}
	for _, t := range tasks {
		b, err := s.open(ctx, files, t, where, tag)
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		s.benchmarks = append(s.benchmarks, b)
	}
	return s, nil
}

// Close closes the images.
func (s *Suite) Close() (err error) {
	for _, set := range s.sets {
		err = errors.Join(err, set.Close())
	}
	return err
}

func (s *Suite) open(ctx context.Context, files store.Store, t Task, where images.Options, tag clip.Tagger) (b benchmark, err error) {
	if t.Kind == TreeScore {
		b.run, err = s.treeScore(ctx, files, t)
		return b, err
	}
	if len(t.Images) > 0 {
		where.Paths = t.Images
	}
	if len(where.Paths) == 0 && t.Kind == ZeroShot {
		where.Paths = []string{t.File} // a folder of a folder a class
	}
	if len(where.Paths) == 0 {
		return b, fmt.Errorf("%s=%s: nothing says where its images lie: name them with --images, or with images=PATH behind it", t.Kind, t.File)
	}
	name := strings.Join(where.Paths, "\n")
	if s.sets[name] == nil {
		if s.sets[name], err = images.Open(files, where); err != nil {
			return b, err
		}
	}
	b.set = s.sets[name]
	switch t.Kind {
	case ZeroShot:
		b.run, err = s.zeroShot(files, t)
	case Retrieval:
		b.run, err = s.retrieval(ctx, files, t)
	case Probe:
		b.run, err = s.probe(files, t)
	default:
		var read clip.Benchmark
		read, err = clip.Read(files, t.Kind, t.File, tag)
		s.Size += len(read.Cases)
		b.run = func(ctx context.Context, _ kernels.Device, f *features.Folder, o clip.Options) (*clip.Result, error) {
			return clip.Score(ctx, f, read, o)
		}
	}
	return b, err
}

// Run measures a model. done is told how much of Size is done; it may be nil.
func (s *Suite) Run(ctx context.Context, m *features.Model, done func(int)) ([]*clip.Result, error) {
	var results []*clip.Result
	for _, b := range s.benchmarks {
		r, err := b.run(ctx, m.Device(), features.NewFolder(m.Encoder, b.set), clip.Options{Done: done})
		if err == nil {
			err = m.Device().Err()
		}
		if err != nil {
			return nil, err
		}
		results = append(results, r)
	}
	return results, nil
}

// Image reads an image of benchmark i, as Run has it.
func (s *Suite) Image(ctx context.Context, i int, name string) ([]byte, error) {
	return s.benchmarks[i].set.Read(ctx, "", name, nil)
}

// title is what a task is called.
func title(t Task) string {
	return t.Kind + " " + strings.TrimSuffix(path.Base(t.File), path.Ext(t.File))
}
