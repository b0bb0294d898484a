// Package train trains a CLIP dual encoder on the texts that capgraph writes and on their images.
//
// [Load] reads the recipe train.yaml, [Recipe.OpenDevice] opens what it computes on, [Join]
// connects the processes that train together, and [Run] trains, from the last checkpoint if there
// is one. [DryRun] prints the memory and work of a step, without data.
//
// A step encodes its batch in towers.go, computes one loss of the whole batch in step.go, and
// exchanges features and gradients with other processes in dataparallel.go. The package imports no
// pass of the pipeline; it reads the shards that the passes write.
package train

import (
	"errors"
	"fmt"

	"capgraph/images"
	"capgraph/internal/strictyaml"
	"capgraph/store"
	"capgraph/store/objectstore"
	"capgraph/synth"
	"capgraph/train/benchmarks"
	"capgraph/train/device"
	"capgraph/train/model"
)

// Recipe is train.yaml: what is trained, on what, how, and where the output goes.
type Recipe struct {
	Seed      uint64 `yaml:"seed" doc:"the seed of all choices: initial weights, order, draws and crops"`
	Device    string `yaml:"device" jsonschema:"pattern=^(auto|cpu|cuda(:[0-9]+)?)$" doc:"what computes: cpu; cuda:0, a card by its number; cuda, that of the process's number on its machine; auto, the same, or the CPU where there is none"`
	Precision string `yaml:"precision" jsonschema:"enum=auto,enum=float32,enum=bfloat16,enum=float64" doc:"the numbers it computes with: float32; bfloat16, of cards, for products of weights, the rest in float32; float64, of the CPU, to compare with a reference; auto: bfloat16 on a card, else float32"`

	World     World                `yaml:"world" doc:"scenes of coloured shapes that are rendered, captioned and trained on, in place of data.corpora"`
	Data      Data                 `yaml:"data" doc:"texts and images to train on"`
	Tokenizer Tokenizer            `yaml:"tokenizer" doc:"how texts become tokens"`
	Model     Model                `yaml:"model" doc:"the two towers, and the weights that they begin with"`
	Objective Objective            `yaml:"objective" doc:"what is minimised: objectives by weight; one at least is above 0"`
	Optimiser Optimiser            `yaml:"optimiser" doc:"how weights move: AdamW, with groups of its own rates"`
	EMA       EMA                  `yaml:"ema" doc:"an exponential moving average of the weights, which is evaluated and written as the model"`
	LoRA      LoRA                 `yaml:"lora" doc:"low-rank adapters that are learned in place of the matrices of transformer blocks"`
	Batch     Batch                `yaml:"batch" doc:"how much a step sees"`
	Epochs    int                  `yaml:"epochs" jsonschema:"minimum=0" doc:"how often each image is seen; 0: steps says how long"`
	Steps     int                  `yaml:"steps" jsonschema:"minimum=0" doc:"how many steps; 0: epochs says how long"`
	Output    Output               `yaml:"output" doc:"where checkpoints and metrics go"`
	Evaluate  Evaluate             `yaml:"evaluate" doc:"what is measured before, during and after"`
	WiSEFT    []float64            `yaml:"wise_ft" jsonschema:"minimum=0,maximum=1" doc:"shares of the trained image tower, one or a list, for which a model with the weights before and after interpolated is written besides; needs model.init or model.init_image"`
	Store     objectstore.Settings `yaml:"store" doc:"where object stores are, for the names that begin with s3://; gs:// and azblob:// take all from the environment"`
}

// World is a corpus of rendered images (package synth) in place of data.corpora. Its texts are made
// by the passes of the pipeline.
type World struct {
	Train   int    `yaml:"train" jsonschema:"minimum=0,maximum=100000000" doc:"scenes to train on; 0: no world"`
	Heldout int    `yaml:"heldout" jsonschema:"minimum=0,maximum=100000000" doc:"held-out scenes of each test; what is evaluated on is of pairs of shapes in colours that they are never trained on in, with a caption whose colours are swapped"`
	Seed    uint64 `yaml:"seed" doc:"the seed of its scenes and of their texts"`
	Side    int    `yaml:"side" jsonschema:"minimum=8,maximum=1024" doc:"pixels of a side of an image"`
	Dir     string `yaml:"dir" doc:"the folder that it is rendered to; one that stands there is used again"`
}

// TextsDir returns the output.dir of the run that makes the world's texts.
func (w World) TextsDir() string { return store.Join(w.Dir, "run") }

