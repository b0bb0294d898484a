package train

import (
	"fmt"
	"io"
	"text/tabwriter"

	"capgraph/internal/progress"
	"capgraph/kernels"
	"capgraph/scenegraph"
	"capgraph/store"
	"capgraph/train/device"
	"capgraph/train/loader"
	"capgraph/train/model"
	"capgraph/train/tokenizer"
)

// plannedTokens is how many tokens a dry run takes a text to have, where its
// context has as many: those of sub-graphs have 5 to 8, captions some 12.
const plannedTokens = 12

// DryRun writes what a step of a recipe needs: parameters, tokens, memory and
// work, and which part of a tower takes how much. It loads neither texts nor images nor weights.
func DryRun(w io.Writer, s store.Store, r *Recipe) error {
	vocabulary := r.Tokenizer.Size
	if r.Tokenizer.Kind == TokenizerCLIP {
		vocabulary = tokenizer.CLIPSize
	}
	c, err := r.config(s, vocabulary)
	if err != nil {
		return err
	}
	image, text := model.Count(c)
	usual, err := r.plan(c, min(plannedTokens, c.Text.ContextLength))
	if err != nil {
		return err
	}
	most, err := r.plan(c, c.Text.ContextLength)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	n := func(x int) string { return progress.Thousands(int64(x)) }
	total, bound := model.Total(c), ""
	if !c.Binding.None() {
		bound = ", binding " + n(total-image-text-1)
	}
	fmt.Fprintf(t, "parameters\t%s\timage tower %s, text tower %s%s\n", n(total), n(image), n(text), bound)
	fmt.Fprintf(t, "images of a step\t%s\t%s tokens of %d × %d patches\n", n(usual.images), n(usual.imageTokens), c.Image.Grid(), c.Image.Grid())
	fmt.Fprintf(t, "texts of a step\t%s at most\tsome %s tokens, %d a text; %s at most, %d a text\n",
		n(usual.texts), n(usual.textTokens), usual.textTokens/max(usual.texts, 1), n(most.textTokens), c.Text.ContextLength)
	fmt.Fprintf(t, "memory of a step\t%s\tweights, gradients and moments %s, what a step makes %s; %s at most\n",
		inBytes(usual.fixed+usual.step), inBytes(usual.fixed), inBytes(usual.step), inBytes(most.fixed+most.step))
	fmt.Fprintf(t, "work of a step\t%s\t%s at most\n", inFlops(usual.flops), inFlops(most.flops))
	if err := t.Flush(); err != nil {
		return err
	}
	return usual.write(w)
}

// need is what a step takes.
type need struct {
	images, imageTokens, texts, textTokens int
	fixed, step                            int64 // bytes
	flops                                  float64
	parts                                  []made // what step is the sum of
}

// plan makes a step on a device that computes nothing: with all texts that the
// objectives may want, all different, of so many tokens.
func (r *Recipe) plan(c model.Config, tokens int) (need, error) {
	d := &kernels.Plan{Element: 4}
	if r.Precision == device.Float64 {
		d.Element = 8
	}
	m, err := model.New(d, c, r.Model.Freeze...)
	if err != nil {
		return need{}, err
	}
	ids := make([]int32, tokens)
	s := newStepper(m, func(dst []int32, _ string) []int32 { return append(dst, ids...) }, r.objectives(), r.Batch, r.Data.Neighbours != "")
	if _, err := s.gradients(r.planned(c.Image.ImageSize)); err != nil {
		return need{}, err
	}
	var values, learned int
	for i, spec := range m.Specs {
		values += spec.Len()
		if m.Vars[i].Needs() {
			learned += spec.Len()
		}
	}
	n := need{
		images: len(s.batch.Images), imageTokens: len(s.batch.Images) * c.Image.Tokens(), texts: len(s.batch.Texts), textTokens: len(s.ids),
		fixed: int64(values+3*learned) * int64(d.Element),
		flops: d.Flops,
	}
	n.parts = s.made()
	for _, p := range n.parts {
		n.step += int64(p.n) * p.bytes
	}
	return n, nil
}

// planned are the samples of a batch with all texts that they may have.
func (r *Recipe) planned(side int) []*loader.Sample {
	plan := r.draws(r.Objective.MosaiCLIP.Stage1Epochs)
	pixels := make([]byte, 3*side*side)
	next := int64(0)
	text := func() loader.Text {
		next++
		return loader.Text{Text: fmt.Sprint(next), ID: next}
	}
	var samples []*loader.Sample
	for range r.Batch.Size {
		sample := func() *loader.Sample {
			s := &loader.Sample{Caption: text(), Pixels: pixels}
			if r.Objective.CECLIP.IMCMode == "anchored" {
				s.Sibling = text()
			}
			for range plan.Positives {
				s.Positives = append(s.Positives, text())
				s.Known = append(s.Known, next)
			}
			for range plan.Negatives {
				t := text()
				s.Negatives = append(s.Negatives, loader.Negative{Text: t.Text, ID: t.ID})
			}
			for class := range plan.Classes {
				t := text()
				s.CaptionNegatives = append(s.CaptionNegatives, loader.Negative{Text: t.Text, ID: t.ID, Class: class})
			}
			if r.Objective.OCCLIP.Weight > 0 {
				s.Graph, s.Altered = plannedGraph(text)
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

// What a dry run takes a caption's graph to have: COCO's have 3 objects and 2 relations.
const plannedNodes = 3

// plannedGraph is a graph of different words, each relation between a node and the
// next, of which the first is altered.
func plannedGraph(text func() loader.Text) (said scenegraph.Said, altered scenegraph.Altered) {
	for i := range plannedNodes {
		said.Nodes = append(said.Nodes, text().Text)
		if i > 0 {
			said.Relations = append(said.Relations, scenegraph.SaidRelation{Subject: i - 1, Object: i, Predicate: text().Text})
		}
	}
	return said, scenegraph.Altered{Subject: plannedNodes - 1}
}

// inBytes says a size in words.
func inBytes(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.0f MB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.0f kB", float64(n)/(1<<10))
}

func inFlops(n float64) string {
	if n >= 1e12 {
		return fmt.Sprintf("%.1f TFLOP", n/1e12)
	}
	return fmt.Sprintf("%.2f GFLOP", n/1e9)
}
