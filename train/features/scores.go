package features

import (
	"fmt"
	"math"
	"slices"

	"capgraph/kernels"
	"capgraph/scenegraph"
	"capgraph/schemas"
	"capgraph/train/model"
)

// Parse fills a graph with the scene graph of a text, in the graph's memory.
type Parse func(text string, to *schemas.SceneGraph)

// maxGraphs is how many graphs an image is compared with at once. With 3 nodes a graph and 196
// patches, the attention weights take 11 MB.
const maxGraphs = 2048

// preparedTexts are texts whose scene graphs are on the device, ready to be scored.
type preparedTexts struct {
	texts  []string
	blocks []*graphBlock
}

// graphBlock has at most maxGraphs graphs, and their words on the device.
type graphBlock struct {
	layout model.Layout
	words  model.Words
	memory []kernels.Memory
}

// HasBinding reports whether the model compares images with scene graphs.
func (e *Encoder) HasBinding() bool { return e.model.HasBinding() }

// Scores returns, for each image of Side·Side·3 bytes in pixels, its structured score with the
// scene graph of each text (OC-CLIP eq. 2), from -1 to 1. The model must have a binding. The
// encoded words are kept for later calls with the same texts, until ForgetTexts.
func (e *Encoder) Scores(pixels []byte, texts []string) ([][]float32, error) {
	size := 3 * e.Side() * e.Side()
	if !e.HasBinding() || len(pixels)%size != 0 {
		return nil, fmt.Errorf("%d bytes are not images of %d × %d pixels for a model with a binding", len(pixels), e.Side(), e.Side())
	}
	if e.prepared == nil || !slices.Equal(e.prepared.texts, texts) {
		e.prepareTexts(texts)
	}
	var scale [1]float64
	e.model.Device.Read(scale[:], e.model.BindingScale().Value)
	var rows [][]float32
	at := e.model.Config.Image.ImagesWithin(maxTokens)
	for len(pixels) > 0 {
		n := min(at, len(pixels)/size)
		rows = e.scoreImages(rows, pixels[:n*size], n, math.Exp(scale[0]))
		pixels = pixels[n*size:]
	}
	return rows, e.deviceError()
}

