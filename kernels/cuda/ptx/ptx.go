package ptx

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

//go:generate go run ./build

//go:embed kernels.ptx
var module string

//go:embed signatures.json
var signatures []byte

// Module returns the text that cuModuleLoadData takes, with a zero byte at its end.
func Module() string { return module + "\x00" }

// Kernels returns all kernels of the module, by name.
func Kernels() (map[string]Kernel, error) {
	var all []Kernel
	if err := json.Unmarshal(signatures, &all); err != nil {
		return nil, fmt.Errorf("signatures of the kernels: %w", err)
	}
	byName := make(map[string]Kernel, len(all))
	for _, k := range all {
		byName[k.Name] = k
	}
	return byName, nil
}
