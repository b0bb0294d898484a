package llmparse

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"capgraph/store"
)

// Files opens cache folders by name, on this machine or in an object store. A process mirrors an
// object store's replies in the local folder Scratch (empty: TMPDIR, else /tmp).
type Files struct {
	Store   store.Store
	Scratch string
}

// cacheBackend is a folder of replies: files of this machine, or objects in a store.
type cacheBackend interface {
	// open opens it to read and to write, read to read alone: no Put may follow.
	open() (*Cache, error)
	read() (*Cache, error)
	// files describes what holds replies, in the order of the names.
	files() ([]store.Info, error)
	// has reports whether there is a reply, or what another process is writing.
	has() (bool, error)
	// each calls visit with every reply, file by file, in the order of the keys
	// within a file.
	each(visit func(file string, k Key, r *Record) error) error
	merge() (Merged, error)
	prune(drop func(*Record) bool) (removed int, err error)
}

// backend is the folder of replies of that name.
func (f Files) backend(dir string) cacheBackend {
	if path, local := store.LocalPath(dir); local {
		return localCache(path)
	}
	return &objectCache{within: f, dir: dir, unsent: map[Key]struct{}{}}
}

// existingBackend returns the backend of a folder that must hold replies, and its files.
func (f Files) existingBackend(dir string) (cacheBackend, []store.Info, error) {
	if _, err := f.Store.Stat(dir); err != nil {
		return nil, nil, fmt.Errorf("cache: %w", err)
	}
	p := f.backend(dir)
	files, err := p.files()
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("cache: %s holds no files of replies", dir)
	}
	return p, files, err
}

// HasReplies reports whether the cache folder dir holds a reply, or a file that
// another process is writing. It makes no folder.
func (f Files) HasReplies(dir string) (bool, error) { return f.backend(dir).has() }

// CacheGroup is what a cache holds of one model and one version of a prompt.
type CacheGroup struct {
	Model, Prompt     string
	Replies, Unusable int
	In, Out           int // tokens
}

// CacheStats says what the cache folder dir holds, in the order of models and
// prompts, and the bytes of its files. With a *DamagedError it says so of what is whole.
func (f Files) CacheStats(dir string) (groups []CacheGroup, files int, bytes int64, err error) {
	p, infos, err := f.existingBackend(dir)
	if err != nil {
		return nil, 0, 0, err
	}
	for _, info := range infos {
		bytes += info.Size
	}
	by := map[[2]string]*CacheGroup{}
	err = p.each(func(_ string, _ Key, r *Record) error {
		id := [2]string{r.Model, r.Prompt}
		if by[id] == nil {
			by[id] = &CacheGroup{Model: r.Model, Prompt: r.Prompt}
		}
		g := by[id]
		g.Replies++
		g.In += r.In
		g.Out += r.Out
		if !r.Usable() {
			g.Unusable++
		}
		return nil
	})
	for _, g := range by {
		groups = append(groups, *g)
	}
	slices.SortFunc(groups, func(a, b CacheGroup) int {
		return cmp.Or(cmp.Compare(a.Model, b.Model), cmp.Compare(a.Prompt, b.Prompt))
	})
	return groups, len(infos), bytes, err
}

// keyed is a reply with its key, as a line of JSON has it.
type keyed struct {
	Key string `json:"key"`
	*Record
}

// ExportCache writes every reply of the cache folder dir as a line of JSON with
// its key. Those that are damaged are left out, and then a *DamagedError.
func (f Files) ExportCache(dir string, w io.Writer) error {
	p, _, err := f.existingBackend(dir)
	if err != nil {
		return err
	}
	enc := json.NewEncoder(w)
	return p.each(func(_ string, k Key, r *Record) error { return enc.Encode(keyed{k.String(), r}) })
}

// Merged is how many replies were moved, into how many files, and how many were damaged and left
// out.
type Merged struct{ Replies, Files, Damaged int }

// MergeCache merges the files of the cache folder dir into one, or its objects into a few. It
// removes the others once their replies are safe. If two have a reply to one question, it keeps the
// one that Get returns.
func (f Files) MergeCache(dir string) (Merged, error) {
	p, _, err := f.existingBackend(dir)
	if err != nil {
		return Merged{}, err
	}
	return p.merge()
}

// PruneCache removes the replies of the cache folder dir for which drop is true, and gives the room
// back. Drop is given nil for a reply that is damaged. It returns how many it removed.
func (f Files) PruneCache(dir string, drop func(*Record) bool) (removed int, err error) {
	p, _, err := f.existingBackend(dir)
	if err != nil {
		return 0, err
	}
	return p.prune(drop)
}
