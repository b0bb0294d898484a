//go:build cuda && linux && (amd64 || arm64)

package library

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ebitengine/purego"
)

// Library is an open shared library. There is no Close, because CUDA's libraries cannot be closed.
type Library struct {
	handle uintptr
	path   string
}

// Open opens the first of names that exists. Each name is searched in folders, then in the loader's
// own folders. The error lists all files that were tried.
func Open(names, folders []string) (*Library, error) {
	var why []string
	for _, name := range names {
		var paths []string
		for _, folder := range folders {
			if path := filepath.Join(folder, name); fileExists(path) {
				paths = append(paths, path)
			}
		}
		for _, path := range append(paths, name) {
			handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_GLOBAL)
			if err == nil {
				return &Library{handle, loadedPath(path)}, nil
			}
			why = append(why, err.Error())
		}
	}
	return nil, fmt.Errorf("%s cannot be opened (%s); looked where the loader does and in %q",
		strings.Join(names, " or "), strings.Join(why, "; "), folders)
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// loadedPath returns the path from which the library of that name was loaded, according to the
// operating system.
func loadedPath(path string) string {
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil || filepath.IsAbs(path) {
		return path
	}
	stem, _, _ := strings.Cut(filepath.Base(path), ".so")
	for line := range strings.Lines(string(maps)) {
		if i := strings.IndexByte(line, '/'); i >= 0 {
			file := strings.TrimSpace(line[i:])
			if strings.HasPrefix(filepath.Base(file), stem+".so") {
				return file
			}
		}
	}
	return path
}

// Path returns the path of the library's file.
func (l *Library) Path() string { return l.path }

// Bind sets each variable to the address of the function with its name.
func (l *Library) Bind(functions map[string]*uintptr) error {
	for name, to := range functions {
		address, err := purego.Dlsym(l.handle, name)
		if err != nil {
			return fmt.Errorf("%s has no %s: install a newer one", l.path, name)
		}
		*to = address
	}
	return nil
}
