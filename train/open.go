package train

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"

	"capgraph/images"
	"capgraph/internal/build"
	"capgraph/internal/text"
	"capgraph/internal/usage"
	"capgraph/schemas/drawing"
	"capgraph/store"
	"capgraph/train/features"
	"capgraph/train/loader"
	"capgraph/train/metrics"
	"capgraph/train/model"
	"capgraph/train/optimiser"
)

// prepare opens everything that the first step, or the step after the last checkpoint, needs.
func (t *training) prepare(ctx context.Context) error {
	if err := t.openModel(ctx); err != nil {
		return err
	}
	var err error
	if t.absent, err = t.readAbsent(); err != nil {
		return err
	}
	if err := t.openLoader(ctx, loader.Position{}); err != nil {
		return err
	}
	missing := t.loader.Missing()
	t.absent = t.loader.Absent()
	resumed, err := t.startOrResume(ctx)
	if err != nil {
		return err
	}
	if err := t.runOnLeader(func() error { return t.openOutput(resumed, missing) }); err != nil {
		return err
	}
	if err := deviceError(t.device); err != nil {
		return err
	}
	t.announce(resumed)
	if resumed {
		return nil
	}
	if err := t.checkImagesExist(missing); err != nil {
		return err
	}
	t.state.Before, err = t.evaluate(ctx)
	return err
}

// openModel opens the tokenizer, creates the model with weights that are not set yet, and connects it with the other
// processes.
func (t *training) openModel(ctx context.Context) error {
	r := t.recipe
	length, err := r.contextLength(t.store)
	if err != nil {
		return err
	}
	open := func() (err error) {
		t.tokenizer, err = r.openTokenizer(ctx, t.store, length)
		return err
	}
	if err := t.runOnLeader(open); err != nil { // the leader may learn a tokenizer, which the others read
		return err
	}
	if err := open(); err != nil {
		return err
	}
	config, err := r.modelConfig(t.store, t.tokenizer.Size())
	if err != nil {
		return err
	}
	if err := checkVocabulary(config, t.tokenizer); err != nil {
		return err
	}
	if t.model, err = model.NewLearning(t.device, config, r.learnsParameter); err != nil {
		return err
	}
	if r.LoRA.Rank > 0 && !slices.ContainsFunc(t.model.Specs, func(s model.Spec) bool { return r.LoRA.adaptsMatrix(s) && r.learnsParameter(s) }) {
		return usage.Errorf("lora.targets: no tower that is learned has transformer blocks with these: leave lora out, or change model.freeze")
	}
	t.stepper = newStepper(t.model, t.tokenizer.Encode, r.weightedObjectives(), r.Batch, r.Data.Neighbours != "")
	t.stepper.parallel.group = t.group
	note, err := t.stepper.parallel.joinCollectives(t.model)
	if err != nil {
		return err
	}
	if note != "" {
		t.options.Info(note)
	}
	if err := t.openTeacher(t.store, config); err != nil {
		return err
	}
	t.encoder = features.New(t.model, t.tokenizer)
	t.encoder.MaxPixels = r.Data.MaxPixels
	t.encoder.Parse = t.options.Parse
	return nil
}

// startOrResume reads the last checkpoint and opens the loader at its position, or sets the initial weights if there is
// none. It reports whether there was a checkpoint.
func (t *training) startOrResume(ctx context.Context) (resumed bool, err error) {
	r := t.recipe
	t.steps = r.Steps
	if t.steps == 0 {
		t.steps = r.Epochs * t.loader.Steps()
	}
	t.optimiser = optimiser.New(t.model, r.optimiserOptions(t.steps))
	if r.EMA.Decay > 0 {
		t.ema = optimiser.NewEMA(t.model, r.EMA.Decay)
	}
	if resumed, err = t.resumeFromLast(); err != nil {
		return false, err
	}
	if err := t.checkSameOnAll("the step of the last checkpoint", t.optimiser.Steps()); err != nil {
		return false, err
	}
	if resumed {
		return true, errors.Join(t.loader.Close(), t.openLoader(ctx, t.state.Position))
	}
	if err := r.initialiseWeights(t.store, t.model); err != nil {
		return false, err
	}
	t.optimiser.Start()
	if t.ema != nil {
		t.ema.Start()
	}
	return false, nil
}

