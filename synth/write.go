package synth

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"runtime"

	"golang.org/x/sync/errgroup"

	"capgraph/internal/panics"
	"capgraph/store"
)

// Sizes of what is written at once: scenes in a tar, as img2dataset has them,
// and scenes that are rendered together.
const (
	tarScenes   = 10000
	blockScenes = 512
)

// version is raised when a scene, a caption or a file becomes another.
const version = 1

// manifest is what world.json says of the folder, once all else is there.
type manifest struct {
	Version int `json:"version"`
	World
}

// Write renders the world into a folder: train/ (see TrainDir), heldout/ and
// heldout.json, then world.json. Where that stands and is of this world, nothing
// is done; of another, it is an error. A folder that was not finished is
// written again. The bytes are the same for any number of processors.
func (w World) Write(ctx context.Context, files store.Store, dir string) error {
	if w.Side < 1 || w.Train < 0 || w.Heldout < 0 {
		return fmt.Errorf("a world of %d + %d scenes of %d pixels cannot be: want 0 or more, and 1 pixel or more", w.Train, w.Heldout, w.Side)
	}
	want, err := json.MarshalIndent(manifest{version, w}, "", "  ")
	if err != nil {
		return err
	}
	want = append(want, '\n')
	name := path.Join(dir, "world.json")
	switch there, err := store.ReadFile(files, name, 1<<16); {
	case err == nil && bytes.Equal(there, want):
		return nil
	case err == nil:
		return fmt.Errorf("%s: the folder holds another world: remove it, or choose another folder", name)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	for first := 0; first < w.Train; first += tarScenes {
		if err := w.writeTar(ctx, files, dir, first, min(first+tarScenes, w.Train)); err != nil {
			return err
		}
	}
	if err := w.writeHeldout(ctx, files, dir); err != nil {
		return err
	}
	return store.ReplaceFile(files, name, want)
}

// rendered is a scene with its image.
type rendered struct {
	scene Scene
	png   []byte
}

// render renders scenes first to last-1, in parallel, and hands them on in order.
func (w World) render(ctx context.Context, first, last int, scene func(int) Scene, emit func(int, rendered) error) error {
	painters := make([]*painter, runtime.GOMAXPROCS(0))
	for i := range painters {
		painters[i] = newPainter(w.Side)
	}
	block := make([]rendered, blockScenes)
	for ; first < last; first += len(block) {
		block = block[:min(len(block), last-first)]
		group, ctx := errgroup.WithContext(ctx)
		for k, p := range painters {
			group.Go(func() (err error) {
				defer panics.Catch(&err)
				for i := k; i < len(block) && ctx.Err() == nil; i += len(painters) {
					s := scene(first + i)
					data, err := p.png(s)
					if err != nil {
						return err
					}
					block[i] = rendered{s, data}
				}
				return ctx.Err()
			})
		}
		if err := group.Wait(); err != nil {
			panics.Pass(err)
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
