package images

import (
	"context"
	"fmt"
	"path"
	"strings"
	"sync"

	"capgraph/store"
)

// maxTars is how many tars stay open with their places.
const maxTars = 64

type tars struct {
	store store.Store
	names []string
	// extension is the extension of image members, such as input.jpg; "" for any.
	extension string
	number    map[string]int // by stem; -1 if two tars have it
	held      *openFiles[*tarFile]

	mu     sync.Mutex
	all    index // of all tars, once it was needed
	damage error // the first of all
}

// OpenTars opens images in tars, as img2dataset and webdataset write them. An
// image is a member KEY.jpg, .jpeg, .png, .webp or .gif, or KEY and the extension that
// o.Column names (input.jpg), and its name is KEY: in the tar
// whose stem is that of the shard, or, where the shard has no tar of its own, in
// any. Of one key twice the first counts. Names may have what is behind the first
// dot too, and the tar before: 00042.tar/000420001.jpg.
//
// A tar is read header by header when its first image is asked for. Where shards
// are not named as the tars, all are, and 32 bytes an image stay in memory. Of a
// tar that is cut off, what lies before can be read.
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

// checkTarPointer returns an error if a tar is a pointer of Git LFS.
func checkTarPointer(f store.File, name string) error {
	if err := store.CheckPointerAt(f); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// checkPointer returns an error if the bytes of an image in a file are a pointer of Git LFS.
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

// withPlace calls use with the place of an image.
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

// findAnywhere finds a key in any of the tars, which it reads through the first time.
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
		p, ok = t.all.find(imageOfCaption(key))
	}
	switch {
	case ok:
		return p, nil
	case t.damage != nil:
		return p, fmt.Errorf("image %q is in no tar that can be read: %w", key, t.damage)
	}
	return p, missingError(key, fmt.Sprintf("%s and the tars beside it, %d in all", t.names[0], len(t.names)))
}

// readAll finds the places in all tars. A tar that is damaged or gone is no reason
// not to read the others.
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
