package verify_test

import (
	"context"
	"fmt"
	"log"

	"capgraph/folder"
	"capgraph/store"
	"capgraph/verify"
)

// This example needs a finished output folder, so that it is compiled and not run.
func ExampleRun() {
	out := folder.Folder{Store: store.Local{}, Dir: "out"}
	_, err := verify.Run(context.Background(), out, verify.Options{Workers: 4}, func(p verify.Problem) { fmt.Println(p) })
	if err != nil {
		log.Fatal(err)
	}
}
