package train

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"capgraph/eval/clip"
	"capgraph/internal/progress"
	"capgraph/kernels"
	"capgraph/store"
	"capgraph/train/features"
	"capgraph/train/group"
	"capgraph/train/images"
	"capgraph/train/loader"
	"capgraph/train/metrics"
	"capgraph/train/model"
	"capgraph/train/optimiser"
	"capgraph/train/tokenizer"
)

// Options are what a training is given besides its recipe.
type Options struct {
	Store store.Store
	// Group are the processes that train together (Join); nil for one alone. Its rank
	// 0 writes and tells; output.dir is a folder that all of them share.
	Group *group.Group
	// Device is what the recipe computes on (Recipe.OpenDevice).
	Device kernels.Device
	// Progress is where progress is told, in a mode of internal/progress.
	Progress io.Writer
	Mode     string
	// Parse makes scene graphs of the texts that an evaluation scores, where the
	// objective is one of graphs; without it, each text is one node.
	Parse features.Parse
	// Tell says a line to a person: what a training begins with, what was measured.
	Tell func(string)
	// Warn says what did not end the training.
	Warn func(string)
}

// Result is what a training came to.
type Result struct {
	Steps   int
	Samples int64
	// LeftOut are the images that were left out, by reason.
	LeftOut map[string]int64
	// Pace is that of the steps of this run.
	Pace metrics.Pace
	// Before and After are what was measured, by name; empty without an evaluation.
	Before, After map[string]float64
}

// ErrStopped is the error of a training that was told to stop, and wrote a
// checkpoint.
var ErrStopped = errors.New("stopped before the end; the last step is kept: run the same command again to go on")

// training is one run of a recipe.
type training struct {
	recipe    *Recipe
	store     store.Store
	options   Options
	device    kernels.Device
	decoder   string // what decodes images
	tokenizer tokenizer.Tokenizer
	encoder   *features.Encoder
	images    []images.Set
	kept      *images.Kept // images that were decoded; nil for none
	pairs     []clip.Pair
	folder    *features.Folder
	model     *model.Model
	stepper   *stepper
	group     *group.Group // nil for a process alone
	optimiser *optimiser.Optimiser
	loader    *loader.Loader
	log       *metrics.Log
	steps     int // of the whole training
	saved     int // step of the last checkpoint
	state     state
	began     time.Time
	leftOut   *leftOut
	journal   *journal     // of the leading process
	pace      metrics.Pace // of the steps of this run
}

// world is the number of processes.
func (t *training) world() int {
	if t.group == nil {
		return 1
	}
	return t.group.World
}

// Run trains as the recipe says, from the last checkpoint in its output folder
// where there is one. When ctx ends, it writes a checkpoint and returns ErrStopped.
func Run(ctx context.Context, r *Recipe, o Options) (Result, error) {
	t := &training{recipe: r, store: o.Store, options: o, group: o.Group, device: o.Device}
	if t.group != nil && t.group.World == 1 {
		t.group = nil
	}
	if !t.leads() {
		t.options.Mode, t.options.Tell, t.options.Warn = progress.None, func(string) {}, func(string) {}
	}
	defer t.close()
	result, err := t.run(ctx)
	if err != nil && t.group != nil {
		t.group.Fail(err)
	}
	return result, err
}

func (t *training) run(ctx context.Context) (Result, error) {
	if err := t.open(ctx); err != nil {
		return Result{}, err
	}
	err := t.loop(ctx)
	if stopped(ctx, err) {
		err = ErrStopped
		if t.optimiser.Steps() > t.saved {
			err = errors.Join(err, t.save())
		}
	}
	result := t.result()
	if err != nil {
		return result, err
	}
	if result.After, err = t.evaluate(ctx); err != nil {
		return result, err
	}
	return result, t.alone(func() error {
		return errors.Join(t.recipe.finish(t.store, t.model), t.log.Sync(), t.journal.put())
	})
}

// loop makes the steps that are left.
func (t *training) loop(ctx context.Context) error {
	shown := metrics.NewProgress(t.options.Progress, t.options.Mode, t.optimiser.Steps(), t.state.Samples, t.steps)
	defer shown.Stop()
	next := ctx
	if t.group != nil { // they stop together, at the same step
		next = context.WithoutCancel(ctx)
	}
	t.began = time.Now()
	for t.optimiser.Steps() < t.steps {
		asked := time.Now()
		batch, err := t.loader.Next(next)
		if err != nil {
			return err
		}
		record, err := t.step(batch, time.Since(asked), ctx.Err() != nil)
		if err != nil {
			return err
		}
		t.loader.Release(batch)
		shown.Write(record)
		if err := t.tell(record); err != nil {
			return err
		}
		if err := t.due(ctx); err != nil {
			return err
		}
	}
	if t.saved == t.steps {
		return nil
	}
	return t.save()
}