// openOutput opens the files that a training appends to. A new training also writes its initial weights and the list of
// missing images.
func (t *training) openOutput(resumed bool, missing []loader.MissingImage) (err error) {
	r := t.recipe
	if !resumed {
		if err := errors.Join(r.writeInitialWeights(t.store, t.model), t.writeAbsent()); err != nil {
			return err
		}
	}
	if err := build.This().Record(t.store, store.Join(r.Output.Dir, "builds")); err != nil {
		return err
	}
	if t.journal, err = openJournal(t.store, r, resumed); err != nil {
		return err
	}
	if t.log, err = metrics.Open(filepath.FromSlash(t.journal.dir), t.optimiser.Steps()); err != nil {
		return err
	}
	t.leftOut, err = openLeftOut(t.journal.dir, resumed)
	for i := 0; i < len(missing) && err == nil; i++ {
		err = t.leftOut.addImage(missing[i].ImageKey, missing[i].Err)
	}
	return err
}

// checkImagesExist warns about images that are missing before the first step, and counts them. It returns an error if
// there are more than data.max_left_out allows.
func (t *training) checkImagesExist(missing []loader.MissingImage) error {
	if len(missing) == 0 {
		return nil
	}
	all := t.loader.Images() + len(missing)
	if d := t.recipe.Data; d.Samples > 0 {
		all = max(d.Samples, len(missing)) // images of an epoch
	}
	said := fmt.Sprintf("%s of the %s images are missing", text.Thousands(len(missing)), text.Thousands(all))
	if most := t.recipe.Data.MaxLeftOut; float64(len(missing)) > max(1, most*float64(all)) {
		return fmt.Errorf("%s, more than data.max_left_out (%g): %w; name their files in data.corpora.images, or allow more (%s lists them)",
			said, most, missing[0].Err, store.Join(t.recipe.Output.Dir, LeftOutFile))
	}
	t.options.Warn(fmt.Sprintf("%s and in no batch: %s lists them", said, store.Join(t.recipe.Output.Dir, LeftOutFile)))
	t.state.LeftOut = map[string]int64{imageMissing: int64(len(missing))}
	return nil
}

// announce writes the sizes of the data and of the model, the objectives and the device for the user.
func (t *training) announce(resumed bool) {
	t.options.Info(fmt.Sprintf("%s images, %d steps of %d; %s parameters, %s; on %s", text.Thousands(t.loader.Images()), t.steps, t.recipe.Batch.Size,
		text.Thousands(model.CountAll(t.model.Config)), t.recipe.Objective.Names(), t.device.Name()))
	if t.group != nil {
		t.options.Info(fmt.Sprintf("%d processes", t.group.World))
	}
	if w := t.recipe.Optimiser.Warmup; w >= t.steps && t.steps > 0 {
		t.options.Warn(fmt.Sprintf("optimiser.warmup is %d steps and the training has %d: the learning rate never reaches optimiser.lr", w, t.steps))
	}
	if resumed {
		t.options.Info(fmt.Sprintf("resuming after step %d", t.optimiser.Steps()))
	}
}

// openLoader opens the loader, which starts to load batches at a position.
func (t *training) openLoader(ctx context.Context, from loader.Position) error {
	d, side := &t.recipe.Data, t.model.Config.Image.ImageSize
	var corpora []loader.Corpus
	for _, c := range t.recipe.Corpora() {
		set, err := t.openImages(c.Images)
		if err != nil {
			return err
		}
		corpora = append(corpora, loader.Corpus{Texts: c.Texts, Images: set, Weight: c.Weight})
	}
	workers := d.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	if d.KeepDecoded > 0 && t.decodedCache == nil {
		t.decodedCache = images.NewPictureCache(int64(d.KeepDecoded) << 30)
	}
	rank := 0
	if t.group != nil {
		rank, ctx = t.group.Rank, context.WithoutCancel(ctx)
	}
	var err error
	t.loader, err = loader.Open(ctx, loader.Options{
		Store: t.store, Corpora: corpora, Seed: t.recipe.Seed, Batch: t.recipe.Batch.Size, Rank: rank, World: t.worldSize(), Window: d.Shuffle,
		Samples: d.Samples, Replacement: d.Replacement, Neighbours: d.Neighbours, Graphs: t.recipe.Objective.OCCLIP.Weight > 0,
		Parts: t.recipe.Objective.needsParts(), Plan: t.recipe.planDraws,
		SameTokens: t.haveSameTokens,
		Decoder: func() loader.Decoder {
			crops := images.NewRandomCrops(side, [2]float64(d.Scale), t.decodedCache)
			crops.Decoder.MaxPixels = d.MaxPixels
			return crops
		},
		Side: side, Workers: workers, Prefetch: d.Prefetch, From: from, Absent: t.absent,
	})
	return err
}

