package scenegraph_test

import (
	"fmt"
	"log"

	"capgraph/scenegraph"
)

func ExampleDecompose() {
	g, err := scenegraph.ParseFactual("( dog , is , small ) , ( dog , on , sofa )")
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range scenegraph.Decompose(&g, nil) {
		if s.Relation == scenegraph.NoRelation {
			fmt.Println(g.Objects[s.Subject].Name, s.SubjectAttributes)
		} else {
			fmt.Println(g.Objects[s.Subject].Name, s.SubjectAttributes, g.Relations[s.Relation].Predicate, g.Objects[s.Object].Name)
		}
	}
	// Output:
	// dog 1 on sofa
	// dog 1
	// dog 0 on sofa
	// dog 0
	// sofa 0
}

func ExampleNormalizeText() {
	fmt.Println(scenegraph.NormalizeText("Two dogs, on  a SOFA!"))
	// Output: two dogs on sofa
}
