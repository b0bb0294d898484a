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
// nothing is an error.
func Expand(s store.Store, opts Options) ([]File, error) {
	if len(opts.Paths) == 0 {
		return nil, errors.New("source.paths: no path is given: name files, or a glob such as 'data/*.tsv'")
	}
	f, err := opts.format()
	if err != nil {
		return nil, err
	}
	var files []File
	taken := map[string]bool{}
	for _, p := range opts.Paths {
		found, err := f.expand(s, p)
		if err != nil {
			return nil, fmt.Errorf("source.paths: %w", err)
		}
		for _, file := range found {
			if real := s.Real(file.Path); !taken[real] {
				taken[real] = true
				files = append(files, file)
			}
		}
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	for i := range files {
		files[i].Index = i
	}
	return files, nil
}

func (f Format) expand(s store.Store, path string) ([]File, error) {
	infos, err := named(s, path)
	if err != nil {
		return nil, err
	}
	var files []File
	for _, info := range infos {
		switch {
		case f.files != nil:
			found, err := f.files(s, info)
			if err != nil {
				return nil, err
			}
			files = append(files, found...)
		case info.Dir:
			return nil, fmt.Errorf("%s: is a folder, and %s reads files (name them with a glob: %s/*)", info.Name, f.Name, strings.TrimSuffix(info.Name, "/"))
		default:
			files = append(files, File{Path: info.Name, Size: info.Size})
		}
	}
	return files, nil
}

// named is what path names: the file or folder of that very name, else what
// the glob matches, which is at least one.
func named(s store.Store, path string) ([]store.Info, error) {
	info, err := s.Stat(path)
	if err == nil {
		return []store.Info{info}, nil
	}
	if !store.IsGlob(path) || !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	infos, err := store.Glob(s, path)
	if err == nil && len(infos) == 0 {
		err = fmt.Errorf("%s: no file matches (check the path; relative paths start at the current folder)", path)
	}
	return infos, err
}
