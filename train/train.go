package train

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"capgraph/eval/clip"
	"capgraph/images"
	"capgraph/internal/progress"
	"capgraph/kernels"
	"capgraph/store"
	"capgraph/train/benchmarks"
	"capgraph/train/features"
	"capgraph/train/group"
	"capgraph/train/loader"
	"capgraph/train/metrics"
	"capgraph/train/model"
	"capgraph/train/optimiser"
	"capgraph/train/tokenizer"
)

// Options are the inputs of a training besides its recipe.
type Options struct {
	Store store.Store
	// Group is the processes that train together (see Join); nil for a single one. Rank 0 writes files and messages;
	// output.dir is a folder that all of them share.
	Group *group.Group
	// Device is what Recipe.OpenDevice returned.
	Device kernels.Device
	// Progress is where the progress is written, as Mode says.
	Progress io.Writer
	Mode     string
	// Parse returns the scene graphs of texts, for evaluations of models that compare graphs. If nil, each text is a
	// graph of one node.
	Parse features.Parse
	// Tag tags captions, for benchmarks that shuffle their words. It may be nil if there are none.
	Tag clip.Tagger
	// Info writes a message for the user, such as the size of the data or the result of an evaluation.
	Info func(string)
	// Warn writes a warning: a problem that does not stop the training.
	Warn func(string)
}

// Result is the outcome of a training.
type Result struct {
	Steps   int
	Samples int64
	// LeftOut counts the images that were left out, by reason.
	LeftOut map[string]int64
	// Pace is the time that the steps of this run took.
	Pace metrics.Pace
	// DecodedAgain says that the decoded images did not all fit into data.keep_decoded, so that the others were decoded
	// in each epoch.
	DecodedAgain bool
	// Before and After are the results of the benchmarks before the first and after the last step, in the same order;
	// empty without an evaluation.
	Before, After []Measured
}

// ErrStopped is the error of a training that was asked to stop and wrote a checkpoint.
var ErrStopped = errors.New("stopped before the end; the last step is kept: run the same command again to resume")

// training is one run of a recipe.
type training struct {
	recipe    *Recipe
	store     store.Store
	options   Options
	device    kernels.Device
	tokenizer tokenizer.Tokenizer
	// teacherDigest is a digest of the teacher's weights, "" without distill.
	teacherDigest string
	encoder       *features.Encoder
	// opened by openImages
	imageSets    []images.Set
	absent       loader.Absent        // images that are skipped because they do not exist
	decodedCache *images.PictureCache // nil if there is none
	suite        *benchmarks.Suite    // nil before the first evaluation
	model        *model.Model
	stepper      *stepper
	group        *group.Group // nil for a process alone
	optimiser    *optimiser.Optimiser
	ema          *optimiser.EMA // nil without ema.decay
	loader       *loader.Loader
	log          *metrics.Log
	steps        int // number of steps of the whole training
	savedStep    int // step of the last checkpoint
	state        trainingState
	stepStarted  time.Time
	leftOut      *leftOutLog
	journal      *journal     // of the leading process alone
	pace         metrics.Pace // of the steps of this run
}

// worldSize returns the number of processes.
func (t *training) worldSize() int {
	if t.group == nil {
		return 1
	}
	return t.group.World
}

// Run trains as the recipe says, from the last checkpoint in its output folder if there is one.
// When ctx ends, it writes a checkpoint and returns ErrStopped.
func Run(ctx context.Context, r *Recipe, o Options) (Result, error) {
	t := &training{recipe: r, store: o.Store, options: o, group: o.Group, device: o.Device}
	if t.group != nil && t.group.World == 1 {
		t.group = nil
	}
	if !t.isLeader() {
		t.options.Mode, t.options.Info, t.options.Warn = progress.None, func(string) {}, func(string) {}
	}
	defer t.close()
	result, err := t.run(ctx)
	if err != nil && t.group != nil {
		t.group.Fail(err)
	}
	return result, err
}

func (t *training) run(ctx context.Context) (Result, error) {
	if err := t.prepare(ctx); err != nil {
		return Result{}, err
	}
	err := t.trainSteps(ctx)
	if wasStopped(ctx, err) {
		err = ErrStopped
		if t.optimiser.Steps() > t.savedStep {
			err = errors.Join(err, t.saveCheckpoint())
		}
	}
	result := t.makeResult()
	if err != nil {
		return result, err
	}
	if result.After, err = t.evaluate(ctx); err != nil {
		return result, err
	}
	return result, t.runOnLeader(func() error {
		return errors.Join(t.writeWeights(), t.log.Sync(), t.journal.upload())
	})
}

// trainSteps runs the remaining steps.
func (t *training) trainSteps(ctx context.Context) error {
	shown := metrics.NewProgress(t.options.Progress, t.options.Mode, t.optimiser.Steps(), t.state.Samples, t.steps)
	defer shown.Stop()
	next := ctx
	if t.group != nil { // processes stop together, at the same step
		next = context.WithoutCancel(ctx)
	}
	t.stepStarted = time.Now()
	for t.optimiser.Steps() < t.steps {
		asked := time.Now()
		batch, err := t.loader.Next(next)
		if err != nil {
			return err
		}
		record, err := t.trainStep(batch, time.Since(asked), ctx.Err() != nil)
		if err != nil {
			return err
		}
		t.loader.Release(batch)
		shown.Write(record)
		if err := t.logMetrics(record); err != nil {
			return err
		}
		if err := t.runPeriodic(ctx); err != nil {
			return err
		}
	}
	if t.savedStep == t.steps {
		return nil
	}
	return t.saveCheckpoint()
}

