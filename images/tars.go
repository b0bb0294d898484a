package images

import (
	"context"
	"fmt"
	"path"
	"strings"
	"sync"

	"capgraph/store"
)

// maxTars is how many tars stay open with their indexes at most.
const maxTars = 64

type tars struct {
	store store.Store
	names []string
	// extension of images, such as input.jpg; "" for any
	extension string
	number    map[string]int // from the base name of a tar to its number; -1 if two tars have the name
	held      *openFiles[*tarFile]

	mu     sync.Mutex
	all    index // index of all tars; nil until it is needed
	damage error // the first error in any tar
}

// OpenTars opens images in tars of img2dataset or webdataset. An image with the name KEY is the
// member KEY.jpg, .jpeg, .png, .webp or .gif, or KEY with the extension o.Column (input.jpg). It is
// looked up in the tar with the base name of the shard, or in all tars if there is no such tar. Of
// equal keys the first counts. A name may have its extension, and the tar before it:
// 00042.tar/000420001.jpg.
//
// The headers of a tar are read at its first use. If a shard has no tar of its name, the headers of
// all tars are read and take 32 bytes of memory for each image. Of a truncated tar, the images
// before the end can be read.
func OpenTars(s store.Store, o Options) (Set, error) {
	names, err := listFiles(s, o.Paths, extTar)
	if err != nil {
		return nil, err
	}
	t := &tars{store: s, names: names, number: map[string]int{}, extension: strings.ToLower(o.Column)}
	for i, name := range names {
		stem, _, _ := strings.Cut(path.Base(name), ".")
		if _, twice := t.number[stem]; twice {
			i = -1
		}
		t.number[stem] = i
	}
	t.held = newOpenFiles(maxTars, func(i int) (*tarFile, error) {
		f, err := s.Open(names[i])
		if err == nil {
			err = checkTarPointer(f, names[i])
		}
		return &tarFile{File: f, name: names[i], extension: t.extension}, err
	})
	return t, nil
}

// checkTarPointer returns an error if the file is not a tar but a pointer of Git LFS.
func checkTarPointer(f store.File, name string) error {
	if err := store.CheckPointerAt(f); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// checkPointer returns an error if the bytes of an image are a pointer of Git LFS instead.
func checkPointer(data []byte, file, image string) error {
	if err := store.CheckPointer(data, int64(len(data))); err != nil {
		return fmt.Errorf("%s: %s %w", file, image, err)
	}
	return nil
}

// Find implements Set.
func (t *tars) Find(ctx context.Context, shard, name string) error {
	return t.withPlace(ctx, shard, name, func(*tarFile, place) error { return nil })
}

// Read implements Set.
func (t *tars) Read(ctx context.Context, shard, name string, buf []byte) (data []byte, err error) {
	err = t.withPlace(ctx, shard, name, func(f *tarFile, p place) (err error) {
		if data, err = readAt(f, f.name, p.offset, int64(p.size), buf); err == nil {
			err = checkPointer(data, f.name, "the image "+name)
		}
		return err
	})
	return data, err
}

// withPlace calls use with the tar and the place of an image.
func (t *tars) withPlace(ctx context.Context, shard, name string, use func(*tarFile, place) error) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	if tar, member, ok := strings.Cut(name, extTar+"/"); ok {
		if _, ok := t.number[path.Base(tar)]; ok {
			shard, name = path.Base(tar), member
		}
	}
	key, _ := memberKey(name)
	i, ok := t.number[shard]
	known := ok && i >= 0
	var p place
	if !known {
		if p, err = t.findAnywhere(ctx, key); err != nil {
			return err
		}
		i = int(p.file)
	}
	return t.held.withFile(i, func(f *tarFile) (err error) {
		if known {
			if p, err = f.find(key); err != nil {
				return err
			}
		}
		return use(f, p)
	})
}

// findAnywhere returns the place of a key in any of the tars. The first call indexes all of them.
func (t *tars) findAnywhere(ctx context.Context, key string) (place, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all == nil {
		if err := t.readAll(ctx); err != nil {
			return place{}, err
		}
	}
	p, ok := t.all.find(key)
	if !ok {
		p, ok = t.all.find(trimCaptionNumber(key))
	}
	switch {
	case ok:
		return p, nil
	case t.damage != nil:
		return p, fmt.Errorf("image %q is in no tar that can be read: %w", key, t.damage)
	}
	return p, missingError(key, fmt.Sprintf("%s and the tars beside it, %d in all", t.names[0], len(t.names)))
}

// readAll indexes all tars. A damaged or missing tar does not stop it.
func (t *tars) readAll(ctx context.Context) error {
	all := make([]place, 0, 1)
	var damage error
	for i, name := range t.names {
		if err := ctx.Err(); err != nil {
			return err
		}
		f, err := t.store.Open(name)
		if err == nil {
			err = checkTarPointer(f, name)
		}
		if err == nil {
			all, err = tarPlaces(f, name, uint32(i), t.extension, all)
			f.Close()
		}
		if store.IsEnvironmentError(err) {
			return err
		}
		if damage == nil {
			damage = err
		}
	}
	t.all, t.damage = newIndex(all), damage
	return nil
}

func (t *tars) Close() error { return t.held.Close() }