// SynthWorld returns the settings with which package synth renders the world.
func (w World) SynthWorld() synth.World {
	return synth.World{Kind: synth.Free, Plain: true, Seed: w.Seed, Side: w.Side, Train: w.Train, Tests: w.Heldout}
}

// Tokenizer says how texts become tokens.
type Tokenizer struct {
	Kind       string `yaml:"kind" jsonschema:"enum=clip,enum=learned,enum=unigram" doc:"clip: CLIP's byte pairs; learned: a small one, learned from the texts; unigram: SigLIP's pieces, from a tokenizer.json of Hugging Face"`
	Vocabulary string `yaml:"vocabulary" doc:"learned: a tokenizer.json learned before, or nothing to learn one; unigram: a tokenizer.json, or nothing for the one beside model.init; clip: nothing, for the vocabulary that the program contains"`
	Size       int    `yaml:"size" jsonschema:"minimum=260,maximum=1048576" doc:"learned: the most tokens that it has"`
}

// The values of Tokenizer.Kind.
const (
	TokenizerCLIP    = "clip"
	TokenizerLearned = "learned"
	TokenizerUnigram = "unigram"
)

// Batch has the sizes of a step, and how it saves memory.
type Batch struct {
	Size        int    `yaml:"size" jsonschema:"minimum=1,maximum=1048576" doc:"images of a step, over all processes together: each is contrasted with all others"`
	ChunkTokens int    `yaml:"chunk_tokens" jsonschema:"minimum=0" doc:"most tokens, of patches or of texts, that are encoded at once, to bound memory; the contrastive batch stays whole; 0: all at once"`
	Recompute   string `yaml:"recompute" jsonschema:"enum=none,enum=blocks" doc:"what is computed again for the gradients in place of being kept: blocks, of which the inputs alone are kept, for a third more work and the same bits; none"`
	Buckets     int    `yaml:"buckets" jsonschema:"minimum=0,maximum=1024" doc:"on a card: the sizes between a power of two and the next that tokens and texts of a step are padded to, so that a step of a size is recorded once and replayed (CUDA graphs); 0: nothing is padded or recorded"`
}

// The values of Batch.Recompute.
const (
	RecomputeNone   = "none"
	RecomputeBlocks = "blocks"
)

// Output says where a run writes its files, and which checkpoints it keeps.
type Output struct {
	Dir             string `yaml:"dir" doc:"the folder that is written to: model.safetensors, metrics.jsonl, checkpoints/"`
	CheckpointEvery int    `yaml:"checkpoint_every" jsonschema:"minimum=0" doc:"steps between two checkpoints; 0: only at the end, and when told to stop"`
	Keep            int    `yaml:"keep" jsonschema:"minimum=1" doc:"the last checkpoints that are kept"`
	KeepBest        string `yaml:"keep_best" jsonschema:"enum=,enum=loss,enum=benchmark" doc:"keep the best checkpoint besides: by loss (lowest) or benchmark (the highest first figure of the first of evaluate.benchmarks); nothing: none"`
}

// Evaluate has the benchmarks that are run during a training.
type Evaluate struct {
	Every      int      `yaml:"every" jsonschema:"minimum=0" doc:"steps between two evaluations; 0: only before and after"`
	Benchmarks []string `yaml:"benchmarks" doc:"benchmarks as 'capgraph eval clip --benchmark' takes them, such as retrieval=val.json,images=coco/val2017: one or a list; nothing: the world's"`
	Images     []string `yaml:"images" doc:"folders of the images of benchmarks that name none: one or a list"`
}

// Load reads the recipe at path over the defaults, then applies sets, each of the form
// key.path=value. If the recipe has a mistake, the error is a *strictyaml.Error with its place.
func Load(path string, sets []string) (*Recipe, error) {
	form := strictyaml.Form[Recipe]{File: "train.yaml", Make: "'capgraph init --train' writes one", Example: "batch.size=256", Defaults: Defaults, Check: (*Recipe).check}
	return form.Load(path, sets)
}

