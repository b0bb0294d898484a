package ruleparse_test

import (
	"fmt"
	"log"

	"capgraph/ruleparse"
	"capgraph/schemas"
)

func ExampleParser_ParseText() {
	parser, err := ruleparse.New()
	if err != nil {
		log.Fatal(err)
	}
	var out schemas.Parsed
	parser.ParseText("A small dog sleeps on a red sofa.", &out)
	g := out.Graph
	for _, o := range g.Objects {
		fmt.Print(o.Name)
		for _, a := range o.Attributes {
			fmt.Printf(" {%s}", a.Text)
		}
		fmt.Println()
	}
	for _, r := range g.Relations {
		fmt.Println(g.Objects[r.Subject].Name, "-", r.Predicate, "->", g.Objects[r.Object].Name)
	}
	// Output:
	// dog {small}
	// sofa {red}
	// dog - sleeps on -> sofa
}
