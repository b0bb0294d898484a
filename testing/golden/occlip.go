package golden

import (
	"bytes"
	"encoding/json"

	"capgraph/train/checkpoint"
	"capgraph/train/model"
)

// OCCLIP has the values of occlip.json, and the initial weights of all of them.
type OCCLIP struct {
	Model   model.Config
	Weights checkpoint.Weights
	Cases   []ScoredCase
}

// ScoredCase is OC-CLIP's objective on n images, each with a graph.
type ScoredCase struct {
	Name string
	// Relation is the weight of the local loss.
	Relation float64
	N        int
	// Images are uint8 [n, 32, 32, 3].
	Images []byte
	// Texts are the tokens of each text.
	Texts  [][]int32
	Graphs []Graph
	// Terms has loss, itc and local.
	Terms map[string]float64
	// Scores [n, n] are the scores of images with graphs, multiplied by τ.
	Scores    [][]float64
	Gradients map[string]Sketch
}

// Graph is a scene graph whose nodes and predicates are texts. A relation is a predicate and two
// indexes into Nodes. Altered has the index of the altered relation and its new nodes; -1 if there
// are none.
type Graph struct {
	Nodes     []int
	Relations [][3]int
	Altered   [3]int
}

// ReadOCCLIP returns the golden values of OC-CLIP's objective.
func ReadOCCLIP() (*OCCLIP, error) {
	var file struct {
		Model json.RawMessage
		Cases []ScoredCase
	}
	if err := readJSON("occlip.json", &file); err != nil {
		return nil, err
	}
	g := &OCCLIP{Cases: file.Cases}
	var err error
	if g.Model, err = model.Parse(file.Model); err != nil {
		return nil, err
	}
	weights, err := files.ReadFile("testdata/occlip.safetensors")
	if err != nil {
		return nil, err
	}
	r, err := checkpoint.NewReader("occlip.safetensors", bytes.NewReader(weights), int64(len(weights)))
	if err != nil {
		return nil, err
	}
	g.Weights, err = r.Weights(g.Model)
	return g, err
}
