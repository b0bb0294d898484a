package ptx

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Compiler is the program that compiles the module. Another version would give other bytes.
const Compiler = "clang-19"

// flags are the compiler's arguments. PTX 7.8 works with drivers from CUDA 11.8 on. Products and
// sums are fused only if the source says so.
var flags = []string{
	"-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_80", "--cuda-feature=+ptx78", "-nocudainc", "-nocudalib",
	"-O3", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-S", "-o", "-", "-",
}

// Sources are the .cu and .cuh files of a folder, sorted by name.
type Sources struct {
	folder string
	names  []string
	texts  map[string]string
}

// ReadSources reads the .cu and .cuh files of the folder of package kernels.
func ReadSources(folder string) (*Sources, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.cu*"))
	if err != nil || len(names) == 0 {
		return nil, errors.Join(fmt.Errorf("%s has no .cu files", folder), err)
	}
	s := &Sources{folder: folder, texts: map[string]string{}}
	for _, path := range names {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		s.names = append(s.names, filepath.Base(path))
		s.texts[filepath.Base(path)] = string(text)
	}
	slices.Sort(s.names)
	return s, nil
}

// Kernels returns the kernels of all files.
func (s *Sources) Kernels() ([]Kernel, error) {
	var all []Kernel
	for _, name := range s.names {
		if filepath.Ext(name) != ".cu" {
			continue
		}
		kernels, err := Parse(s.texts[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, kernels...)
	}
	return all, nil
}

// Signatures returns the content of the file of signatures, one kernel per line.
func (s *Sources) Signatures() ([]byte, error) {
	kernels, err := s.Kernels()
	if err != nil {
		return nil, err
	}
	lines := make([]string, len(kernels))
	for i, k := range kernels {
		line, err := json.Marshal(k)
		if err != nil {
			return nil, err
		}
		lines[i] = string(line)
	}
	return []byte("[\n" + strings.Join(lines, ",\n") + "\n]\n"), nil
}

// Combined returns a source that includes every .cu file.
func (s *Sources) Combined() string {
	var b strings.Builder
	for _, name := range s.names {
		if filepath.Ext(name) == ".cu" {
			fmt.Fprintf(&b, "#include \"%s\"\n", name)
		}
	}
	return b.String()
}

// Header returns the first line of a module. It has the SHA-256 of the flags and of the names and
// contents of the sources.
func (s *Sources) Header() string {
	h := sha256.New()
	for _, name := range s.names {
		fmt.Fprintf(h, "%s %d\n%s", name, len(s.texts[name]), s.texts[name])
	}
	fmt.Fprintln(h, Compiler, flags)
	return fmt.Sprintf("// capgraph's kernels, of sources and flags with SHA-256 %x\n", h.Sum(nil))
}

// Compile compiles the sources and returns the module.
func (s *Sources) Compile() ([]byte, error) {
	command := exec.Command(Compiler, flags...)
	command.Dir = s.folder
	command.Stdin = strings.NewReader(s.Combined())
	var out, messages bytes.Buffer
	command.Stdout, command.Stderr = &out, &messages
	if err := command.Run(); err != nil {
		return nil, fmt.Errorf("%s (Debian: apt-get install %s): %w\n%s", Compiler, Compiler, err, messages.Bytes())
	}
	return append([]byte(s.Header()), out.Bytes()...), nil
}
