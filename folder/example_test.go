package folder_test

import (
	"fmt"
	"log"

	"capgraph/folder"
	"capgraph/store"
)

// This example needs an output folder, so that it is compiled and not run.
func ExampleFolder_Read() {
	out := folder.Folder{Store: store.Local{}, Dir: "out"}
	state, err := out.Read()
	if err != nil {
		log.Fatal(err)
	}
	for _, shard := range state.Finished(folder.PassTexts) {
		fmt.Println(folder.DataFile(folder.PassTexts, shard.Name))
	}
}
