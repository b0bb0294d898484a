package sources

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"capgraph/store"
)

// Expand finds the files that opts.Paths name, each once under the path that
// names it first, sorted by the bytes of their paths. A path that leads to
// nothing, or to a pipe, is an error. own are the files and folders that are written to: globs
// leave them and the folder that they lie in out, and a path that names nothing
// else is an error.
func Expand(s store.Store, opts Options, own ...string) ([]File, error) {
	if len(opts.Paths) == 0 {
		return nil, errors.New("source.paths: no path is given: name files, or a glob such as 'data/*.tsv'")
	}
	f, err := opts.format()
	if err != nil {
		return nil, err
	}
	reals := newReals(s)
	written := make([]string, len(own))
	for i, o := range own {
		written[i] = s.Real(o)
	}
	var files []File
	taken := map[string]bool{}
	for _, p := range opts.Paths {
		found, err := f.expand(reals, p, written)
		if err != nil {
			return nil, fmt.Errorf("source.paths: %w", err)
		}
		for _, file := range found {
			if real := reals.of(file.Path, file.direct); !taken[real] {
				taken[real] = true
				files = append(files, file)
			}
		}
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}

func (f Format) expand(r *reals, name string, own []string) ([]File, error) {
	infos, err := r.named(name, own)
	if err != nil {
		return nil, err
	}
	var files []File
	for _, info := range infos {
		switch {
		case f.files != nil:
			found, err := f.files(r.store, info)
			if err != nil {
				return nil, err
			}
			files = append(files, found...)
		case info.Dir:
			return nil, fmt.Errorf("%s: is a folder, and %s reads files (name them with a glob: %s/*)", info.Name, f.Name, strings.TrimSuffix(info.Name, "/"))
		default:
			file, err := fileOf(info)
			if err != nil {
				return nil, err
			}
			files = append(files, file)
		}
	}
	return files, nil
}

// fileOf refuses what cannot be read again for each shard.
func fileOf(info store.Info) (File, error) {
	if info.Special {
		return File{}, fmt.Errorf("%s: is a pipe or a device and no file, and files are read more than once (write what it gives to a file, and name that)", info.Name)
	}
	return File{Path: info.Name, Size: info.Size, direct: info.Direct}, nil
}

// named is what path names: the file or folder of that very name, else what
// the glob matches, which is at least one.
func (r *reals) named(name string, own []string) ([]store.Info, error) {
	info, err := r.store.Stat(name)
	if err == nil {
		if in := r.within(info, own); in != "" {
			return nil, ownError(name, in)
		}
		return []store.Info{info}, nil
	}
	if !store.IsGlob(name) || !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	matched, err := store.Glob(r.store, name)
	if err != nil {
		return nil, err
	}
	var infos []store.Info
	left := ""
	for _, info := range matched {
		real := r.of(info.Name, info.Direct)
		if in := r.within(info, own); in != "" {
			left = in
		} else if !slices.ContainsFunc(own, func(o string) bool { return store.Dir(o) == real }) {
			infos = append(infos, info)
		}
	}
	switch {
	case len(infos) > 0:
		return infos, nil
	case left != "":
		return nil, ownError(name, left)
	default:
		return nil, fmt.Errorf("%s: no file matches (check the path; relative paths start at the current folder)", name)
	}
}

// within is the one of own that a file or folder is or lies in; empty where it
// lies in none.
func (r *reals) within(info store.Info, own []string) string {
	real := r.of(info.Name, info.Direct)
	for _, o := range own {
		if real == o || strings.HasPrefix(real, o+"/") {
			return o
		}
	}
	return ""
}

func ownError(name, own string) error {
	return fmt.Errorf("%s: the source lies in output.dir, where the run writes and --redo removes (%s): choose another output.dir", name, own)
}
