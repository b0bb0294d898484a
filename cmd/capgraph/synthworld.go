package main

import (
	"context"
	"fmt"

	"capgraph/config"
	"capgraph/pipeline"
	"capgraph/store"
	"capgraph/synth"
	"capgraph/train"
)

// makeWorld renders the synthetic world of a training's recipe and makes its texts, unless they exist.
func makeWorld(ctx context.Context, files store.Store, w train.World, workers int, progress *pipeline.Progress) error {
	if err := w.SynthWorld().Write(ctx, files, w.Dir); err != nil {
		return fmt.Errorf("world: %w", err)
	}
	cfg := config.Defaults()
	cfg.Seed = w.Seed
	cfg.Source.Format, cfg.Source.Paths = "img2dataset", []string{synth.TrainDir(w.Dir)}
	cfg.Output.Dir = w.TextsDir()
	cfg.Negatives.PublicCounts, cfg.Negatives.Mix = 0, nil // their words are not in the synthetic world, which has only coloured shapes
	r, err := newRun(files, &cfg)
	if err != nil {
		return err
	}
	r.Workers, r.Parts, r.Progress = workers, 1, progress
	if err := r.Do(ctx, ""); err != nil {
		return fmt.Errorf("texts of the world: %w", err)
	}
	return nil
}
