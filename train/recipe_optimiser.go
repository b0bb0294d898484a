package train

import (
	"errors"
	"fmt"
	"path"
	"slices"

	"capgraph/internal/strictyaml"
	"capgraph/internal/usage"
	"capgraph/train/model"
)

// Optimiser has the settings of AdamW. Weight decay does not apply to gains, biases and the logit
// scale, as in open_clip.
type Optimiser struct {
	LR          float64                `yaml:"lr" jsonschema:"minimum=0" doc:"learning rate after warm-up"`
	Beta1       float64                `yaml:"beta1" jsonschema:"minimum=0,maximum=0.999999999" doc:"decay of the mean of gradients"`
	Beta2       float64                `yaml:"beta2" jsonschema:"minimum=0,maximum=0.999999999" doc:"decay of the mean of their squares"`
	Eps         float64                `yaml:"eps" jsonschema:"exclusiveMinimum=0" doc:"added to the root of that mean"`
	WeightDecay float64                `yaml:"weight_decay" jsonschema:"minimum=0" doc:"share of a weight, times the learning rate, that a step takes away"`
	ClipNorm    float64                `yaml:"clip_norm" jsonschema:"minimum=0" doc:"greatest norm of all gradients together; 0: as they are"`
	Schedule    string                 `yaml:"schedule" jsonschema:"enum=cosine,enum=const,enum=const-cooldown" doc:"the learning rate after warm-up: cosine (down to 0), const, or const-cooldown"`
	Warmup      int                    `yaml:"warmup" jsonschema:"minimum=0" doc:"steps in which the learning rate rises from 0"`
	Cooldown    int                    `yaml:"cooldown" jsonschema:"minimum=0" doc:"const-cooldown: the last steps, in which it falls to 0"`
	Groups      strictyaml.List[Group] `yaml:"groups" doc:"parameters with settings of their own: one or a list, of which the first that matches holds"`
}

// Group has the settings of parameters that differ from the optimiser's.
type Group struct {
	Match       string   `yaml:"match" doc:"image, text (a tower), binding (occlip's), or a pattern of open_clip's names, such as visual.transformer.resblocks.1*"`
	LR          *float64 `yaml:"lr" jsonschema:"minimum=0" doc:"their learning rate; nothing: the optimiser's"`
	Warmup      *int     `yaml:"warmup" jsonschema:"minimum=0" doc:"their steps of warm-up; nothing: the optimiser's"`
	WeightDecay *float64 `yaml:"weight_decay" jsonschema:"minimum=0" doc:"their decay; nothing: the optimiser's"`
}

// EMA is an exponential moving average of the weights.
type EMA struct {
	Decay float64 `yaml:"decay" jsonschema:"minimum=0,maximum=0.999999999" doc:"share of the average that a step keeps, such as 0.9998; in the first steps less, (1 + t)/(10 + t) after t steps; 0: no average"`
}

// Rates are the optimiser's settings of one parameter.
type Rates struct {
	LR, WeightDecay float64
	Warmup          int
}

// RatesFor returns the settings of a parameter, given its name in open_clip and its tower: image,
// text, binding or "". decays says whether weight decay applies to it.
func (o *Optimiser) RatesFor(name, tower string, decays bool) Rates {
	r := Rates{o.LR, o.WeightDecay, o.Warmup}
	for _, g := range o.Groups {
		if g.matches(name, tower) {
			r = Rates{valueOr(g.LR, r.LR), valueOr(g.WeightDecay, r.WeightDecay), valueOr(g.Warmup, r.Warmup)}
			break
		}
	}
	if !decays {
		r.WeightDecay = 0
	}
	return r
}

// matches reports whether the group contains the parameter of that name and tower.
func (g *Group) matches(name, tower string) bool {
	matched, _ := path.Match(g.Match, name)
	return matched || g.Match == tower
}

// checkMatches returns an error if a group contains no parameter of the model.
func (o *Optimiser) checkMatches(c model.Config) error {
	for i, g := range o.Groups {
		has := func(s model.Spec) bool { return g.matches(s.Name, s.Tower) }
		if !slices.ContainsFunc(model.Parameters(c), has) {
			return usage.Errorf("optimiser.groups[%d].match: %q matches no parameter of the model: name image or text, or a pattern of names such as visual.transformer.resblocks.1*", i, g.Match)
		}
	}
	return nil
}

// valueOr returns *p, or other if p is nil.
func valueOr[T any](p *T, other T) T {
	if p == nil {
		return other
	}
	return *p
}

func defaultOptimiser() Optimiser {
	return Optimiser{LR: 1e-5, Beta1: 0.9, Beta2: 0.98, Eps: 1e-6, WeightDecay: 0.1, Schedule: "cosine", Warmup: 50}
}

func (o *Optimiser) check() error {
	if o.Schedule != "const-cooldown" && o.Cooldown > 0 {
		return strictyaml.At("optimiser.cooldown", fmt.Errorf("%d, and the schedule is %s: set that to const-cooldown, or leave it out", o.Cooldown, o.Schedule))
	}
	for i, g := range o.Groups {
		at := fmt.Sprintf("optimiser.groups[%d].match", i)
		if g.Match == "" {
			return strictyaml.At(at, errors.New("nothing is matched: name image, text or a pattern of names"))
		}
		if _, err := path.Match(g.Match, ""); err != nil {
			return strictyaml.At(at, fmt.Errorf("%q is not a valid pattern: %w", g.Match, err))
		}
	}
	return nil
}