// haveSameTokens reports whether two different texts have the same tokens, because they are equal up to the context
// length. Texts that are too short to be cut are not encoded.
func (t *training) haveSameTokens(a, b string) bool {
	if most := t.tokenizer.Context() - 2; len(a) <= most || len(b) <= most {
		return false
	}
	return slices.Equal(t.tokenizer.Encode(nil, a), t.tokenizer.Encode(nil, b))
}

// openImages opens the images of a corpus. training.close closes them.
func (t *training) openImages(i Images) (images.Set, error) {
	set, err := images.Open(t.store, images.Options{Format: i.Format, Paths: i.Paths, Column: i.Column})
	if err == nil {
		t.imageSets = append(t.imageSets, set)
	}
	return set, err
}

// drawsPerUnit is how many negatives are drawn per text for csclip and c2lip, so that negatives of more texts are
// drawn. csclip uses the first one of each text, c2lip none.
const drawsPerUnit = 4

// planDraws returns how many and which texts are drawn for each image in an epoch.
func (r *Recipe) planDraws(epoch int) loader.Plan {
	var p loader.Plan
	o := &r.Objective
	switch {
	case o.MosaiCLIP.Weight > 0:
		p.Positives, p.Negatives = o.MosaiCLIP.Positives, o.MosaiCLIP.Negatives
		if epoch < o.MosaiCLIP.Stage1Epochs {
			p.Positives, p.Negatives = 1, 1
		}
		p.Weights = loader.Weights([3]float64(o.MosaiCLIP.P), o.MosaiCLIP.Caption)
		p.Bare, p.Specific = o.MosaiCLIP.Bare, o.MosaiCLIP.Specific
	case o.CSCLIP.Weight > 0:
		p.Positives, p.Negatives = o.CSCLIP.Units, drawsPerUnit*o.CSCLIP.Units
		p.Weights, p.Bare = [4]uint64{1, 1, 1, 0}, o.CSCLIP.Bare
	case o.C2LIP.Weight > 0:
		p.Positives, p.Negatives = o.C2LIP.Phrases, drawsPerUnit*o.C2LIP.Phrases
		p.Weights, p.Bare = [4]uint64{1, 0, 0, 0}, o.C2LIP.Bare
	}
	switch {
	case o.CECLIP.Weight > 0:
		p.Classes = drawing.CECLIPClasses[:]
	case o.NegCLIP.Weight > 0, o.MosaiCLIP.Weight > 0 && o.MosaiCLIP.Swap:
		p.Classes = drawing.NegCLIPClasses[:]
	case o.FSCCLIP.Weight > 0:
		p.Classes = drawing.CECLIPClasses[:]
	}
	c := r.Data.Captions
	p.Views = drawing.Views{Whole: uint64(c.Whole), Sentences: uint64(c.Sentences), Parts: uint64(c.Parts), LeaveFirst: !c.FirstSentence}
	if o.READCLIP.Weight > 0 {
		p.Paraphrases = o.READCLIP.Pairs
	}
	return p
}

// close releases what prepare opened.
func (t *training) close() {
	if t.loader != nil {
		t.loader.Close()
	}
	for _, s := range t.imageSets {
		s.Close()
	}
	if t.suite != nil {
		t.suite.Close()
	}
	if t.log != nil {
		t.log.Close()
	}
	if t.leftOut != nil {
		t.leftOut.file.Close()
	}
	if t.journal != nil {
		t.journal.close()
	}
}