// logMetrics writes a record to metrics.jsonl and TensorBoard's files.
func (t *training) logMetrics(r metrics.Record) error {
	if t.log == nil {
		return nil
	}
	return t.log.Write(r)
}

// trainStep runs one step on a batch, unless one of the processes was asked to stop. waited is the time that the
// training waited for the batch.
func (t *training) trainStep(batch *loader.Batch, waited time.Duration, stop bool) (metrics.Record, error) {
	got := time.Now()
	samples, err := t.usableSamples(batch, stop)
	if err != nil {
		return metrics.Record{}, err
	}
	rate := t.optimiser.LearningRate()
	loss, err := t.stepper.computeGradients(samples)
	if err != nil {
		return metrics.Record{}, t.stepError(batch, err)
	}
	norm, err := t.optimiser.GradientNorm()
	if err != nil {
		return metrics.Record{}, t.stepError(batch, err)
	}
	t.updateWeights()
	t.state.Losses.add(loss)
	t.state.Samples += int64(len(samples))
	t.state.Seconds += time.Since(t.stepStarted).Seconds()
	t.stepStarted = time.Now()
	t.state.Position = t.loader.Position()
	values := append(t.stepper.lossValues(loss), metrics.Value{Name: "lr", Number: rate}, metrics.Value{Name: "grad_norm", Number: norm},
		metrics.Value{Name: "logit_scale", Number: readScalar(t.device, t.model.LogScale().Value)})
	if bias := t.model.LogitBias(); bias != nil {
		values = append(values, metrics.Value{Name: "logit_bias", Number: readScalar(t.device, bias.Value)})
	}
	if scale := t.model.BindingScale(); scale != nil {
		values = append(values, metrics.Value{Name: "occlip/logit_scale", Number: readScalar(t.device, scale.Value)})
	}
	if len(samples) < t.recipe.Batch.Size { // broken images, or images that were removed
		values = append(values, metrics.Value{Name: "images", Number: float64(len(samples))})
	}
	if deviceError(t.device) != nil {
		return metrics.Record{}, t.stepError(batch, nil)
	}
	pace := metrics.Pace{Images: int64(len(samples)), Computed: time.Since(got), Waited: waited, LoaderTook: batch.LoadTime()}
	summed := pace
	if t.pace.Images == 0 { // the first batch is not loaded in advance
		summed.Waited = 0
	}
	t.pace.Add(summed)
	return metrics.Record{
		Step: t.optimiser.Steps(), Epoch: batch.Epoch, Samples: t.state.Samples, Seconds: t.state.Seconds, Pace: pace,
		Values: append(values, pace.Values()...),
	}, nil
}

// updateWeights executes a step of the optimiser, and updates the average of the weights if there is one.
func (t *training) updateWeights() {
	t.optimiser.Step()
	if t.ema != nil {
		t.ema.Update(t.optimiser.Steps() - 1)
	}
}

// stepError returns an error with the step, the last checkpoint and what to do, which depends on whether the loss or a
// gradient was not finite. If the device has an error, it takes precedence over err.
func (t *training) stepError(batch *loader.Batch, err error) error {
	if device := deviceError(t.device); device != nil {
		return fmt.Errorf("step %d: %w; the last checkpoint is of step %d", t.optimiser.Steps()+1, device, t.savedStep)
	}
	remedy := "run the same command again to resume from there"
	var loss *lossError
	var gradient *optimiser.NotFiniteError
	if errors.As(err, &loss) || errors.As(err, &gradient) {
		remedy = "lower optimiser.lr, raise optimiser.warmup or set optimiser.clip_norm, and begin in another output.dir"
	}
	return fmt.Errorf("step %d (epoch %d, batch %d): %w; the last checkpoint is of step %d: %s",
		t.optimiser.Steps()+1, batch.Epoch, batch.Step, err, t.savedStep, remedy)
}

// runPeriodic evaluates and saves a checkpoint if they are due after this step.
func (t *training) runPeriodic(ctx context.Context) error {
	step, last := t.optimiser.Steps(), t.optimiser.Steps() == t.steps
	every := func(n int) bool { return n > 0 && step%n == 0 }
	best := false
	if every(t.recipe.Evaluate.Every) && !last {
		measured, err := t.evaluate(ctx)
		if err != nil {
			return err
		}
		best = t.recipe.Output.KeepBest == keepBestBenchmark && t.updateBest(measured[0].Value)
	}
	regular := every(t.recipe.Output.CheckpointEvery) || last
	if regular && t.recipe.Output.KeepBest == metrics.Loss {
		t.updateBest(-t.state.Losses.value())
		t.state.Losses = runningMean{}
	}
	if regular || best {
		return t.saveCheckpoint()
	}
	return nil
}

// updateBest records this step as the best one if its value is higher than all previous ones, and reports whether it
// is.
func (t *training) updateBest(with float64) bool {
	if t.state.Best > 0 && with <= t.state.BestValue {
		return false
	}
	t.state.Best, t.state.BestValue = t.optimiser.Steps(), with
	return true
}

// runningMean computes the mean of numbers that are added one by one.
type runningMean struct {
	Sum float64 `json:"sum"`
	N   int     `json:"n"`
}

func (m *runningMean) add(x float64) { m.Sum, m.N = m.Sum+x, m.N+1 }

func (m *runningMean) value() float64 { return m.Sum / float64(max(m.N, 1)) }

func (t *training) makeResult() Result {
	return Result{Steps: t.optimiser.Steps(), Samples: t.state.Samples, LeftOut: t.state.LeftOut, Before: t.state.Before, Pace: t.pace, DecodedAgain: !t.decodedCache.KeepsAll()}
}
