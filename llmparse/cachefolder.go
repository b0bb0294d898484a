package llmparse

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"

	"capgraph/internal/text"
	"capgraph/store"
)

// openFolder returns the folder of replies of that name, which must be on this machine.
func openFolder(dir string) (localCache, error) {
	path, local := store.LocalPath(dir)
	if !local {
		return "", fmt.Errorf("cache: %s is no folder of this machine: keep replies in one, and copy its files to where they are needed", text.Quote(dir))
	}
	return localCache(path), nil
}

// existingFolder returns a folder that must hold replies, and its files.
func existingFolder(dir string) (localCache, []store.Info, error) {
	p, err := openFolder(dir)
	if err != nil {
		return "", nil, err
	}
	if _, err := os.Stat(string(p)); err != nil {
		return "", nil, fmt.Errorf("cache: %w", err)
	}
	files, err := p.files()
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("cache: %s holds no files of replies", dir)
	}
	return p, files, err
}

// HasReplies reports whether the cache folder dir holds a reply, or a file that
// another process is writing. It makes no folder.
func HasReplies(dir string) (bool, error) {
	p, err := openFolder(dir)
	if err != nil {
		return false, err
	}
	return p.has()
}

// CacheGroup is what a cache holds of one model and one version of a prompt.
type CacheGroup struct {
	Model, Prompt     string
	Replies, Unusable int
	In, Out           int // tokens
}

// CacheStats says what the cache folder dir holds, in the order of models and
// prompts, and the bytes of its files. With a *DamagedError it says so of what is whole.
func CacheStats(dir string) (groups []CacheGroup, files int, bytes int64, err error) {
	p, infos, err := existingFolder(dir)
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
func ExportCache(dir string, w io.Writer) error {
	p, _, err := existingFolder(dir)
	if err != nil {
		return err
	}
	enc := json.NewEncoder(w)
	return p.each(func(_ string, k Key, r *Record) error { return enc.Encode(keyed{k.String(), r}) })
}

// Merged is how many replies were moved, into how many files, and how many were damaged and left
// out.
type Merged struct{ Replies, Files, Damaged int }

// MergeCache merges the files of the cache folder dir into one and removes the others once their
// replies are safe. If two have a reply to one question, it keeps the one that Get returns.
func MergeCache(dir string) (Merged, error) {
	p, _, err := existingFolder(dir)
	if err != nil {
		return Merged{}, err
	}
	return p.merge()
}

// PruneCache removes the replies of the cache folder dir for which drop is true, and gives the room
// back. Drop is given nil for a reply that is damaged. It returns how many it removed.
func PruneCache(dir string, drop func(*Record) bool) (removed int, err error) {
	p, _, err := existingFolder(dir)
	if err != nil {
		return 0, err
	}
	return p.prune(drop)
}
