package graphs_test

import (
	"fmt"
	"log"

	"capgraph/eval/graphs"
	"capgraph/scenegraph"
)

func ExampleScore_Add() {
	score, err := graphs.NewScore()
	if err != nil {
		log.Fatal(err)
	}
	gold, err := scenegraph.ParseTriples("( dog , is , small ) , ( dog , on , sofa )")
	if err != nil {
		log.Fatal(err)
	}
	got, err := scenegraph.ParseTriples("( dog , on , sofa )")
	if err != nil {
		log.Fatal(err)
	}
	missing, extra := score.Add(6, got, gold)
	fmt.Println(missing, extra)
	// Output: [{dog is small}] []
}
