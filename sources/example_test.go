package sources_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"capgraph/schemas"
	"capgraph/sources"
	"capgraph/store"
)

func ExampleOpen() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "train.tsv")
	if err := os.WriteFile(name, []byte("http://images.example/1.jpg\ta dog on a sofa\nno caption here\n"), 0o666); err != nil {
		log.Fatal(err)
	}

	opts := sources.Options{Format: "cc12m", Paths: []string{name}}
	files, err := sources.Expand(store.Local{}, opts)
	if err != nil {
		log.Fatal(err)
	}
	for _, file := range files {
		r, err := sources.Open(context.Background(), store.Local{}, file, opts, schemas.Position{})
		if err != nil {
			log.Fatal(err)
		}
		defer r.Close()
		var row sources.Row
		for err = r.Next(&row); err == nil; err = r.Next(&row) {
			fmt.Printf("%d %q %q\n", row.SourceRow, row.Caption, row.Reject)
		}
		if !errors.Is(err, io.EOF) {
			log.Fatal(err)
		}
	}
	// Output:
	// 0 "a dog on a sofa" ""
	// 1 "" "malformed"
}
