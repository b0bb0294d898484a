package sources

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"capgraph/store"
)

// Expand returns the files that opts.Paths name, sorted by path in byte order. A file that several
// paths name is returned once, by the first. A path that names nothing, or a pipe, is an error. own
// are the files and folders that the run writes: globs skip them and the folder that contains them,
// and a path that names nothing else is an error.
func Expand(s store.Store, opts Options, own ...string) ([]File, error) {
	if len(opts.Paths) == 0 {
		return nil, errors.New("source.paths: no path is given: name files, or a glob such as 'data/*.tsv'")
	}
	f, err := opts.formatByName()
	if err != nil {
		return nil, err
	}
	reals := newRealNames(s)
	written := make([]string, len(own))
	for i, o := range own {
		written[i] = s.Real(o)
	}
	var files []File
	taken := map[string]bool{}
	for _, p := range opts.Paths {
		found, err := f.expandPath(reals, p, written)
		if err != nil {
			return nil, fmt.Errorf("source.paths: %w", err)
		}
		for _, file := range found {
			if real := reals.realName(file.Path, file.direct); !taken[real] {
				taken[real] = true
				files = append(files, file)
			}
		}
	}
	if len(files) > 0 && files[0].members != nil {
		setCommonRoot(files)
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}

func (f Format) expandPath(r *realNames, name string, own []string) ([]File, error) {
	infos, err := r.resolvePath(name, own)
	if err != nil {
		return nil, err
	}
	var files []File
	for _, info := range infos {
		switch {
		case f.listFiles != nil:
			found, err := f.listFiles(r.store, info)
			if err != nil {
				return nil, err
			}
			files = append(files, found...)
		case info.Dir:
			return nil, fmt.Errorf("%s: is a folder, and %s reads files (name them with a glob: %s/*)", info.Name, f.Name, strings.TrimSuffix(info.Name, "/"))
		default:
			file, err := newFile(info)
			if err != nil {
				return nil, err
			}
			files = append(files, file)
		}
	}
	return files, nil
}

// newFile returns an error for a pipe or a device, since files are read more than once.
func newFile(info store.Info) (File, error) {
	if info.Special {
		return File{}, fmt.Errorf("%s: is a pipe or a device and no file, and files are read more than once (write what it gives to a file, and name that)", info.Name)
	}
	return File{Path: info.Name, Size: info.Size, direct: info.Direct}, nil
}

// resolvePath returns the file or folder with exactly that name, else the matches of the glob. No
// match is an error.
func (r *realNames) resolvePath(name string, own []string) ([]store.Info, error) {
	info, err := r.store.Stat(name)
	if err == nil {
		if in := r.ownFolderOf(info, own); in != "" {
			return nil, outputFolderError(name, in)
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
		real := r.realName(info.Name, info.Direct)
		if in := r.ownFolderOf(info, own); in != "" {
			left = in
		} else if !slices.ContainsFunc(own, func(o string) bool { return store.Dir(o) == real }) {
			infos = append(infos, info)
		}
	}
	switch {
	case len(infos) > 0:
		return infos, nil
	case left != "":
		return nil, outputFolderError(name, left)
	default:
		return nil, fmt.Errorf("%s: no file matches (check the path; relative paths start at the current folder)", name)
	}
}

// ownFolderOf returns the element of own that is or contains a file or folder; "" if there is none.
func (r *realNames) ownFolderOf(info store.Info, own []string) string {
	real := r.realName(info.Name, info.Direct)
	for _, o := range own {
		if real == o || strings.HasPrefix(real, o+"/") {
			return o
		}
	}
	return ""
}

func outputFolderError(name, own string) error {
	return fmt.Errorf("%s: the source lies in output.dir, where the run writes and --redo removes (%s): choose another output.dir", name, own)
}

// realNames resolves symbolic links in the names of files. For names that are not links themselves
// it resolves each folder once, since a local look-up takes a system call for each element of the
// name.
type realNames struct {
	store   store.Store
	folders map[string]string
}

func newRealNames(s store.Store) *realNames { return &realNames{s, map[string]string{}} }

// realName returns the name of a file with all symbolic links resolved. direct says that the file itself is
// not a link, as in store.Info.
func (r *realNames) realName(name string, direct bool) string {
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
