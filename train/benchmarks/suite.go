// Package benchmarks runs the benchmarks of capgraph eval clip on models: pairs, retrieval,
// zero-shot classification. A training also runs them, between its steps.
package benchmarks

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"capgraph/eval/clip"
	"capgraph/images"
	"capgraph/internal/usage"
	"capgraph/kernels"
	"capgraph/store"
	"capgraph/train/features"
)

// Kinds of benchmarks that are not in clip.Kinds.
const (
	ZeroShot  = "zeroshot"
	Retrieval = "retrieval"
	TreeScore = "tree-score"
)

// Task is a benchmark to run.
type Task struct {
	kind               string // one of Kinds
	file               string
	images             []string // the paths of its images; if empty, those of the suite
	classes, templates string   // files of ZeroShot
	split              string   // for Retrieval and TreeScore
}

// ParseTask parses KIND=FILE,key=value…. The keys are images, which may be repeated, classes,
// templates and split.
func ParseTask(s string) (Task, error) {
	parts := strings.Split(s, ",")
	kind, file, ok := strings.Cut(parts[0], "=")
	t := Task{kind: kind, file: file}
	if !ok || file == "" {
		return t, fmt.Errorf("%q names no file: want KIND=FILE", s)
	}
	if !slices.Contains(Kinds(), kind) {
		return t, fmt.Errorf("no benchmark is called %q: want one of %s", kind, strings.Join(Kinds(), ", "))
	}
	for _, p := range parts[1:] {
		key, value, _ := strings.Cut(p, "=")
		set, known := map[string]*string{"classes": &t.classes, "templates": &t.templates, "split": &t.split}[key]
		users := []string{ZeroShot}
		if key == "split" {
			users = []string{Retrieval, TreeScore}
		}
		switch {
		case value == "":
			return t, fmt.Errorf("%q of %q: want KEY=VALUE", p, s)
		case key == "images" && kind != TreeScore:
			t.images = append(t.images, value)
		case !known || !slices.Contains(users, kind):
			return t, fmt.Errorf("%s is not used by %s", key, kind)
		default:
			*set = value
		}
	}
	return t, nil
}

// SugarCrepe returns the task of a file of pairs in the format of SugarCrepe.
func SugarCrepe(file string) Task { return Task{kind: "sugarcrepe", file: file} }

// Kinds returns the names of all kinds of benchmarks.
func Kinds() []string {
	names := []string{ZeroShot, Retrieval, TreeScore}
	for _, k := range clip.Kinds() {
		names = append(names, k.Name)
	}
	return names
}

// Suite runs benchmarks on models. Files are read and images opened once, so that all models get
// the same cases.
type Suite struct {
	benchmarks []openBenchmark
	sets       map[string]images.Set // by their paths
	// Size is the number of cases, images and texts of all benchmarks, the total of Measure's
	// progress.
	Size int
}

// openBenchmark is a benchmark that is ready to run.
type openBenchmark struct {
	set images.Set // nil if it needs no images
	run runBenchmark
}

// runBenchmark runs a benchmark on a model.
type runBenchmark = func(context.Context, kernels.Device, *features.Folder, clip.Options) (*clip.Result, error)

