package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"capgraph/negatives/textonly"
	"capgraph/store"
	"capgraph/synth"
	"capgraph/train/loader"
)

// textOnly returns the accuracy in percent, by test, of a classifier that sees no image. It is
// trained on the true texts and the hard negatives of a world, and chooses between the captions of
// each test.
func (g *grid) textOnly(world string, seed int, variant string) (map[string]float64, error) {
	file := filepath.Join(g.textsFolder(world, seed, variant), "text-only.json")
	told := map[string]float64{}
	if data, err := os.ReadFile(file); err == nil {
		return told, json.Unmarshal(data, &told)
	}
	var seen []textonly.Pair
	for row, err := range loader.Rows(store.Local{}, g.textsFolder(world, seed, variant)) {
		if err != nil {
			return nil, err
		}
		for _, n := range row.Negatives {
			if n.Of == 0 {
				seen = append(seen, textonly.Pair{Image: row.ImageKey, Positive: row.Positives[n.Of].Text, Negative: n.Text})
			}
		}
	}
	for _, test := range worldOf(world).tests {
		asked, err := readTestPairs(synth.TestFile(g.worldFolder(world, seed), test))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		told[test] = textonly.AccuracyAfter(seen, asked)
	}
	data, err := json.Marshal(told)
	if err != nil {
		return nil, err
	}
	return told, os.WriteFile(file, data, 0o666)
}

// readTestPairs returns the pairs of captions of a test.
func readTestPairs(file string) ([]textonly.Pair, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var all map[string]struct {
		Caption  string `json:"caption"`
		Negative string `json:"negative_caption"`
	}
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var asked []textonly.Pair
	for _, p := range all {
		asked = append(asked, textonly.Pair{Positive: p.Caption, Negative: p.Negative})
	}
	return asked, nil
}
