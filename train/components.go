package train

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"

	"capgraph/store"
	"capgraph/train/checkpoint"
	"capgraph/train/loader"
	"capgraph/train/model"
	"capgraph/train/objective"
	"capgraph/train/optimiser"
	"capgraph/train/tokenizer"
)

// TokenizerFile is the name of the tokenizer's file in the output folder.
const TokenizerFile = "tokenizer.json"

// openTokenizer opens the recipe's tokenizer, for texts of at most length tokens. A learned one is
// read from the output folder; if it is not there, it is learned from the texts of the corpora.
func (r *Recipe) openTokenizer(ctx context.Context, s store.Store, length int) (tokenizer.Tokenizer, error) {
	if r.Tokenizer.Kind == TokenizerUnigram {
		t, err := tokenizer.OpenUnigram(s, r.unigramFile(s))
		if err != nil {
			return nil, err
		}
		if err := t.Save(s, r.Output.Dir); err != nil {
			return nil, err
		}
		return t.WithContext(length)
	}
	if r.Tokenizer.Kind == TokenizerCLIP {
		t, err := tokenizer.NewCLIP()
		if r.Tokenizer.Vocabulary != "" {
			t, err = tokenizer.OpenCLIP(s, r.Tokenizer.Vocabulary)
		}
		if err != nil {
			return nil, err
		}
		return t.WithContext(length)
	}
	file := r.Tokenizer.Vocabulary
	if file == "" {
		file = store.Join(r.Output.Dir, TokenizerFile)
	}
	t, err := tokenizer.OpenLearned(s, file)
	switch {
	case err == nil:
		return t.WithContext(length)
	case r.Tokenizer.Vocabulary != "" || !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	var failed error
	learned, err := tokenizer.Learn(func(yield func(string) bool) { failed = r.yieldTexts(ctx, s, yield) }, r.Tokenizer.Size)
	if failed != nil {
		return nil, failed
	}
	if err != nil {
		return nil, err
	}
	if learned, err = learned.WithContext(length); err != nil {
		return nil, err
	}
	return learned, learned.Save(s, file)
}

// unigramFile returns the path of the tokenizer.json that the recipe names, or else of the one
// beside the initial weights.
func (r *Recipe) unigramFile(s store.Store) string {
	if r.Tokenizer.Vocabulary != "" {
		return r.Tokenizer.Vocabulary
	}
	dir := r.Model.Init
	if info, err := s.Stat(dir); err != nil || !info.Dir {
		dir = store.Dir(dir)
	}
	return store.Join(dir, TokenizerFile)
}

// maxLearnCaptions is the maximum number of captions whose texts a tokenizer is learned from.
const maxLearnCaptions = 1 << 20

// yieldTexts yields the positive and negative texts of the corpora.
func (r *Recipe) yieldTexts(ctx context.Context, s store.Store, yield func(string) bool) error {
	n := 0
	for _, c := range r.Corpora() {
		for row, err := range loader.Rows(s, c.Texts) {
			if err := cmp.Or(err, ctx.Err()); err != nil {
				return err
			}
			for _, p := range row.Positives {
				if !yield(p.Text) {
					return nil
				}
			}
			for _, g := range row.Negatives {
				if !yield(g.Text) {
					return nil
				}
			}
			if n++; n == maxLearnCaptions {
				return nil
			}
		}
	}
	return nil
}

// modelConfig returns the model's configuration. vocabulary is the number of tokens, which is used
// if the recipe does not set it.
func (r *Recipe) modelConfig(s store.Store, vocabulary int) (model.Config, error) {
	c, err := r.towerConfig(s, vocabulary)
	if n := r.Model.Text.Context; n > 0 {
		c.Text.ContextLength = n
	}
	switch {
	case r.Objective.OCCLIP.Weight == 0:
		c = c.WithoutBinding()
	case c.Binding.IsNone():
		c.Binding = model.Binding(r.Model.Binding)
	}
	if err == nil {
		err = r.Objective.checkTowers(c)
	}
	c.PartClasses = 0
	if o := &r.Objective.SuperCLIP; o.Weight > 0 {
		c.PartClasses = o.Classes
	}
	if c.LogitBias == 0 && r.Objective.needsBias() {
		c.LogitBias = model.SigLIPBias
	}
	if err == nil {
		err = c.Check()
	}
	if err == nil {
		err = r.Optimiser.checkMatches(c)
	}
	return c, err
}

// towerConfig returns the configuration that the recipe has or names, or else that of its initial
// weights.
func (r *Recipe) towerConfig(s store.Store, vocabulary int) (model.Config, error) {
	switch {
	case r.Model.IsInline():
		data, err := r.Model.JSON(vocabulary)
		if err != nil {
			return model.Config{}, err
		}
		return model.Parse(data)
	case r.Model.Config != "":
		return model.Read(s, r.Model.Config)
	default:
		return checkpoint.Config(s, r.Model.Init)
	}
}

// contextLength returns the maximum number of tokens of a text: that of the recipe, or else that of
// its model configuration.
func (r *Recipe) contextLength(s store.Store) (int, error) {
	if n := r.Model.Text.Context; n > 0 {
		return n, nil
	}
	if r.Model.IsInline() {
		return tokenizer.DefaultContext, nil
	}
	c, err := r.modelConfig(s, 0)
	return c.Text.ContextLength, err
}

// checkVocabulary returns an error if a tokenizer has another number of tokens than a model, or if
// only one of them expects texts to be padded.
func checkVocabulary(c model.Config, t tokenizer.Tokenizer) error {
	switch _, pads := t.(*tokenizer.Unigram); {
	case c.Text.Padded && !pads:
		return errors.New("the model is SigLIP's, which reads the padding of texts: set tokenizer.kind to unigram")
	case !c.Text.Padded && pads:
		return errors.New("tokenizer.kind is unigram, which pads texts, and the model is not SigLIP's: set it to clip or learned")
	}
	if c.Text.VocabSize != t.Size() {
		return fmt.Errorf("the model has %d tokens and the tokenizer %d: choose the tokenizer that the model was trained with, or set model.text_cfg.vocab_size to 0", c.Text.VocabSize, t.Size())
	}
	return nil
}

// weightedObjectives returns the recipe's objectives whose weight is not 0.
func (r *Recipe) weightedObjectives() []weightedObjective {
	o := &r.Objective
	var all []weightedObjective
	for _, w := range []weightedObjective{
		{objective.NewDistill(o.Distill.Temperature), o.Distill.Weight}, // first, so that its captions are the batch's first texts
		{&objective.CLIP{}, o.CLIP.Weight},
		{&objective.SigLIP{}, o.SigLIP.Weight},
		{objective.NewNegCLIP(o.NegCLIP.TextCache, o.Margin), o.NegCLIP.Weight},
		{objective.NewCECLIP(objective.CEOptions{
			IMC: o.CECLIP.IMC, CMR: o.CECLIP.CMR, Most: o.CECLIP.MaxThreshold,
			Anchored: o.CECLIP.IMCMode == "anchored", Relation: o.CECLIP.RelationTerm,
		}), o.CECLIP.Weight},
		{objective.NewMosaiCLIP(objective.MosaiCLIPOptions{
			Swap: o.MosaiCLIP.Swap, TextCache: o.MosaiCLIP.TextCache, Compete: objective.Compete(o.MosaiCLIP.Compete),
			Entailed: o.MosaiCLIP.masksEntailed(), Margin: o.Margin,
		}), o.MosaiCLIP.Weight},
		{&objective.CSCLIP{}, o.CSCLIP.Weight},
		{objective.NewC2LIP(o.C2LIP.Attention), o.C2LIP.Weight},
		{&objective.READCLIP{}, o.READCLIP.Weight},
		{objective.NewFSCCLIP(objective.FSCOptions{Global: o.FSCCLIP.Global, Local: o.FSCCLIP.Local, Focal: o.FSCCLIP.Focal, Smoothing: o.FSCCLIP.Smoothing, Margin: o.Margin}), o.FSCCLIP.Weight},
		{objective.NewOCCLIP(o.OCCLIP.Relation), o.OCCLIP.Weight},
		{objective.NewSuperCLIP(o.SuperCLIP.Classes), o.SuperCLIP.Weight},
	} {
		if w.weight > 0 {
			all = append(all, w)
		}
	}
	return all
}

// optimiserOptions returns the optimiser's options for a training of that many steps.
func (r *Recipe) optimiserOptions(steps int) optimiser.Options {
	o := &r.Optimiser
	return optimiser.Options{
		LoRA:  r.LoRA.optimiserOptions(r.Seed),
		Beta1: o.Beta1, Beta2: o.Beta2, Epsilon: o.Eps, ClipNorm: o.ClipNorm,
		Schedule: optimiser.Schedule{Form: o.Schedule, Steps: steps, Cooldown: o.Cooldown},
		Rate:     optimiser.Rate{LearningRate: o.LR, Warmup: o.Warmup, WeightDecay: o.WeightDecay},
		RateOf: func(s model.Spec) optimiser.Rate {
			rates := o.RatesFor(s.Name, s.Tower, s.Decay)
			return optimiser.Rate{LearningRate: rates.LR, Warmup: rates.Warmup, WeightDecay: rates.WeightDecay}
		},
	}
}