// tell writes a record to the files of metrics.
func (t *training) tell(r metrics.Record) error {
	if t.log == nil {
		return nil
	}
	return t.log.Write(r)
}

// step is one step down the loss of a batch that was waited for, unless one of the
// processes was told to stop.
func (t *training) step(batch *loader.Batch, waited time.Duration, stop bool) (metrics.Record, error) {
	got := time.Now()
	samples, err := t.usable(batch, stop)
	if err != nil {
		return metrics.Record{}, err
	}
	rate := t.optimiser.LearningRate()
	loss, err := t.stepper.gradients(samples)
	if err != nil {
		return metrics.Record{}, t.broken(batch, err)
	}
	norm, err := t.optimiser.Norm()
	if err != nil {
		return metrics.Record{}, t.broken(batch, err)
	}
	t.optimiser.Step()
	t.state.Losses.add(loss)
	t.state.Samples += int64(len(samples))
	t.state.Seconds += time.Since(t.began).Seconds()
	t.began = time.Now()
	t.state.Position = t.loader.Position()
	values := append(t.stepper.terms(loss), metrics.Value{Name: "lr", Number: rate}, metrics.Value{Name: "grad_norm", Number: norm},
		metrics.Value{Name: "logit_scale", Number: read(t.device, t.model.LogScale().Value)})
	if scale := t.model.BindingScale(); scale != nil {
		values = append(values, metrics.Value{Name: "occlip/logit_scale", Number: read(t.device, scale.Value)})
	}
	if failed(t.device) != nil {
		return metrics.Record{}, t.broken(batch, nil)
	}
	pace := metrics.Pace{Images: int64(len(samples)), Computed: time.Since(got), Waited: waited, LoaderHad: batch.Took()}
	t.pace.Add(pace)
	return metrics.Record{
		Step: t.optimiser.Steps(), Epoch: batch.Epoch, Samples: t.state.Samples, Seconds: t.state.Seconds, Pace: pace,
		Values: append(values, pace.Values()...),
	}, nil
}

// broken says of which step an error is, and what to do about a loss or a gradient
// that is not finite, unless the device has failed.
func (t *training) broken(batch *loader.Batch, err error) error {
	if device := failed(t.device); device != nil {
		return fmt.Errorf("step %d: %w; the last checkpoint is of step %d", t.optimiser.Steps()+1, device, t.saved)
	}
	return fmt.Errorf("step %d (epoch %d, batch %d): %w; the last checkpoint is of step %d: "+
		"lower optimiser.lr, raise optimiser.warmup or set optimiser.clip_norm, and begin in another output.dir",
		t.optimiser.Steps()+1, batch.Epoch, batch.Step, err, t.saved)
}

// due does what is to be done after some steps: evaluate, and keep a checkpoint.
func (t *training) due(ctx context.Context) error {
	step, last := t.optimiser.Steps(), t.optimiser.Steps() == t.steps
	every := func(n int) bool { return n > 0 && step%n == 0 }
	best := false
	if every(t.recipe.Evaluate.Every) && !last {
		measured, err := t.evaluate(ctx)
		if err != nil {
			return err
		}
		best = t.recipe.Output.KeepBest == Accuracy && t.better(measured[Accuracy])
	}
	regular := every(t.recipe.Output.CheckpointEvery) || last
	if regular && t.recipe.Output.KeepBest == metrics.Loss {
		t.better(-t.state.Losses.mean())
		t.state.Losses = mean{}
	}
	if regular || best {
		return t.save()
	}
	return nil
}

// better says whether this step is the best so far, where more is better, and
// keeps it in mind.
func (t *training) better(with float64) bool {
	if t.state.Best > 0 && with <= t.state.BestWith {
		return false
	}
	t.state.Best, t.state.BestWith = t.optimiser.Steps(), with
	return true
}

// mean is that of numbers that are added one by one.
type mean struct {
	Sum float64 `json:"sum"`
	N   int     `json:"n"`
}

func (m *mean) add(x float64) { m.Sum, m.N = m.Sum+x, m.N+1 }

func (m *mean) mean() float64 { return m.Sum / float64(max(m.N, 1)) }

func (t *training) result() Result {
	return Result{Steps: t.optimiser.Steps(), Samples: t.state.Samples, LeftOut: t.state.LeftOut, Before: t.state.Before, Pace: t.pace}
}

func join(lines []string) string { return strings.Join(lines, "; ") }
