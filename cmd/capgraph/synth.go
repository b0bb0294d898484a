package main

import (
	"context"
	"errors"
	"fmt"

	"capgraph/look/inspect"
	"capgraph/synth"
)

// synthCommand renders a synthetic world of scenes.
type synthCommand struct {
	Output    string  `help:"Output folder: a new one, or one of the same world." short:"o" required:"" placeholder:"DIR"`
	Scenes    int     `help:"Number of training scenes." short:"n" default:"500"`
	Seed      uint64  `help:"Seed of the scenes." default:"7"`
	World     string  `help:"free: most colours with most shapes; fixed: each pair of shapes in one assignment of colours and one order." enum:"free,fixed" default:"free"`
	Plain     bool    `help:"Colours and shapes only: no textures, sizes, depth or backgrounds."`
	ImageSize int     `help:"Width and height of an image, in pixels." default:"64"`
	Tests     int     `help:"Number of scenes of each test." default:"100"`
	Pairs     float64 `help:"With --world fixed: share of the pairs of shapes in training." default:"0.5"`
	Hard      float64 `help:"With --world fixed: share of these pairs that is also in training with colours and places swapped." default:"0"`
}

// Help returns the text below the usage.
func (synthCommand) Help() string {
	return `Renders scenes of one or two objects with captions, the same bytes each time: train/, tars as img2dataset writes them, and tests/, held-out
scenes with a true and a false caption in the form of 'capgraph eval clip --benchmark sugarcrepe'. docs/results.md says what each test asks.

  capgraph synth -o out/scenes -n 500 --seed 7
  capgraph run --set source.format=img2dataset --set source.paths=out/scenes/train --set output.dir=out/texts
  capgraph train --set world.train=0 --set data.corpora.texts=out/texts --set data.corpora.images.paths=out/scenes/train --set output.dir=out/model
  capgraph eval clip out/model --images out/scenes/tests --benchmark sugarcrepe=out/scenes/tests/attributes.json`
}

// Run implements synth.
func (c *synthCommand) Run(ctx context.Context, std streams) error {
	w := synth.World{Kind: c.World, Plain: c.Plain, Seed: c.Seed, Side: c.ImageSize, Train: c.Scenes, Tests: c.Tests}
	if w.Kind == synth.Fixed {
		w.Pairs, w.Hard = c.Pairs, c.Hard
	}
	s, err := synth.New(w)
	if err != nil {
		return err
	}
	if err := w.Write(ctx, std.files, c.Output); err != nil {
		return err
	}
	out := inspect.NewPrinter(std.out)
	fmt.Fprintf(out, "%-10s  %d scenes, of %d arrangements of two objects\n", "train", w.Train, s.ArrangementCount())
	for _, test := range append(synth.Tests[:], synth.TestRetrieval) {
		if n := s.TestSize(test); n > 0 || w.Tests == 0 {
			fmt.Fprintf(out, "%-10s  %d scenes\n", test, n)
		} else {
			fmt.Fprintf(out, "%-10s  none: this world trains on all of them\n", test)
		}
	}
	return nil
}

func (c *synthCommand) stopError() error {
	return errors.New("stopped before the end: the same command starts again")
}