// Defaults are the settings of an empty recipe.
func Defaults() Recipe {
	return Recipe{
		Seed: 7, Device: device.Auto, Precision: device.AnyPrecision,
		World:     World{Heldout: 800, Seed: 7, Side: 32, Dir: "out/world"},
		Data:      Data{Captions: wholeCaptions, Shuffle: 65536, KeepDecoded: 1, Prefetch: 4, MaxPixels: images.DefaultMaxPixels, MaxLeftOut: 0.01, Scale: []float64{0.9, 1}},
		Tokenizer: Tokenizer{Kind: TokenizerCLIP, Size: 1024},
		Model:     Model{Vision: Vision{HeadWidth: 64}, Binding: defaultBinding()},
		Objective: Objective{CECLIP: defaultCECLIP(), MosaiCLIP: defaultMosaiCLIP(), CSCLIP: CSCLIP{Units: 2, Bare: true}, C2LIP: C2LIP{Attention: 0.01, Phrases: 4, Bare: true}, READCLIP: READCLIP{Pairs: 2}, FSCCLIP: defaultFSCCLIP(), OCCLIP: OCCLIP{Relation: 1}, SuperCLIP: SuperCLIP{Classes: 8192}, Distill: Distill{Temperature: 1}},
		Optimiser: defaultOptimiser(),
		LoRA:      LoRA{Alpha: 16, Targets: []string{model.AttentionPart, model.MLPPart}},
		Batch:     Batch{Size: 256, Recompute: RecomputeNone, Buckets: 32},
		Output:    Output{CheckpointEvery: 200, Keep: 2},
		Store:     objectstore.Defaults(),
	}
}

// check returns an error for the first setting that does not fit the others.
func (r *Recipe) check() error {
	for _, check := range []func() error{r.checkDevice, r.checkCorpora, r.checkTokenizer, r.checkModel, r.Objective.check, r.checkDistill, r.Optimiser.check, r.checkLoRA, r.checkLength, r.checkOutput, r.checkStore} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (r *Recipe) checkTokenizer() error {
	if r.Tokenizer.Kind == TokenizerUnigram && r.Tokenizer.Vocabulary == "" && r.Model.Init == "" {
		return strictyaml.At("tokenizer.vocabulary", errors.New("no tokenizer.json is named, and there is no model.init to look beside: set one of them"))
	}
	return nil
}

func (r *Recipe) checkDistill() error {
	if r.Objective.Distill.Weight > 0 && r.Model.Init == "" {
		return strictyaml.At("objective.distill.weight", errors.New("the weights at the start would be random: set model.init, or leave it out"))
	}
	return nil
}

func (r *Recipe) checkLength() error {
	switch {
	case r.Epochs == 0 && r.Steps == 0:
		return strictyaml.At("epochs", errors.New("0, and steps is 0 too: set one of them"))
	case r.Epochs > 0 && r.Steps > 0:
		return strictyaml.At("steps", fmt.Errorf("%d, and epochs is %d: set one of them to 0", r.Steps, r.Epochs))
	}
	return nil
}

func (r *Recipe) checkOutput() error {
	tasks, _, err := r.benchmarks()
	switch {
	case err != nil:
		return strictyaml.At("evaluate.benchmarks", err)
	case r.Output.Dir == "":
		return strictyaml.At("output.dir", errors.New("no folder is named"))
	case r.Output.KeepBest == keepBestBenchmark && len(tasks) == 0:
		return strictyaml.At("output.keep_best", errors.New("benchmark needs evaluate.benchmarks: name one, or set this to loss"))
	case r.Output.KeepBest == keepBestBenchmark && r.Evaluate.Every == 0:
		return strictyaml.At("output.keep_best", errors.New("benchmark needs evaluate.every above 0"))
	case len(r.WiSEFT) > 0 && r.Model.Init == "" && r.Model.InitImage == "":
		return strictyaml.At("wise_ft", errors.New("the weights before are random: set model.init, or leave it out"))
	}
	return nil
}

func (r *Recipe) checkStore() error {
	if err := r.Store.Validate(); err != nil {
		return strictyaml.In("store", err)
	}
	return nil
}

// keepBestBenchmark is the value of Output.KeepBest that compares checkpoints by the first
// benchmark.
const keepBestBenchmark = "benchmark"

// benchmarks returns the benchmarks to evaluate on and the folders of their images: those of the
// recipe, else those of the world, else none.
func (r *Recipe) benchmarks() (tasks []benchmarks.Task, images []string, err error) {
	if len(r.Evaluate.Benchmarks) == 0 && r.World.Train > 0 && r.World.Heldout > 0 {
		return []benchmarks.Task{benchmarks.SugarCrepe(synth.TestFile(r.World.Dir, synth.TestWords))}, []string{synth.TestsDir(r.World.Dir)}, nil
	}
	for _, b := range r.Evaluate.Benchmarks {
		task, err := benchmarks.ParseTask(b)
		if err != nil {
			return nil, nil, err
		}
		tasks = append(tasks, task)
	}
	return tasks, r.Evaluate.Images, nil
}
