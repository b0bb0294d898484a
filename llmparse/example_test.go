package llmparse_test

import (
	"context"
	"fmt"
	"log"

	"capgraph/llmparse"
	"capgraph/llmparse/client"
	"capgraph/ruleparse"
	"capgraph/schemas"
)

// This example needs a server at the endpoint, so that it is compiled and not run.
func ExampleNew() {
	rules, err := ruleparse.New()
	if err != nil {
		log.Fatal(err)
	}
	opts := client.Defaults()
	opts.Endpoints, opts.Model = []string{"http://gpu1:8000/v1"}, "Qwen/Qwen3-8B"
	parser, err := llmparse.New(opts, rules)
	if err != nil {
		log.Fatal(err)
	}
	defer parser.Close()
	captions := []string{"A small dog sleeps on a red sofa."}
	graphs := make([]schemas.Parsed, len(captions))
	if err := parser.Parse(context.Background(), captions, graphs); err != nil {
		log.Fatal(err)
	}
	fmt.Println(graphs[0].Graph, graphs[0].Parser)
}
