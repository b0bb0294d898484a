// Export reads the weights of a model and writes them in open_clip's local-dir form: export MODEL
// WEIGHTS DIR. The tests in python/tests check the result with open_clip.
package main

import (
	"fmt"
	"os"

	"capgraph/store"
	"capgraph/train/checkpoint"
	"capgraph/train/model"
)

func main() {
	if err := export(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func export(name, weights, dir string) error {
	c, err := model.Read(store.Local{}, name)
	if err != nil {
		return err
	}
	w, err := checkpoint.Load(store.Local{}, weights, c)
	if err != nil {
		return err
	}
	return checkpoint.Export(store.Local{}, dir, c, w)
}
