package stages_test

import (
	"context"
	"fmt"
	"log"

	"capgraph/config"
	"capgraph/schemas"
	"capgraph/stages"
)

// A Maker makes texts of captions in memory, by the code and the settings of a run.
func ExampleMaker_Texts() {
	c := config.Defaults()
	c.Parse.Parser = config.ParserRules
	maker, err := stages.NewMaker(&c, stages.PublicCounts)
	if err != nil {
		log.Fatal(err)
	}
	captions := []stages.Caption{{Text: "A small dog sleeps on a red sofa.", Key: "1", ImageKey: "1"}}
	batch, rejects, err := maker.Texts(context.Background(), captions, stages.TextColumns())
	if err != nil {
		log.Fatal(err)
	}
	defer batch.Release()
	view, err := schemas.NewPoolView(batch)
	if err != nil {
		log.Fatal(err)
	}
	var pool schemas.Pool
	if err := view.At(0, &pool); err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(rejects), "rejected;", pool.Positives[0].Text)
	for _, n := range pool.Negatives {
		_ = n.Text // false of the image of pool.Positives[n.Of], made by n.Method
	}
	// Output: 0 rejected; A small dog sleeps on a red sofa.
}
