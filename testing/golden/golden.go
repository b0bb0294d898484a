// Package golden has values that PyTorch and open_clip computed in float64 on the CPU, for tests:
// features, losses, gradients and training steps of a tiny model, on batches that test the edge
// cases of objectives. testdata/golden.py computes them and documents each number.
package golden

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"

	"capgraph/internal/portable"
	"capgraph/train/checkpoint"
	"capgraph/train/model"
)

//go:embed testdata/golden.json testdata/curve.json testdata/tiny.safetensors testdata/occlip.json testdata/occlip.safetensors testdata/spans.json testdata/towers.json testdata/towers_tiny.json testdata/resnet.json testdata/lora_ema.json
var files embed.FS

// Golden has the values of golden.json, and the initial weights of all of them.
type Golden struct {
	// Model is the tiny model with GELU. The method Config also returns the one with QuickGELU.
	Model   model.Config
	Weights checkpoint.Weights
	// Sketches has a sketch of each tensor in Weights.
	Sketches map[string]Sketch
	Batches  map[string]Batch
	Features []Features
	Cases    []Case
	Training []Training
}

// Batch is n images and their texts: m positives, followed by the negatives.
type Batch struct {
	N, M int
	// Images are uint8 [n, 32, 32, 3].
	Images []byte
	// Tokens are the tokens of all texts, one text after another. Lengths has the length of each text.
	Tokens, Lengths []int32
	// True is [n, texts]: 1 if a text is true of an image, else 0.
	True []byte
	// Of and Kind have an element for each negative: the index of its positive, and its class from 0 to 3.
	Of, Kind []int32
	// SiblingTokens and SiblingLengths are another caption of each image. Most batches have none.
	SiblingTokens  []int32 `json:"sibling_tokens"`
	SiblingLengths []int32 `json:"sibling_lengths"`
}

// Features are the outputs of both towers for a batch, before normalisation.
type Features struct {
	Batch       string
	QuickGELU   bool `json:"quick_gelu"`
	Image, Text [][]float64
}

// Case is an objective on a batch, computed with the initial weights.
type Case struct {
	Batch, Objective string
	QuickGELU        bool `json:"quick_gelu"`
	// IMC is "paper" or "anchored" if the objective is ceclip.
	IMC string
	// Thresholds are the thresholds before the step; ThresholdsAfter are those after it.
	Thresholds      []float64
	ThresholdsAfter []float64 `json:"thresholds_after"`
	// Terms maps the names of the loss and its components to their values.
	Terms map[string]float64
	// Gradients has a sketch of the gradient of each parameter.
	Gradients map[string]Sketch
}

// HasBias reports whether the objective has SigLIP's bias.
func (c *Case) HasBias() bool {
	return c.Objective == "siglip" || c.Objective == "mosaiclip sigmoid" || c.Objective == "c2lip"
}

// Training is ten AdamW steps of a case. Its Terms and Gradients are empty.
type Training struct {
	Case
	After struct {
		LearningRates []float64 `json:"learning_rates"`
		Losses, Norms []float64
		Thresholds    []float64
		Weights       map[string]Sketch
	} `json:"after_training"`
}

// Sketch is the ℓ2 norm of a tensor and eight sums of its elements with fixed patterns of signs.
// Different tensors have different sketches.
type Sketch [9]float64

// Read returns the golden values.
func Read() (*Golden, error) {
	g := &Golden{}
	var file struct {
		Golden
		Model   json.RawMessage
		Weights map[string]Sketch
	}
	if err := readJSON("golden.json", &file); err != nil {
		return nil, err
	}
	*g = file.Golden
	g.Sketches = file.Weights
	var err error
	if g.Model, err = model.Parse(file.Model); err != nil {
		return nil, err
	}
	weights, err := files.ReadFile("testdata/tiny.safetensors")
	if err != nil {
		return nil, err
	}
	r, err := checkpoint.NewReader("tiny.safetensors", bytes.NewReader(weights), int64(len(weights)))
	if err != nil {
		return nil, err
	}
	g.Weights, err = r.Weights(g.Model)
	return g, err
}

// Config returns the tiny model with one of the two activations.
func (g *Golden) Config(quickGELU bool) model.Config {
	c := g.Model
	c.QuickGELU = quickGELU
	return c
}

// Curve returns the loss of each step of the training that testdata/curve.py describes.
func Curve() ([]float64, error) {
	var losses []float64
	return losses, readJSON("curve.json", &losses)
}

func readJSON(name string, to any) error {
	data, err := files.ReadFile("testdata/" + name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, to); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// SketchOf returns the sketch of a parameter or of its gradient. x has the elements in the order of
// the tape.
func SketchOf(s model.Spec, x []float64) (Sketch, error) {
	t, err := checkpoint.ToStored(s, checkpoint.Tensor{Shape: []int{s.Rows, s.Cols}, Data: x})
	if err != nil {
		return Sketch{}, err
	}
	x, _ = t.Floats()
	var sketch Sketch
	for _, v := range x {
		sketch[0] += v * v
	}
	sketch[0] = math.Sqrt(sketch[0])
	for d := range 8 {
		digest := sha256.Sum256(fmt.Appendf(nil, "sketch\n%d\n%s", d, s.Name))
		random := portable.SplitMix64(binary.LittleEndian.Uint64(digest[:]))
		for _, v := range x {
			if random.Next()>>63 == 1 {
				v = -v
			}
			sketch[1+d] += v
		}
	}
	return sketch, nil
}

// Distance estimates the distance between the tensors of two sketches, relative to the norm of
// want; the error is up to about 50 %. If the norm is below least, least is used instead, so that
// gradients that consist of rounding errors do not count: for example 1e-6 of the norm of the whole
// gradient.
func (s Sketch) Distance(want Sketch, least float64) float64 {
	var sum float64
	for d := 1; d < len(s); d++ {
		sum += (s[d] - want[d]) * (s[d] - want[d])
	}
	return max(math.Sqrt(sum/8), math.Abs(s[0]-want[0])) / max(want[0], least, 1e-300)
}
