package train

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"capgraph/kernels"
	"capgraph/scenegraph"
	"capgraph/schemas/drawing"
	"capgraph/testing/golden"
	"capgraph/train/loader"
	"capgraph/train/model"
	"capgraph/train/objective"
)

// newScoredRun makes the samples of a golden case of OC-CLIP.
func newScoredRun(t testing.TB, d kernels.Device, g *golden.OCCLIP, c golden.ScoredCase, batch Batch) *goldenRun {
	t.Helper()
	m, err := model.New(d, g.Model)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Free)
	if err := g.Weights.Apply(m); err != nil {
		t.Fatal(err)
	}
	return scoredRunOf(m, c, batch)
}

// scoredRunOf is newScoredRun of a model that has its weights. Texts are named by their
// tokens.
func scoredRunOf(m *model.Model, c golden.ScoredCase, batch Batch) *goldenRun {
	tokens := map[string][]int32{}
	name := func(text int) string {
		word := fmt.Sprint(c.Texts[text])
		tokens[word] = c.Texts[text]
		return word
	}
	r := &goldenRun{}
	encode := func(dst []int32, text string) []int32 { return append(dst, tokens[text]...) }
	r.stepper = newStepper(m, encode, []weightedObjective{{objective.NewOCCLIP(c.Relation), 1}}, batch, false)
	size := len(c.Images) / c.N
	for i, graph := range c.Graphs {
		s := &loader.Sample{Pixels: c.Images[i*size : (i+1)*size], Altered: drawing.Perturbation{Relation: graph.Altered[0], Subject: graph.Altered[1], Object: graph.Altered[2]}}
		for _, node := range graph.Nodes {
			s.Graph.Nodes = append(s.Graph.Nodes, name(node))
		}
		for _, e := range graph.Relations {
			s.Graph.Relations = append(s.Graph.Relations, scenegraph.WordRelation{Predicate: name(e[0]), Subject: e[1], Object: e[2]})
		}
		r.samples = append(r.samples, s)
	}
	return r
}

func readOCCLIP(t testing.TB) *golden.OCCLIP {
	t.Helper()
	g, err := golden.ReadOCCLIP()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestGradientsOfGraphsArePyTorchs(t *testing.T) {
	g := readOCCLIP(t)
	for _, dev := range devices {
		for _, c := range g.Cases {
			for _, batch := range []Batch{{}, {ChunkTokens: 20}, {ChunkTokens: 40, Recompute: RecomputeBlocks}} {
				t.Run(fmt.Sprintf("%s/%s/%d", dev.name, c.Name, batch.ChunkTokens), func(t *testing.T) {
					d := dev.make()
					defer d.Close()
					r := newScoredRun(t, d, g, c, batch)
					scored(t, d, r, c, dev.bounds)
				})
			}
		}
	}
}

// scored holds the loss, the scores and the gradients of a run against PyTorch's.
func scored(t *testing.T, d kernels.Device, r *goldenRun, c golden.ScoredCase, most bounds) {
	t.Helper()
	loss, err := r.computeGradients(r.samples)
	if err != nil || !near(loss, c.Terms["loss"], most.loss) {
		t.Fatalf("loss %v, %v, not %v", loss, err, c.Terms["loss"])
	}
	for i, row := range c.Scores {
		got := make([]float64, len(row))
		d.Read(got, r.loss.Rows(r.scorer.scores.Value, i, i+1))
		for j, want := range row {
			if !near(got[j], want, 10*most.loss) {
				t.Fatalf("the score of image %d with graph %d is %v, not %v", i, j, got[j], want)
			}
		}
	}
	gradientsAre(t, r, c.Gradients, most.gradient)
}

// gradientsAre holds gradients against PyTorch's; those that it has none of must be 0.
func gradientsAre(t *testing.T, r *goldenRun, want map[string]golden.Sketch, most float64) {
	t.Helper()
	var whole float64
	for _, s := range want {
		whole += s[0] * s[0]
	}
	for i, s := range r.model.Specs {
		got, err := golden.SketchOf(s, readAll(r.model.Device, r.model.Vars[i].Grad))
		if err != nil {
			t.Fatal(err)
		}
		if e := got.Distance(want[s.Name], 1e-2*math.Sqrt(whole)); e > most {
			t.Errorf("the gradient of %s is off by %.2g", s.Name, e)
		}
	}
}

// Scores are of each process' own images; gradients are those of one process.
func TestSeveralProcessesScoreAsOne(t *testing.T) {
	g := readOCCLIP(t)
	for _, dev := range devices {
		near := map[string]float64{"float64": 1e-12, "float32": 1e-5}[dev.name]
		for _, c := range g.Cases {
			for _, world := range []int{2, 3} {
				t.Run(fmt.Sprintf("%s/%s/%d", dev.name, c.Name, world), func(t *testing.T) {
					run := func(rank, world int) *goldenRun {
						d := dev.make()
						t.Cleanup(func() { d.Close() })
						r := newScoredRun(t, d, g, c, Batch{ChunkTokens: 40})
						limitToRank(r, rank, world, false)
						return r
					}
					want, err := runSteps(run(0, 1), 2)
					if err != nil {
						t.Fatal(err)
					}
					var runs []*goldenRun
					for rank := range world {
						runs = append(runs, run(rank, world))
					}
					all, err := runGroup(t, runs, 2)
					if err != nil {
						t.Fatal(err)
					}
					for rank, got := range all {
						if !slices.Equal(got.losses, all[0].losses) || !slices.Equal(got.gradients, all[0].gradients) {
							t.Errorf("rank %d has other bits than rank 0", rank)
						}
					}
					if d := relativeError(all[0].losses, want.losses); d > near {
						t.Errorf("losses are off by %.2g", d)
					}
					if d := relativeError(all[0].gradients, want.gradients); d > near {
						t.Errorf("gradients are off by %.2g", d)
					}
				})
			}
		}
	}
}
