package train

import (
	"math"
	"testing"

	"capgraph/internal/portable"
	"capgraph/kernels"
	"capgraph/kernels/cpu"
	"capgraph/testing/golden"
	"capgraph/train/model"
	"capgraph/train/objective"
)

// distillRun is a golden batch with distill as its only objective. The teacher has the golden weights and
// the model noise besides.
func distillRun(t *testing.T, d kernels.Device, temperature float64, chunk int) *goldenRun {
	t.Helper()
	g := readGolden(t)
	c := golden.Case{Batch: g.Cases[0].Batch, Objective: "clip"}
	r := newGoldenRun(t, d, g, c, Batch{ChunkTokens: chunk})
	r.objectives = []weightedObjective{{objective.NewDistill(temperature), 1}, {&objective.CLIP{}, 0}}
	teacher, err := model.New(d, r.model.Config, model.ImageTower, model.TextTower, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(teacher.Free)
	if err := readWeights(r.model).Apply(teacher); err != nil {
		t.Fatal(err)
	}
	r.setTeacher(teacher, Batch{ChunkTokens: chunk})
	return r
}

func disturb(m *model.Model) {
	random := portable.SplitMix64(9)
	for _, v := range m.Vars {
		x := readAll(m.Device, v.Value)
		for i := range x {
			x[i] += float64(random.IntN(1000))/5000 - 0.1
		}
		m.Device.Write(v.Value, x)
	}
}

// kullbackLeibler returns the loss by its definition, from features of rows.
func kullbackLeibler(student, teacher [][]float64, temperature float64) (loss float64) {
	n := len(student)
	softmax := func(s [][]float64, i int, column bool) []float64 {
		p, sum := make([]float64, n), 0.
		for j := range p {
			x := s[i][j]
			if column {
				x = s[j][i]
			}
			p[j] = math.Exp(x / temperature)
			sum += p[j]
		}
		for j := range p {
			p[j] /= sum
		}
		return p
	}
	for _, column := range []bool{false, true} {
		for i := range n {
			p, q := softmax(student, i, column), softmax(teacher, i, column)
			for j := range q {
				loss += q[j] * math.Log(q[j]/p[j]) * temperature * temperature / float64(2*n)
			}
		}
	}
	return loss
}

// similaritiesOf returns τ · u_i · v_j of images and captions.
func similaritiesOf(t *testing.T, r *goldenRun, m *model.Model) [][]float64 {
	t.Helper()
	g, tape, packer := readGolden(t), kernels.NewTape(m.Device, kernels.NewArena(m.Device, 0)), model.Packer{}
	tape.ForwardOnly = true
	b := g.Batches[g.Cases[0].Batch]
	tokens := 0
	for _, n := range b.Lengths[:b.N] {
		tokens += int(n)
	}
	images := tape.Normalize(m.EncodeImages(tape, packer.Images(m.Device, m.Config, b.Images)))
	texts := tape.Normalize(m.EncodeTexts(tape, packer.Texts(m.Device, m.Config, b.Tokens[:tokens], b.Lengths[:b.N], model.Room{})))
	all := readAll(m.Device, tape.Similarity(images, texts, m.LogScale()).Value)
	var rows [][]float64
	for i := range len(r.samples) {
		rows = append(rows, all[i*b.N:(i+1)*b.N])
	}
	return rows
}

func TestDistillIsKullbackLeibler(t *testing.T) {
	for chunk, temperature := range map[int]float64{0: 1, 20: 2.5} {
		d := kernels.NewReference()
		r := distillRun(t, d, temperature, chunk)
		if loss, err := r.computeGradients(r.samples); err != nil || math.Abs(loss) > 1e-12 {
			t.Errorf("of the teacher itself the loss is %v, %v", loss, err)
		}
		for i, s := range r.model.Specs {
			for _, v := range readAll(d, r.model.Vars[i].Grad) {
				if math.Abs(v) > 1e-10 {
					t.Fatalf("of the teacher itself the gradient of %s is %v", s.Name, v)
				}
			}
		}
		disturb(r.model)
		d.Zero(r.model.Gradients())
		want := kullbackLeibler(similaritiesOf(t, r, r.model), similaritiesOf(t, r, r.teacher.model), temperature)
		loss, err := r.computeGradients(r.samples)
		if err != nil || math.Abs(loss-want) > 1e-11 || want < 1e-3 {
			t.Fatalf("the loss is %v, %v, not %v", loss, err, want)
		}
		for i, s := range r.model.Specs {
			if i%4 != 0 && s.Name != model.LogitScale {
				continue
			}
			x, at := readAll(d, r.model.Vars[i].Value), s.Len()/2
			got := readAll(d, r.model.Vars[i].Grad)[at]
			const h = 1e-5
			moved := func(by float64) float64 {
				x[at] += by
				d.Write(r.model.Vars[i].Value, x)
				x[at] -= by
				if _, _, _, err := r.computeLoss(); err != nil {
					t.Fatal(err)
				}
				return readScalar(d, r.losses[0].Value)
			}
			slope := (moved(h) - moved(-h)) / (2 * h)
			d.Write(r.model.Vars[i].Value, x)
			if math.Abs(got-slope) > 1e-7+1e-5*math.Abs(slope) {
				t.Errorf("the gradient of %s is %v, not %v", s.Name, got, slope)
			}
		}
	}
}

// The loss in float32 is near the loss in float64; of one image it is 0.
func TestDistillInFloat32(t *testing.T) {
	var losses [2]float64
	for i, d := range []kernels.Device{kernels.NewReference(), cpu.New()} {
		defer d.Close()
		r := distillRun(t, d, 1, 0)
		disturb(r.model)
		var err error
		if losses[i], err = r.computeGradients(r.samples); err != nil {
			t.Fatal(err)
		}
		if one, err := r.computeGradients(r.samples[:1]); err != nil || math.Abs(one) > 1e-5 {
			t.Errorf("of one image the loss is %v, %v", one, err)
		}
	}
	if !near(losses[1], losses[0], 1e-4) {
		t.Errorf("%v in float32, %v in float64", losses[1], losses[0])
	}
}

// Several processes make the steps of one, also with hard-negative images.
func TestDistillInSeveralProcesses(t *testing.T) {
	for _, partners := range []bool{false, true} {
		made := func(rank, world int) *goldenRun {
			r := distillRun(t, kernels.NewReference(), 2, 20)
			disturb(r.model)
			limitToRank(r, rank, world, partners)
			return r
		}
		alone, err := runSteps(made(0, 1), 2)
		if err != nil {
			t.Fatal(err)
		}
		runs := []*goldenRun{made(0, 2), made(1, 2)}
		outcomes, err := runGroup(t, runs, 2)
		if err != nil {
			t.Fatal(err)
		}
		for rank, o := range outcomes {
			for i, want := range alone.losses {
				if math.Abs(o.losses[i]-want) > 1e-10 {
					t.Errorf("rank %d, partners %v: loss %v, not %v", rank, partners, o.losses[i], want)
				}
			}
			for i, want := range alone.weights {
				if math.Abs(o.weights[i]-want) > 1e-6 {
					t.Fatalf("rank %d, partners %v: weight %d is %v, not %v", rank, partners, i, o.weights[i], want)
				}
			}
		}
	}
}
