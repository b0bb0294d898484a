package suite

import (
	"cmp"
	"context"

	"capgraph/eval/clip"
	"capgraph/kernels"
	"capgraph/store"
	"capgraph/train/features"
)

type run = func(context.Context, kernels.Device, *features.Folder, clip.Options) (*clip.Result, error)

func (s *Suite) zeroShot(files store.Store, t Task) (run, error) {
	list, err := clip.ReadLabelled(files, t.File)
	if err != nil {
		return nil, err
	}
	classes, templates := clip.ClassesOf(list), []string{clip.DefaultTemplate}
	if t.Classes != "" {
		if classes, err = clip.ReadClasses(files, t.Classes); err != nil {
			return nil, err
		}
	}
	if t.Templates != "" {
		if templates, err = clip.ReadTemplates(files, t.Templates); err != nil {
			return nil, err
		}
	}
	s.Size += len(list) + len(classes)*len(templates)
	return func(ctx context.Context, _ kernels.Device, f *features.Folder, o clip.Options) (*clip.Result, error) {
		return clip.Classify(ctx, f, title(t), list, classes, templates, o)
	}, nil
}

func (s *Suite) retrieval(ctx context.Context, files store.Store, t Task) (run, error) {
	captions, err := clip.ReadCaptions(ctx, files, t.File)
	if err != nil {
		return nil, err
	}
	s.Size += len(captions)
	for _, c := range captions {
		s.Size += len(c.Texts)
	}
	return func(ctx context.Context, d kernels.Device, f *features.Folder, o clip.Options) (*clip.Result, error) {
		return clip.Retrieve(ctx, d, f, title(t), f.ResolveNames(captions), o)
	}, nil
}

func (s *Suite) probe(files store.Store, t Task) (run, error) {
	train, errTrain := clip.ReadLabelled(files, t.Train)
	test, err := clip.ReadLabelled(files, t.File)
	if err := cmp.Or(errTrain, err); err != nil {
		return nil, err
	}
	s.Size += len(train) + len(test)
	return func(ctx context.Context, _ kernels.Device, f *features.Folder, o clip.Options) (*clip.Result, error) {
		return clip.Probe(ctx, f, title(t), train, test, o)
	}, nil
}

// treeScore is of the first caption of each image.
func (s *Suite) treeScore(ctx context.Context, files store.Store, t Task) (run, error) {
	captions, err := clip.ReadCaptions(ctx, files, t.File)
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, c := range captions {
		texts = append(texts, c.Texts[0])
	}
	s.Size += len(texts)
	return func(ctx context.Context, _ kernels.Device, f *features.Folder, o clip.Options) (*clip.Result, error) {
		return clip.TreeScores(ctx, f, title(t), texts, o)
	}, nil
}