// scoreImages appends to rows the scores of n images with all prepared texts, divided by scale, the
// factor that the model multiplies them by.
func (e *Encoder) scoreImages(rows [][]float32, pixels []byte, n int, scale float64) [][]float32 {
	d, t := e.model.Device, e.tape
	e.resetTape(t)
	images := e.packer.Images(d, e.model.Config, pixels)
	patches := e.model.BindPatches(t, e.model.ImageTokens(t, images), images).List()
	for i := range n {
		row := make([]float32, 0, len(e.prepared.texts))
		for _, b := range e.prepared.blocks {
			e.scores.Reset()
			e.scores.Arena.Reset()
			var own []*kernels.Var
			for _, p := range patches {
				each := p.Value.Rows / n
				own = append(own, e.scores.Constant(e.scores.Rows(p.Value, i*each, (i+1)*each)))
			}
			y := e.model.Scores(e.scores, model.PatchesOf(own), b.words, &b.layout).Value
			for _, s := range e.readTensor(y) {
				row = append(row, float32(s/scale))
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// resetTape empties a tape.
func (e *Encoder) resetTape(t *kernels.Tape) {
	t.Reset()
	t.Arena.Reset()
	e.model.Device.Reset()
}

// readTensor returns a copy of a tensor on the host, valid until the next call.
func (e *Encoder) readTensor(t kernels.Tensor) []float64 {
	e.numbers = append(e.numbers[:0], make([]float64, t.Len())...)
	e.model.Device.Read(e.numbers, t)
	return e.numbers
}

// prepareTexts parses texts, encodes the words of their graphs, and sets e.prepared.
func (e *Encoder) prepareTexts(texts []string) {
	e.ForgetTexts()
	e.prepared = &preparedTexts{texts: slices.Clone(texts)}
	if e.scores == nil {
		e.scores = kernels.NewTape(e.model.Device, kernels.NewArena(e.model.Device, 0))
		e.scores.ForwardOnly = true
	}
	for part := range slices.Chunk(texts, maxGraphs) {
		e.prepared.blocks = append(e.prepared.blocks, e.newBlock(part))
	}
}

// ForgetTexts frees the device memory of the last scored texts, so that the next call of Scores
// encodes words with the parameters of that time.
func (e *Encoder) ForgetTexts() {
	if e.prepared == nil {
		return
	}
	for _, b := range e.prepared.blocks {
		for _, m := range b.memory {
			e.model.Device.Free(m)
		}
	}
	e.prepared = nil
}

// newBlock returns a block with the graphs of texts.
func (e *Encoder) newBlock(texts []string) *graphBlock {
	var nodes, predicates vocabulary
	var all []model.Graph
	var parsed schemas.SceneGraph
	for _, text := range texts {
		parsed.Reset()
		if e.Parse != nil {
			e.Parse(text, &parsed)
		}
		said := scenegraph.NewWordGraph(text, &parsed)
		var g model.Graph
		for _, node := range said.Nodes {
			g.Nodes = append(g.Nodes, nodes.index(node))
		}
		for _, r := range said.Relations {
			g.Edges = append(g.Edges, model.Edge{Predicate: predicates.index(r.Predicate), Subject: int32(r.Subject), Object: int32(r.Object)})
		}
		all = append(all, g)
	}
	b := &graphBlock{}
	words := append(slices.Clone(nodes.words), predicates.words...)
	node, predicate := e.encodeWords(b, words)
	e.resetTape(e.tape)
	made := e.model.BindWords(e.tape, e.tape.Constant(node), e.tape.Constant(predicate), indexRange(0, len(nodes.words)), indexRange(len(nodes.words), len(words)), &b.layout)
	var kept []*kernels.Var
	for _, v := range made.List() {
		kept = append(kept, kernels.NewParameter(e.copyToBlock(b, v.Value), kernels.Tensor{})) // a parameter survives Reset of the tape
	}
	b.words = model.WordsOf(kept)
	b.layout.Reset(e.model, len(nodes.words))
	for i := range all {
		b.layout.Add(&all[i])
	}
	return b
}

// encodeWords returns the vectors of words as nodes and as predicates, in memory of the block.
func (e *Encoder) encodeWords(b *graphBlock, words []string) (nodes, predicates kernels.Tensor) {
	d, c := e.model.Device, e.model.Config.Binding
	tensor := func(width int) kernels.Tensor {
		m := d.Alloc(len(words) * width)
		b.memory = append(b.memory, m)
		return kernels.Tensor{Rows: len(words), Cols: width, Memory: m}
	}
	nodes, predicates = tensor(c.Width), tensor(c.Relation)
	e.eachPack(words, func(first int, packed model.Texts) {
		node, predicate := e.model.BindTexts(e.tape, e.model.EncodeTexts(e.tape, packed))
		d.Copy(e.tape.Rows(nodes, first, first+node.Value.Rows), node.Value)
		d.Copy(e.tape.Rows(predicates, first, first+node.Value.Rows), predicate.Value)
	})
	return nodes, predicates
}

// copyToBlock returns a copy of a tensor in memory of a block.
func (e *Encoder) copyToBlock(b *graphBlock, t kernels.Tensor) kernels.Tensor {
	m := e.model.Device.Alloc(t.Len())
	b.memory = append(b.memory, m)
	kept := kernels.Tensor{Rows: t.Rows, Cols: t.Cols, Memory: m}
	if t.Len() > 0 {
		e.model.Device.Copy(kept, t)
	}
	return kept
}

// vocabulary assigns indices to distinct words.
type vocabulary struct {
	words  []string
	places map[string]int32
}

func (v *vocabulary) index(word string) int32 {
	at, ok := v.places[word]
	if !ok {
		if v.places == nil {
			v.places = map[string]int32{}
		}
		at = int32(len(v.words))
		v.places[word] = at
		v.words = append(v.words, word)
	}
	return at
}

// indexRange returns the numbers first to last-1.
func indexRange(first, last int) []int32 {
	n := make([]int32, 0, last-first)
	for i := first; i < last; i++ {
		n = append(n, int32(i))
	}
	return n
}
