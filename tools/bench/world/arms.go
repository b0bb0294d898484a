package main

import "slices"

// arm is a variant of training: the settings that it adds to the common ones.
type arm struct {
	name    string
	texts   string   // the texts it trains on: a name of variants, or rightTexts; "" for those of a default run
	set     []string // of 'capgraph train'
	seconds float64  // time on one core for 1,000 images with a small model
	share   float64  // share of the study's steps; 0 means all
	wise    bool     // also measure the model with its image tower interpolated halfway to its first weights
}

// variants are the ways to make texts of a world's captions: for each, the settings that it adds to
// 'capgraph run'.
var variants = map[string][]string{
	"":            nil,
	"gold graphs": {"source.format=graphs", "source.paths={world}/graphs.csv"},
	"no balance":  {"negatives.balance.enabled=false"},
	"no mix":      {"negatives.mix={}"},
	"swaps": {"negatives.balance.enabled=false",
		"negatives.methods=[swap_objects, swap_attributes, swap_adjectives, swap_nouns, swap_noun_phrases]"},
	"places": {"negatives.balance.enabled=false", "negatives.methods=[swap_objects]"},
	"uniform": {"negatives.balance.enabled=false", "negatives.replacements=uniform",
		"negatives.methods=[replace_object, replace_attribute, replace_relation, fill_object, fill_attribute]"},
}

// rightTexts are the texts that emoji.WriteRightTexts writes.
const rightTexts = "right"

// base turns off the objectives that train.yaml turns on, since each arm turns on its own.
var base = []string{"objective.clip.weight=0", "objective.negclip.weight=0", "objective.ceclip.weight=0", "objective.mosaiclip.weight=0"}

// The objectives of the papers.
var (
	clip      = arm{name: "clip", set: []string{"objective.clip.weight=1"}, seconds: 0.33}
	negclip   = arm{name: "negclip", set: []string{"objective.negclip.weight=1"}, seconds: 0.43}
	ceclip    = arm{name: "ceclip", set: []string{"objective.ceclip.weight=1"}, seconds: 0.8}
	occlip    = arm{name: "occlip", set: []string{"objective.occlip.weight=1"}, seconds: 0.8}
	mosaiclip = arm{name: "mosaiclip", set: []string{"objective.mosaiclip.weight=1"}, seconds: 0.8}
)

// withSettings returns the arm with more settings, under a name of its own.
func (a arm) withSettings(name string, set ...string) arm {
	a.name, a.set = name, append(a.set[:len(a.set):len(a.set)], set...)
	return a
}

// withShare returns the arm with a share of the steps, under a name of its own.
func (a arm) withShare(name string, share float64) arm {
	a.name, a.share = name, share
	return a
}

// withTexts returns the arm with other texts, under a name of its own.
func (a arm) withTexts(name, texts string) arm {
	a.name, a.texts = name, texts
	return a
}

// newMix returns an arm of clip and half of mosaiclip, as train.yaml has it.
func newMix(name string, set ...string) arm {
	return arm{name: name, set: append([]string{"objective.clip.weight=1", "objective.mosaiclip.weight=0.5"}, set...), seconds: 0.7}
}

// study is a table of arms on a world, which are compared with the first arm.
type study struct {
	name, title string
	world       string
	from        string // "STUDY/ARM" whose weights each arm begins with; "" for random weights
	share       float64
	set         []string
	seeds       int // at most
	arms        []arm
}