// Open reads the files of tasks and opens their images. where locates the images of tasks that do
// not name their own. tag is called for benchmarks that shuffle words.
func Open(ctx context.Context, files store.Store, tasks []Task, where images.Options, tag clip.Tagger) (*Suite, error) {
	s := &Suite{sets: map[string]images.Set{}}
	for _, t := range tasks {
		b, err := s.openTask(ctx, files, t, where, tag)
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

// openTask reads the file of a task and opens its images.
func (s *Suite) openTask(ctx context.Context, files store.Store, t Task, where images.Options, tag clip.Tagger) (b openBenchmark, err error) {
	if t.kind == TreeScore {
		b.run, err = s.openTreeScore(ctx, files, t)
		return b, err
	}
	if len(t.images) > 0 {
		where.Paths = t.images
	}
	if len(where.Paths) == 0 && t.kind == ZeroShot {
		where.Paths = []string{t.file} // a folder with a subfolder for each class
	}
	if len(where.Paths) == 0 {
		return b, fmt.Errorf("%s=%s: its images are not named: add ,images=PATH, or name those of all benchmarks", t.kind, t.file)
	}
	name := strings.Join(where.Paths, "\n")
	if s.sets[name] == nil {
		set, err := images.Open(files, where)
		if err != nil {
			return b, err
		}
		s.sets[name] = set
	}
	b.set = s.sets[name]
	switch t.kind {
	case ZeroShot:
		b.run, err = s.openZeroShot(files, t)
	case Retrieval:
		b.run, err = s.openRetrieval(ctx, files, t)
	default:
		var read clip.Benchmark
		read, err = clip.Read(files, t.kind, t.file, tag)
		s.Size += len(read.Cases)
		b.run = func(ctx context.Context, _ kernels.Device, f *features.Folder, o clip.Options) (*clip.Result, error) {
			return clip.Score(ctx, f, read, o)
		}
	}
	return b, err
}

// Measure runs all benchmarks on a model, which is on the device on. done is called with the
// progress, up to Size; it may be nil.
func (s *Suite) Measure(ctx context.Context, on kernels.Device, m *features.Encoder, done func(int)) ([]*clip.Result, error) {
	var results []*clip.Result
	for _, b := range s.benchmarks {
		r, err := b.run(ctx, on, features.NewFolder(m, b.set), clip.Options{Done: done})
		if err == nil {
			err = on.Err()
		}
		if err != nil {
			return nil, err
		}
		results = append(results, r)
	}
	return results, nil
}

// ReadImage returns the file of an image of benchmark i.
func (s *Suite) ReadImage(ctx context.Context, i int, name string) ([]byte, error) {
	return s.benchmarks[i].set.Read(ctx, "", name, nil)
}

// taskTitle returns the name of a task in tables.
func taskTitle(t Task) string {
	title := t.kind + " " + strings.TrimSuffix(path.Base(t.file), path.Ext(t.file))
	if t.split != "" {
		title += " " + t.split
	}
	return title
}

// openZeroShot opens a task of kind zeroshot.
func (s *Suite) openZeroShot(files store.Store, t Task) (runBenchmark, error) {
	list, err := clip.ReadLabelled(files, t.file)
	if err != nil {
		return nil, err
	}
	classes, templates := clip.ClassesOf(list), []string{clip.DefaultTemplate}
	if t.classes != "" {
		if classes, err = clip.ReadClasses(files, t.classes); err != nil {
			return nil, err
		}
	} else if id := clip.WordNetID(classes); id != "" {
		return nil, usage.Errorf("%s: the classes are ids of WordNet, such as %s, and not words: add classes=FILE, %s", t.file, id, clip.ClassesForm)
	}
	if t.templates != "" {
		if templates, err = clip.ReadTemplates(files, t.templates); err != nil {
			return nil, err
		}
	}
	s.Size += len(list) + len(classes)*len(templates)
	return func(ctx context.Context, _ kernels.Device, f *features.Folder, o clip.Options) (*clip.Result, error) {
		return clip.Classify(ctx, f, taskTitle(t), list, classes, templates, o)
	}, nil
}

// openRetrieval opens a task of kind retrieval.
func (s *Suite) openRetrieval(ctx context.Context, files store.Store, t Task) (runBenchmark, error) {
	captions, err := clip.ReadCaptions(ctx, files, t.file, t.split)
	if err != nil {
		return nil, err
	}
	s.Size += len(captions)
	for _, c := range captions {
		s.Size += len(c.Texts)
	}
	return func(ctx context.Context, d kernels.Device, f *features.Folder, o clip.Options) (*clip.Result, error) {
		return clip.Retrieve(ctx, d, f, taskTitle(t), f.ResolveNames(captions), o)
	}, nil
}

// openTreeScore opens a task of kind treescore, which uses the first caption of each image.
func (s *Suite) openTreeScore(ctx context.Context, files store.Store, t Task) (runBenchmark, error) {
	captions, err := clip.ReadCaptions(ctx, files, t.file, t.split)
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, c := range captions {
		texts = append(texts, c.Texts[0])
	}
	s.Size += len(texts)
	return func(ctx context.Context, _ kernels.Device, f *features.Folder, o clip.Options) (*clip.Result, error) {
		return clip.TreeScores(ctx, f, taskTitle(t), texts, o)
	}, nil
}
