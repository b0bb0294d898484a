package checkpoint

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"capgraph/store"
)

// indexSuffix is the end of the name of Hugging Face's index of several safetensors files, such as
// model.safetensors.index.json.
const indexSuffix = ".safetensors.index.json"

// The maximum size of an index in bytes, and the maximum number of its files.
const (
	maxIndex      = 16 << 20
	maxIndexFiles = 10_000
)

// openSharded returns a reader of all safetensors files that an index lists. Each tensor must be in
// the file that the index names for it, and the files in the folder of the index.
func openSharded(s store.Store, name string) (*Reader, error) {
	data, err := store.ReadFile(s, name, maxIndex)
	if err != nil {
		return nil, err
	}
	fileOf, err := parseIndex(data)
	if err != nil {
		return nil, fmt.Errorf("%s is no index of safetensors files: %w (%s)", name, err, remedy)
	}
	whole := &Reader{name: name}
	var parts []io.Closer
	whole.close = func() error {
		var err error
		for _, p := range parts {
			err = errors.Join(err, p.Close())
		}
		return err
	}
	inFile := map[string][]string{}
	for tensor, file := range fileOf {
		inFile[file] = append(inFile[file], tensor)
	}
	for _, file := range slices.Sorted(maps.Keys(inFile)) {
		r, err := Open(s, store.Join(store.Dir(name), file))
		if err != nil {
			return nil, errors.Join(err, whole.Close())
		}
		parts = append(parts, r)
		for _, tensor := range inFile[file] {
			info, ok := r.Info(tensor)
			if !ok {
				return nil, errors.Join(fmt.Errorf("%s has no tensor %q, which %s names (%s)", r.name, tensor, name, remedy), whole.Close())
			}
			whole.infos = append(whole.infos, info)
		}
	}
	slices.SortFunc(whole.infos, func(a, b Info) int { return cmp.Compare(a.Name, b.Name) })
	return whole, nil
}

// parseIndex returns the file of each tensor, by the tensor's name.
func parseIndex(data []byte) (map[string]string, error) {
	var index struct {
		Files map[string]string `json:"weight_map"`
	}
	if err := json.Unmarshal(data, &index); err != nil {
		return nil, err
	}
	if len(index.Files) == 0 {
		return nil, errors.New("it has no weight_map")
	}
	files := map[string]bool{}
	for tensor, file := range index.Files {
		if !strings.HasSuffix(file, ".safetensors") || strings.ContainsAny(file, "/\\") || strings.ContainsFunc(file, isControl) {
			return nil, fmt.Errorf("tensor %.200q is in %.200q, which is no safetensors file beside it", tensor, file)
		}
		files[file] = true
	}
	if len(files) > maxIndexFiles {
		return nil, fmt.Errorf("it names %d files, more than %d", len(files), maxIndexFiles)
	}
	return index.Files, nil
}

func isControl(r rune) bool { return r < ' ' }
