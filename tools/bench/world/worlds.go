package main

import (
	"context"
	"slices"
	"strconv"

	"capgraph/synth"
	"capgraph/tools/bench/world/emoji"
)

// world is a world that models are trained and measured on.
type world struct {
	name          string
	drawn         bool // made of pictures in npm packages
	steps, scenes int  // by default
	make          func(ctx context.Context, g *grid, dir string, seed, scenes int) error
	source        []string // settings of 'capgraph run'; {world} is the world's folder
	set           []string // settings of 'capgraph train'
	cost          float64  // time per image, relative to a rendered world
	tests         []string // names of synth.TestFile, for tests with false captions
	retrieval     []string // those without
	panels        []panel
}

// worlds are all worlds.
var worlds = []world{
	renderedWorld(synth.Free), renderedWorld(synth.Fixed),
	emojiWorld("emoji", emoji.Pairs, []string{emoji.New, emoji.Held, emoji.Designer}, []panel{
		setPanel(emoji.New, "new pairs of things that are trained on"), setPanel(emoji.Held, "combinations that are not trained on"),
		setPanel(emoji.Designer, "a designer that is not trained on"), colourPanel(),
	}),
	emojiWorld("couples", emoji.Couples, []string{emoji.Seen, emoji.Held, emoji.Designer}, []panel{couplePanel()}),
}

// worldOf returns the world called name.
func worldOf(name string) world {
	for _, w := range worlds {
		if w.name == name {
			return w
		}
	}
	return world{}
}

// renderedWorld returns a world of rendered scenes. Its models have heads of half the width, with
// which they learn to bind attributes in fewer steps.
func renderedWorld(kind string) world {
	const fixedPairs = "0.6" // the share of the pairs of shapes that the fixed world trains on
	rank := func(metric string) []string { return []string{synth.TestRetrieval + " " + metric} }
	return world{
		name: kind, steps: 600, scenes: 4000, cost: 1,
		make: func(ctx context.Context, g *grid, dir string, seed, scenes int) error {
			return g.runCapgraph(ctx, nil, "synth", "-o", dir, "--world", kind, "--plain", "--image-size", "32", "--pairs", fixedPairs,
				"-n", strconv.Itoa(scenes), "--tests", strconv.Itoa(g.tests), "--seed", strconv.Itoa(seed))
		},
		source:    []string{"source.format=img2dataset", "source.paths=" + synth.TrainDir("{world}")},
		set:       []string{"model.vision_cfg.head_width=16"},
		tests:     slices.Concat(synth.Tests[:], synth.PartTests[:]),
		retrieval: []string{synth.TestRetrieval},
		panels: []panel{{columns: []column{
			{"trained", []string{synth.TestTrained}}, {"attributes", []string{synth.TestAttributes}}, {"words", []string{synth.TestWords}},
			{"pairs", []string{synth.TestPairs}}, {"orders", []string{synth.TestOrders}}, {"relations", []string{synth.TestRelations}},
			{"parts", []string{synth.TestParts}}, {"bare", []string{synth.TestBare}}, {"places", []string{synth.TestPlaces}},
			{"text → image", rank("text to image R@1")}, {"image → text", rank("image to text R@1")},
		}}},
	}
}

// emojiWorld returns a world of emoji with the sets of tests called sets.
func emojiWorld(name, kind string, sets []string, panels []panel) world {
	w := world{
		name: name, drawn: true, steps: 2400, scenes: 6000, cost: 1.8, panels: panels,
		make: func(ctx context.Context, g *grid, dir string, seed, scenes int) error {
			return emoji.Corpus{Kind: kind, Seed: uint64(seed), Images: scenes, Tests: g.tests}.Make(ctx, dir, g.packages)
		},
		source: []string{"source.format=jsonl", "source.paths=" + emoji.CaptionsFile("{world}"), "source.columns={key: key, image: image, caption: caption}"},
		set: []string{
			"model.vision_cfg={image_size: 48, patch_size: 8, width: 64, layers: 2, head_width: 16}",
			"data.corpora.images.format=folder", "data.keep_decoded=1",
		},
	}
	for _, set := range sets {
		w.retrieval = append(w.retrieval, emoji.TestName(set, emoji.Retrieval, ""))
		w.tests = append(w.tests, emoji.TestName(set, emoji.Replaced, ""), emoji.TestName(set, emoji.Bare, ""))
		for _, family := range []string{emoji.Tones, emoji.Colours} {
			w.tests = append(w.tests, emoji.TestName(set, emoji.Swap, family), emoji.TestName(set, emoji.Part, family))
		}
	}
	return w
}

// setPanel returns the columns of a set of tests of emoji.
func setPanel(set, title string) panel {
	test := func(name, family string) []string { return []string{emoji.TestName(set, name, family)} }
	retrieval := emoji.TestName(set, emoji.Retrieval, "")
	return panel{name: "-" + set, title: title, columns: []column{
		{"swap, tones", test(emoji.Swap, emoji.Tones)}, {"replaced", test(emoji.Replaced, "")}, {"part, tones", test(emoji.Part, emoji.Tones)},
		{"bare thing", test(emoji.Bare, "")}, {"R@1", []string{retrieval + " text to image R@1", retrieval + " image to text R@1"}},
	}}
}

// colourPanel returns the columns of things with colours, for several sets together since such
// things are few.
func colourPanel() panel {
	of := func(test string, sets ...string) (names []string) {
		for _, set := range sets {
			names = append(names, emoji.TestName(set, test, emoji.Colours))
		}
		return names
	}
	return panel{name: "-colours", title: "colours", columns: []column{
		{"swap", of(emoji.Swap, emoji.New, emoji.Held, emoji.Designer)}, {"swap, held out", of(emoji.Swap, emoji.Held)},
		{"part", of(emoji.Part, emoji.New, emoji.Held, emoji.Designer)}, {"part, held out", of(emoji.Part, emoji.Held)},
	}}
}

// couplePanel returns the columns of couples.
func couplePanel() (p panel) {
	for _, test := range []string{emoji.Swap, emoji.Part} {
		for _, set := range []string{emoji.Seen, emoji.Held, emoji.Designer} {
			p.columns = append(p.columns, column{test + ", " + set, []string{emoji.TestName(set, test, emoji.Tones)}})
		}
	}
	return p
}
