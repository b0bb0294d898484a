package library

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// Machine has what Folders reads of a machine.
type Machine struct {
	// Root is the file system, "/".
	Root fs.FS
	// Getenv reads the environment.
	Getenv func(string) string
	// LookPath returns the path of a program.
	LookPath func(string) (string, error)
}

// ThisMachine returns this machine.
func ThisMachine() Machine { return Machine{os.DirFS("/"), os.Getenv, exec.LookPath} }

// Folders returns the existing folders that may have CUDA's libraries: of LD_LIBRARY_PATH, of
// CUDA_HOME, of the active Python environment and of the first python3, of the user's packages, and
// of CUDA's installers. A library is opened from the first folder that has it; the loader's own
// folders are the last.
func (p Machine) Folders() []string {
	var patterns []string
	python := func(prefix string) {
		if prefix != "" {
			patterns = append(patterns, prefix+"/lib/python3*/*-packages/nvidia/*/lib", prefix+"/lib/python3/dist-packages/nvidia/*/lib")
		}
	}
	patterns = append(patterns, filepath.SplitList(p.Getenv("LD_LIBRARY_PATH"))...)
	for _, name := range []string{"CUDA_HOME", "CUDA_PATH"} {
		if home := p.Getenv(name); home != "" {
			patterns = append(patterns, home+"/lib64", home+"/lib")
		}
	}
	python(p.Getenv("VIRTUAL_ENV"))
	if prefix := p.Getenv("CONDA_PREFIX"); prefix != "" {
		patterns = append(patterns, prefix+"/lib")
		python(prefix)
	}
	if program, err := p.LookPath("python3"); err == nil {
		python(filepath.Dir(filepath.Dir(program)))
	}
	if home := p.Getenv("HOME"); home != "" {
		python(home + "/.local")
	}
	python("/usr/local")
	patterns = append(patterns, "/usr/local/cuda*/lib64", "/usr/local/cuda*/targets/*/lib", "/opt/cuda/lib64", "/usr/lib/wsl/lib")
	var found []string
	for _, pattern := range patterns {
		if !filepath.IsAbs(pattern) {
			continue
		}
		names, err := fs.Glob(p.Root, filepath.Clean(pattern)[1:])
		if err != nil {
			continue
		}
		for _, name := range names {
			if folder := "/" + name; !slices.Contains(found, folder) {
				found = append(found, folder)
			}
		}
	}
	return found
}
