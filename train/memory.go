package train

import (
	"fmt"
	"io"
	"text/tabwriter"

	"capgraph/internal/text"
	"capgraph/kernels"
	"capgraph/scenegraph"
	"capgraph/schemas/drawing"
	"capgraph/store"
	"capgraph/train/device"
	"capgraph/train/loader"
	"capgraph/train/model"
	"capgraph/train/tokenizer"
)

// typicalTokens is the number of tokens that a dry run assumes for a text, if the context is long
// enough. Texts of sub-graphs have 5 to 8, captions some 12.
const typicalTokens = 12

// DryRun writes the numbers of parameters, tokens, bytes of memory and operations of a step of a
// recipe, and the memory of each block. It reads neither texts nor images nor weights.
func DryRun(w io.Writer, s store.Store, r *Recipe) error {
	vocabulary := r.Tokenizer.Size
	if r.Tokenizer.Kind == TokenizerCLIP {
		vocabulary = tokenizer.CLIPSize
	}
	c, err := r.modelConfig(s, vocabulary)
	if err != nil {
		return err
	}
	imageTower, textTower := model.CountByTower(c)
	typical := min(typicalTokens, c.Text.ContextLength)
	if c.Text.Padded {
		typical = c.Text.ContextLength
	}
	usual, err := r.estimateStep(c, typical)
	if err != nil {
		return err
	}
	most, err := r.estimateStep(c, c.Text.ContextLength)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	n := text.Thousands[int]
	total, bound := model.CountAll(c), ""
	if !c.Binding.IsNone() {
		bound = ", binding " + n(total-imageTower-textTower-1)
	}
	fmt.Fprintf(t, "parameters\t%s\timage tower %s, text tower %s%s\n", n(total), n(imageTower), n(textTower), bound)
	fmt.Fprintf(t, "images of a step\t%s\t%s tokens of %d × %d patches\n", n(usual.images), n(usual.imageTokens), c.Image.Grid(), c.Image.Grid())
	fmt.Fprintf(t, "texts of a step\t%s at most\tsome %s tokens, %d a text; %s at most, %d a text\n",
		n(usual.texts), n(usual.textTokens), usual.textTokens/max(usual.texts, 1), n(most.textTokens), c.Text.ContextLength)
	fmt.Fprintf(t, "memory of a step\t%s\tweights, gradients and moments %s, what a step makes %s; %s at most\n",
		formatBytes(usual.fixed+usual.step), formatBytes(usual.fixed), formatBytes(usual.step), formatBytes(most.fixed+most.step))
	fmt.Fprintf(t, "work of a step\t%s\t%s at most\n", formatFlops(usual.flops), formatFlops(most.flops))
	if err := t.Flush(); err != nil {
		return err
	}
	return usual.writeMemory(w)
}

// stepCost is the cost of a step.
type stepCost struct {
	images, imageTokens, texts, textTokens int
	fixed, step                            int64 // bytes
	flops                                  float64
	memory                                 []memoryUse // adds up to step
}

// estimateStep runs a step on a device that computes nothing and returns its cost. The step has the
// maximum number of texts for the objectives, all different, with the given number of tokens each.
func (r *Recipe) estimateStep(c model.Config, tokens int) (stepCost, error) {
	d := &kernels.CountingDevice{ElementSize: 4}
	if r.Precision == device.Float64 {
		d.ElementSize = 8
	}
	m, err := model.NewLearning(d, c, r.learnsParameter)
	if err != nil {
		return stepCost{}, err
	}
	ids := make([]int32, tokens)
	s := newStepper(m, func(dst []int32, _ string) []int32 { return append(dst, ids...) }, r.weightedObjectives(), r.Batch, r.Data.Neighbours != "")
	if r.Objective.Distill.Weight > 0 {
		teacher, err := model.New(d, c, model.ImageTower, model.TextTower, model.BindingTower, "")
		if err != nil {
			return stepCost{}, err
		}
		s.setTeacher(teacher, r.Batch)
	}
	if _, err := s.computeGradients(r.placeholderSamples(c.Image.ImageSize)); err != nil {
		return stepCost{}, err
	}
	var fixed int
	for i, spec := range m.Specs {
		fixed += spec.Len()
		if s.teacher != nil {
			fixed += spec.Len()
		}
		if !m.Vars[i].NeedsGrad() {
			continue
		}
		fixed += spec.Len() // the gradient
		if r.EMA.Decay > 0 {
			fixed += spec.Len()
		}
		if r.LoRA.adaptsMatrix(spec) {
			a, b := spec.Adapters(r.LoRA.Rank)
			fixed += spec.Len() + 4*(a.Len()+b.Len()) // value, gradient and two moments
		} else {
			fixed += 2 * spec.Len()
		}
	}
	n := stepCost{
		images: len(s.batch.Images), imageTokens: len(s.batch.Images) * c.Image.Tokens(), texts: len(s.batch.Texts), textTokens: len(s.ids),
		fixed: int64(fixed) * int64(d.ElementSize),
		flops: d.Flops,
	}
	n.memory = s.memoryReport()
	for _, p := range n.memory {
		n.step += int64(p.count) * p.bytes
	}
	return n, nil
}

