package replies_test

import (
	"fmt"
	"log"
	"os"

	"capgraph/llmparse/replies"
)

func ExampleOpen() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	cache, err := replies.Open(dir, 1024)
	if err != nil {
		log.Fatal(err)
	}
	defer cache.Close()
	key := replies.NewKey("model", "prompt/1", "{}", "a dog on a sofa")
	if err := cache.Put(key, &replies.Record{Model: "model", Prompt: "prompt/1", Content: `{"entities":["dog","sofa"]}`}); err != nil {
		log.Fatal(err)
	}
	found := make([]*replies.Record, 2)
	if err := cache.Get([]replies.Key{key, replies.NewKey("another question")}, found); err != nil {
		log.Fatal(err)
	}
	fmt.Println(found[0].Content, found[1])
	// Output: {"entities":["dog","sofa"]} <nil>
}
