package replies

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

// LocalFolder returns the path of the folder of replies dir, or an error if dir is not on this machine.
func LocalFolder(dir string) (string, error) {
	path, local := store.LocalPath(dir)
	if !local {
		return "", fmt.Errorf("cache: %s is no folder of this machine: keep replies in one, and copy its files to where they are needed", text.Quote(dir))
	}
	return path, nil
}

// Open opens the folder of replies dir for reading and writing, and makes it if there is none. Get then ignores replies
// with more bytes than maxTokens tokens can have.
func Open(dir string, maxTokens int) (*Cache, error) {
	return open(dir, maxTokens, folder.open)
}

// OpenReadOnly opens the folder of replies dir and writes no file.
func OpenReadOnly(dir string, maxTokens int) (*Cache, error) {
	return open(dir, maxTokens, folder.openReadOnly)
}

func open(dir string, maxTokens int, how func(folder) (*Cache, error)) (*Cache, error) {
	path, err := LocalFolder(dir)
	if err != nil {
		return nil, err
	}
	c, err := how(folder(path))
	if err != nil {
		return nil, err
	}
	c.tokens = maxTokens
	return c, nil
}

// existingFolder returns the folder dir and its files, or an error if there are none.
func existingFolder(dir string) (folder, []store.Info, error) {
	path, err := LocalFolder(dir)
	if err != nil {
		return "", nil, err
	}
	p := folder(path)
	if _, err := os.Stat(path); err != nil {
		return "", nil, fmt.Errorf("cache: %w", err)
	}
	files, err := p.files()
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("cache: %s holds no files of replies", dir)
	}
	return p, files, err
}

// HasAny reports whether the folder of replies dir holds a reply, or a file that another process is
// writing. It makes no folder.
func HasAny(dir string) (bool, error) {
	path, err := LocalFolder(dir)
	if err != nil {
		return false, err
	}
	return folder(path).hasReplies()
}

// Group counts the replies of one model to one version of a prompt.
type Group struct {
	Model, Prompt     string
	Replies, Unusable int
	In, Out           int // tokens
}

// Stats counts the replies in the folder dir by model and prompt, sorted, and the bytes of its files. usable reports
// whether a reply can be decoded. If replies are damaged, the others are counted and the error is a *DamagedError.
func Stats(dir string, usable func(*Record) bool) (groups []Group, files int, bytes int64, err error) {
	p, infos, err := existingFolder(dir)
	if err != nil {
		return nil, 0, 0, err
	}
	for _, info := range infos {
		bytes += info.Size
	}
	by := map[[2]string]*Group{}
	err = p.eachReply(func(_ string, _ Key, r *Record) error {
		id := [2]string{r.Model, r.Prompt}
		if by[id] == nil {
			by[id] = &Group{Model: r.Model, Prompt: r.Prompt}
		}
		g := by[id]
		g.Replies++
		g.In += r.In
		g.Out += r.Out
		if !usable(r) {
			g.Unusable++
		}
		return nil
	})
	for _, g := range by {
		groups = append(groups, *g)
	}
	slices.SortFunc(groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(a.Model, b.Model), cmp.Compare(a.Prompt, b.Prompt))
	})
	return groups, len(infos), bytes, err
}

// keyed is a reply with its key, as Export writes it.
type keyed struct {
	Key string `json:"key"`
	*Record
}

// Export writes every reply in the folder dir as a line of JSON with its key. If replies are damaged, it writes the
// others and returns a *DamagedError.
func Export(dir string, w io.Writer) error {
	p, _, err := existingFolder(dir)
	if err != nil {
		return err
	}
	enc := json.NewEncoder(w)
	return p.eachReply(func(_ string, k Key, r *Record) error { return enc.Encode(keyed{k.String(), r}) })
}

// Merged counts the replies that were moved, the files that remain, and the damaged replies, which were left out.
type Merged struct{ Replies, Files, Damaged int }

// Merge merges the files in the folder dir into one, and removes each of the others when its replies are on disk. If
// two files have a reply to one question, it keeps the reply that Get returns.
func Merge(dir string) (Merged, error) {
	p, _, err := existingFolder(dir)
	if err != nil {
		return Merged{}, err
	}
	return p.merge()
}

// Prune removes the replies in the folder dir for which drop returns true, and frees their disk space. drop gets nil
// for a damaged reply. removed is the number of removed replies.
func Prune(dir string, drop func(*Record) bool) (removed int, err error) {
	p, _, err := existingFolder(dir)
	if err != nil {
		return 0, err
	}
	return p.prune(drop)
}
