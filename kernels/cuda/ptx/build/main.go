// Command build compiles the kernels beside the operations to the PTX module and the signatures
// that package ptx embeds. It needs clang 19 (Debian: apt-get install clang-19) and no part of
// CUDA. The same sources give the same bytes:
//
//	go run ./kernels/cuda/ptx/build
package main

import (
	"fmt"
	"os"

	"capgraph/kernels/cuda/ptx"
)

func main() {
	if err := build("kernels"); err != nil {
		fmt.Fprintln(os.Stderr, "build of the kernels:", err)
		os.Exit(1)
	}
}

// build compiles the .cu files of a folder, and writes the module and the signatures.
func build(kernels string) error {
	sources, err := ptx.ReadSources(kernels)
	if err != nil {
		return fmt.Errorf("%w (run this in the folder of go.mod)", err)
	}
	signatures, err := sources.Signatures()
	if err != nil {
		return err
	}
	module, err := sources.Compile()
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{"kernels.ptx": module, "signatures.json": signatures} {
		if err := os.WriteFile(kernels+"/cuda/ptx/"+name, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
