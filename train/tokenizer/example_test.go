package tokenizer_test

import (
	"fmt"
	"log"

	"capgraph/train/tokenizer"
)

func ExampleCLIP() {
	clip, err := tokenizer.NewCLIP()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(clip.Encode(nil, "a photo of a dog"))
	// Output: [49406 320 1125 539 320 1929 49407]
}
