package clean_test

import (
	"fmt"
	"log"

	"capgraph/clean"
)

func ExampleCleaner_Clean() {
	cleaner, err := clean.New(clean.Defaults())
	if err != nil {
		log.Fatal(err)
	}
	for _, caption := range []string{"A man , who is <b>tall</b> .", "www.shop.example"} {
		text, reason := cleaner.Clean(caption)
		fmt.Printf("%q %q\n", text, reason)
	}
	// Output:
	// "A man, who is tall." ""
	// "" "links_only"
}
