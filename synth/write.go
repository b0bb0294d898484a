package synth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"runtime"

	"golang.org/x/sync/errgroup"

	"capgraph/internal/panics"
	"capgraph/store"
)

// How many scenes a tar has, as in img2dataset, and how many are rendered at the same time.
const (
	tarScenes   = 10000
	blockScenes = 512
)

// version is raised whenever the scenes, the captions or the files change.
const version = 3

// manifest is the content of world.json: the world of the folder, and whether the folder is
// complete.
type manifest struct {
	Version int `json:"version"`
	World
	Whole bool `json:"whole"`
}

// Write renders the world into a folder: train/ (see TrainDir), tests/ (see TestFile) and
// graphs.csv (see GraphsFile). world.json has the world from the beginning, and marks the folder as
// complete at the end. A complete folder of this world is left as it is; an incomplete one is
// written again. A folder of another world, or with other files of those names, is an error. The
// bytes are the same for any number of processors.
func (w World) Write(ctx context.Context, files store.Store, dir string) error {
	s, err := New(w)
	if err != nil {
		return err
	}
	whole, err := w.prepareFolder(files, dir)
	if err != nil || whole {
		return err
	}
	for first := 0; first < w.Train; first += tarScenes {
		if err := s.writeTar(ctx, files, dir, first, min(first+tarScenes, w.Train)); err != nil {
			return err
		}
	}
	if err := s.writeGraphs(ctx, files, dir); err != nil {
		return err
	}
	for _, test := range Tests {
		if err := s.writeTest(ctx, files, dir, test); err != nil {
			return err
		}
	}
	for _, test := range PartTests {
		if err := s.writePartTest(ctx, files, dir, test); err != nil {
			return err
		}
	}
	if err := s.writeRetrieval(ctx, files, dir); err != nil {
		return err
	}
	return w.writeManifest(files, dir, true)
}

// prepareFolder reports whether the folder is complete already. It marks a new folder as this
// world's.
func (w World) prepareFolder(files store.Store, dir string) (whole bool, err error) {
	name := manifestFile(dir)
	data, err := store.ReadFile(files, name, 1<<16)
	if errors.Is(err, fs.ErrNotExist) {
		for _, taken := range []string{TrainDir(dir), TestsDir(dir), GraphsFile(dir)} {
			if _, err := files.Stat(taken); err == nil {
				return false, fmt.Errorf("%s: exists, and does not belong to a rendered world: choose another folder", taken)
			} else if !errors.Is(err, fs.ErrNotExist) {
				return false, err
			}
		}
		return false, w.writeManifest(files, dir, false)
	}
	if err != nil {
		return false, err
	}
	var there manifest
	if err := json.Unmarshal(data, &there); err != nil {
		return false, fmt.Errorf("%s: %w (remove the folder, or choose another)", name, err)
	}
	if there.World != w || there.Version != version {
		return false, fmt.Errorf("%s: the folder holds another world: remove it, or choose another folder", name)
	}
	return there.Whole, nil
}

// writeManifest writes world.json.
func (w World) writeManifest(files store.Store, dir string, whole bool) error {
	data, err := json.MarshalIndent(manifest{version, w, whole}, "", "  ")
	if err != nil {
		return err
	}
	return store.ReplaceFile(files, manifestFile(dir), append(data, '\n'))
}

func manifestFile(dir string) string { return store.Join(dir, "world.json") }

// rendered is a scene with its image as a PNG.
type rendered struct {
	scene Scene
	png   []byte
}

// renderScenes renders scenes first to last-1 in parallel and calls emit with each in order.
func (s *Scenes) renderScenes(ctx context.Context, first, last int, scene func(int) Scene, emit func(int, rendered) error) error {
	painters := make([]*painter, runtime.GOMAXPROCS(0))
	for i := range painters {
		painters[i] = newPainter(s.Side)
	}
	block := make([]rendered, blockScenes)
	for ; first < last; first += len(block) {
		block = block[:min(len(block), last-first)]
		group, ctx := errgroup.WithContext(ctx)
		for k, p := range painters {
			group.Go(func() (err error) {
				defer panics.Catch(&err)
				for i := k; i < len(block) && ctx.Err() == nil; i += len(painters) {
					drawn := scene(first + i)
					data, err := p.encodePNG(drawn)
					if err != nil {
						return err
					}
					block[i] = rendered{drawn, data}
				}
				return ctx.Err()
			})
		}
		if err := group.Wait(); err != nil {
			panics.Rethrow(err)
			return err
		}
		for i, r := range block {
			if err := emit(first+i, r); err != nil {
				return err
			}
		}
	}
	return nil
}