// placeholderSamples returns a batch of samples that each have the maximum number of texts.
func (r *Recipe) placeholderSamples(side int) []*loader.Sample {
	plan := r.planDraws(r.Objective.MosaiCLIP.Stage1Epochs)
	pixels := make([]byte, 3*side*side)
	next := int64(0)
	text := func() loader.Text {
		next++
		return loader.Text{Text: fmt.Sprint(next), ID: next}
	}
	var samples []*loader.Sample
	for range r.Batch.Size {
		sample := func() *loader.Sample {
			s := &loader.Sample{Caption: text(), Pixels: pixels, KnownParts: []int32{0}}
			if r.Objective.CECLIP.IMCMode == "anchored" {
				s.Sibling = text()
			}
			for range min(plan.Positives, 1) + plan.Positives { // the caption too
				s.Positives = append(s.Positives, text())
				s.Known = append(s.Known, next)
			}
			for k := range plan.Negatives {
				t := text()
				s.Negatives = append(s.Negatives, loader.Negative{Text: t.Text, ID: t.ID, Of: 1 + k%plan.Positives})
			}
			for class := range plan.Classes {
				t := text()
				s.CaptionNegatives = append(s.CaptionNegatives, loader.Negative{Text: t.Text, ID: t.ID, Class: class})
			}
			for range plan.Paraphrases {
				s.Paraphrases = append(s.Paraphrases, [2]loader.Text{text(), text()})
			}
			if r.Objective.OCCLIP.Weight > 0 {
				s.Graph, s.Altered = placeholderGraph(text)
			}
			return s
		}
		s := sample()
		if r.Data.Neighbours != "" {
			s.Partner = sample()
		}
		samples = append(samples, s)
	}
	return samples
}

// placeholderNodes is the number of nodes that a dry run assumes for a caption's graph. Graphs of
// COCO have 3 objects and 2 relations.
const placeholderNodes = 3

// placeholderGraph returns a graph of different words with a relation between each node and the
// next, and a perturbation of its first relation.
func placeholderGraph(text func() loader.Text) (said scenegraph.WordGraph, altered drawing.Perturbation) {
	for i := range placeholderNodes {
		said.Nodes = append(said.Nodes, text().Text)
		if i > 0 {
			said.Relations = append(said.Relations, scenegraph.WordRelation{Subject: i - 1, Object: i, Predicate: text().Text})
		}
	}
	return said, drawing.Perturbation{Subject: placeholderNodes - 1}
}

// formatBytes returns a size such as "1.5 GB".
func formatBytes(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.0f MB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.0f kB", float64(n)/(1<<10))
}

// formatFlops returns a number of operations such as "2.10 TFLOP".
func formatFlops(n float64) string {
	if n >= 1e12 {
		return fmt.Sprintf("%.1f TFLOP", n/1e12)
	}
	return fmt.Sprintf("%.2f GFLOP", n/1e9)
}

// memoryUse is the memory of a step for one purpose: count times bytes.
type memoryUse struct {
	owner, what string
	count       int
	bytes       int64
}

// memoryReport returns the memory of a step, which must have run before: what each tower keeps for
// its gradients, block by block, and the rest. If there are several chunks, it describes the first
// one.
func (s *stepper) memoryReport() []memoryUse {
	element := int64(s.model.Device.ElementBytes())
	var all []memoryUse
	add := func(of, what string, n, elements int) {
		if n*elements > 0 {
			all = append(all, memoryUse{of, what, n, int64(elements) * element})
		}
	}
	for _, e := range []struct {
		*towerEncoder
		of string
	}{{&s.image, "image tower"}, {&s.text, "text tower"}} {
		tape := e.tape
		if len(e.chunks) == 0 {
			continue
		}
		e.encodeChunk(e.chunks[0], e.needsGradients, false)
		before, after := tape.Arena.Used(), 0
		if n := len(tape.Parts); n > 0 {
			before, after = tape.Parts[0][0], tape.Arena.Used()-tape.Parts[n-1][1]
		}
		add(e.of, "before its blocks", 1, before)
		for i, n := 0, 1; i < len(tape.Parts); i, n = i+n, 1 {
			kept := func(i int) int { return tape.Parts[i][1] - tape.Parts[i][0] }
			for i+n < len(tape.Parts) && kept(i+n) == kept(i) {
				n++
			}
			add(e.of, text.Plural(n, "block", "blocks"), n, kept(i))
		}
		add(e.of, "after its blocks", 1, after)
		add(e.of, "gradients, a block at a time", 1, tape.Arena.Peak()-tape.Arena.Used())
	}
	if scratch := s.image.tape.Scratch; scratch != nil {
		add("both towers", "a block that is made again", 1, scratch.Arena.Peak())
	}
	if b := s.scorer; b != nil {
		add("binding", "an image with all graphs", 1, b.scoreTape.Arena.Peak())
		add("binding", "words, and gradients of patches", 1, b.wordTape.Arena.Peak())
	}
	add("losses", "features, similarities, their gradients", 1, s.loss.Arena.Peak())
	return append(all, memoryUse{"images", "pixels", 1, int64(len(s.pixels))})
}

// writeMemory writes a table of the memory of a step, by purpose.
func (n stepCost) writeMemory(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\nwhat a step makes\t\teach\ttogether")
	last := ""
	for _, p := range n.memory {
		of, what, each := p.owner, p.what, ""
		if of == last {
			of = ""
		}
		if p.count > 1 {
			what, each = fmt.Sprintf("%d %s", p.count, what), formatBytes(p.bytes)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", of, what, each, formatBytes(int64(p.count)*p.bytes))
		last = p.owner
	}
	return t.Flush()
}
