package drawing_test

import (
	"fmt"

	"capgraph/schemas"
	"capgraph/schemas/drawing"
)

func ExampleDraw_Texts() {
	pool := &schemas.Pool{
		Positives: []schemas.Positive{{Text: "a small dog on a sofa", ID: 1}, {Text: "a small dog", ID: 2}},
		Negatives: []schemas.HardNegative{
			{Text: "a small cat on a sofa", Of: 0, Category: schemas.CategoryObject},
			{Text: "a large dog", Of: 1, Category: schemas.CategoryAttribute},
		},
	}
	for epoch := range uint64(4) {
		draw := drawing.NewDraw(1, epoch, 0)
		draw.Negatives, draw.Bare = 1, true
		positives, negatives := draw.Texts("image 1", pool)
		fmt.Println(positives, negatives)
	}
	// Output:
	// [0 1] [1]
	// [0] [0]
	// [0] [0]
	// [0 1] [1]
}
