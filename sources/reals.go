package sources

import (
	"path"
	"strings"

	"capgraph/store"
)

// reals finds the real names of files, and of what is no link once for its folder: on this machine
// each takes as many calls of the system as the name has parts.
type reals struct {
	store   store.Store
	folders map[string]string
}

func newReals(s store.Store) *reals { return &reals{s, map[string]string{}} }

// of is the real name of a file, of which direct is as Info has it.
func (r *reals) of(name string, direct bool) string {
	if !direct {
		return r.store.Real(name)
	}
	dir := store.Dir(name)
	real, known := r.folders[dir]
	if !known {
		real = r.store.Real(dir)
		r.folders[dir] = real
	}
	return strings.TrimSuffix(real, "/") + "/" + path.Base(name)
}