// studies returns all studies.
func studies() []study {
	scratch := []arm{
		clip, negclip, ceclip, mosaiclip,
		mosaiclip.withSettings("mosaiclip, curriculum", "objective.mosaiclip.stage1_epochs=4"),
		occlip, occlip.withSettings("occlip, without L_rel", "objective.occlip.relation=0"),
	}
	tuned := []string{"optimiser.lr=0.0005", "optimiser.warmup=20"}
	equalTime := clip.withShare("clip, equal time", 2)
	together := newMix("clip + mosaiclip, together", "objective.mosaiclip.compete=together")
	apart := newMix("clip + mosaiclip, apart", "objective.mosaiclip.compete=apart")
	recipes := []arm{
		clip, equalTime, together,
		negclip.withSettings("negclip + mosaiclip, together", "objective.mosaiclip.weight=0.5", "objective.mosaiclip.compete=together"),
		negclip, ceclip,
		mosaiclip.withSettings("mosaiclip, as in the paper", "objective.mosaiclip.compete=together", "objective.mosaiclip.bare=true", "objective.mosaiclip.swap=false"),
		occlip, occlip.withSettings("occlip + mosaiclip, together", "objective.mosaiclip.weight=0.5", "objective.mosaiclip.compete=together"),
	}
	beside := func(name string, set ...string) arm { return clip.withSettings("clip + "+name, set...) }
	parts := []arm{
		clip, together, negclip,
		beside("csclip", "objective.csclip.weight=0.5"),
		beside("c2lip", "objective.c2lip.weight=0.02", "objective.c2lip.attention=0"),
		beside("readclip", "objective.readclip.weight=0.5"),
	}
	patches := []arm{
		clip, beside("c2lip", "objective.c2lip.weight=0.02"),
		beside("c2lip, without patches", "objective.c2lip.weight=0.02", "objective.c2lip.attention=0"),
		beside("fscclip", "objective.fscclip.weight=1"),
	}
	phrases := []arm{
		equalTime, clip, together, beside("superclip", "objective.superclip.weight=1"),
		together.withSettings("clip + mosaiclip + superclip", "objective.superclip.weight=1"),
		together.withSettings("clip + mosaiclip, margin 2", "objective.margin=2"),
		together.withSettings("clip + mosaiclip + c2lip, patches as much as images", "objective.c2lip.weight=0.02", "objective.c2lip.attention=1"),
	}
	draws := []arm{
		clip, together, together.withSettings("clip + mosaiclip, together, entailed", "objective.mosaiclip.mask=entailed"), apart,
		apart.withSettings("clip + mosaiclip, apart, entailed", "objective.mosaiclip.mask=entailed"),
		apart.withSettings("clip + mosaiclip, apart, specific", "objective.mosaiclip.specific=true"),
		newMix("clip + mosaiclip, sigmoid", "objective.mosaiclip.compete=sigmoid", "objective.mosaiclip.weight=0.05"),
	}
	right := apart.withTexts("clip + mosaiclip, apart, right texts", rightTexts)
	wise := func(arms ...arm) []arm {
		for i := range arms {
			arms[i].wise = true
		}
		return arms
	}
	return []study{
		{name: "free", title: "The free world, from scratch", world: "free", share: 1, seeds: 5, arms: scratch},
		{name: "fixed", title: "The fixed world, from scratch", world: "fixed", share: 1, seeds: 5, arms: scratch},
		{name: "negatives", title: "Which negatives: negclip on the free world, from scratch", world: "free", share: 1, seeds: 5, arms: []arm{
			negclip.withTexts("capgraph's", ""), negclip.withTexts("NegCLIP-style swaps", "swaps"),
			negclip.withTexts("uniform replacement", "uniform"), negclip.withTexts("without balance", "no balance"),
		}},
		{name: "tuned", title: "The free world, fine-tuned from one clip model", world: "free", from: "free/clip", share: 0.5, seeds: 5, set: tuned, arms: wise(
			clip, negclip, ceclip, mosaiclip, mosaiclip.withSettings("mosaiclip, curriculum", "objective.mosaiclip.stage1_epochs=2"),
		)},
		{name: "graphs", title: "Graphs of the rule parser and gold ones: mosaiclip on the free world, fine-tuned from one clip model", world: "free", from: "free/clip", share: 0.5, seeds: 3, set: tuned, arms: []arm{
			mosaiclip.withTexts("mosaiclip", ""), mosaiclip.withTexts("mosaiclip, gold graphs", "gold graphs"),
		}},
		{name: "ablations", title: "Parts of MosaiCLIP and CE-CLIP: the free world, fine-tuned from one clip model", world: "free", from: "free/clip", share: 0.5, seeds: 3, set: tuned, arms: []arm{
			mosaiclip,
			mosaiclip.withSettings("mosaiclip, text tower alone", "model.freeze=[image]"),
			mosaiclip.withSettings("mosaiclip, image tower alone", "model.freeze=[text]"),
			mosaiclip.withSettings("mosaiclip, f_obj alone", "objective.mosaiclip.p=[1, 0, 0]"),
			mosaiclip.withSettings("mosaiclip, f_rel alone", "objective.mosaiclip.p=[0, 1, 0]"),
			mosaiclip.withSettings("mosaiclip, f_attr alone", "objective.mosaiclip.p=[0, 0, 1]"),
			mosaiclip.withSettings("mosaiclip, 1 + 2 texts", "objective.mosaiclip.positives=1", "objective.mosaiclip.negatives=2"),
			mosaiclip.withSettings("mosaiclip, no swap of captions", "objective.mosaiclip.swap=false"),
			ceclip,
			ceclip.withSettings("ceclip, margins of 0", "objective.ceclip.max_threshold=0"),
			ceclip.withSettings("ceclip, no contrast within texts", "objective.ceclip.imc=0"),
			ceclip.withSettings("ceclip, no ranking", "objective.ceclip.cmr=0"),
		}},
		{name: "recipes", title: "The free world, 2,400 steps", world: "free", share: 4, seeds: 5, arms: recipes},
		{name: "draws", title: "How positives compete and what is masked: the free world, 2,400 steps", world: "free", share: 4, seeds: 5, arms: draws},
		{name: "parts", title: "Objectives of parts of captions: emoji, from scratch", world: "emoji", share: 1, seeds: 5, arms: parts},
		{name: "parts-free", title: "Objectives of parts of captions: the free world, 2,400 steps", world: "free", share: 4, seeds: 5, arms: parts},
		{name: "patches", title: "Objectives of patches: emoji, from scratch", world: "emoji", share: 1, seeds: 5, arms: patches},
		{name: "patches-free", title: "Objectives of patches: the free world, 2,400 steps", world: "free", share: 4, seeds: 5, arms: patches},
		{name: "phrases", title: "Classes, margins and patches: emoji, 1,200 steps", world: "emoji", share: 0.5, seeds: 5, arms: phrases},
		{name: "phrases-free", title: "Classes, margins and patches: the free world, 1,200 steps", world: "free", share: 2, seeds: 5, arms: phrases},
		{name: "steps", title: "What more steps bring: the free world", world: "free", share: 4, seeds: 5, arms: []arm{
			clip.withShare("clip, 600 steps", 0.25), clip.withShare("clip, 1,200 steps", 0.5), clip.withShare("clip, 2,400 steps", 1), clip.withShare("clip, 4,800 steps", 2), clip.withShare("clip, 9,600 steps", 4),
			together.withShare("clip + mosaiclip, 600 steps", 0.25), together.withShare("clip + mosaiclip, 1,200 steps", 0.5), together.withShare("clip + mosaiclip, 2,400 steps", 1), together.withShare("clip + mosaiclip, 4,800 steps", 2), together.withShare("clip + mosaiclip, 9,600 steps", 4),
		}},
		{name: "places", title: "What keeps relations at chance: the free world, 2,400 steps", world: "free", share: 4, seeds: 5, arms: []arm{
			together, together.withSettings("patches of 4 pixels", "model.vision_cfg.patch_size=4"), together.withSettings("four layers", "model.vision_cfg.layers=4", "model.text_cfg.layers=4"),
			together.withShare("four times as many steps", 4), together.withTexts("negatives of swapped places alone", "places"),
		}},
		{name: "emoji", title: "Emoji, from scratch", world: "emoji", share: 1, seeds: 5, arms: append(slices.Clone(recipes), together.withTexts("clip + mosaiclip, right texts", rightTexts), together.withTexts("clip + mosaiclip, without a mix", "no mix"))},
		{name: "emoji-draws", title: "How positives compete and what is masked: emoji", world: "emoji", share: 1, seeds: 5, arms: draws},
		{name: "couples", title: "Emoji of two persons, from scratch", world: "couples", share: 1, seeds: 5, arms: []arm{
			clip, occlip, apart, right,
			right.withShare("right texts, twice the steps", 2),
			right.withSettings("right texts, 64 pixels", "model.vision_cfg.image_size=64"),
		}},
	}
}
