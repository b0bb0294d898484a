package main

import (
	"os"
	"strings"

	"capgraph/folder"
	"capgraph/look/inspect"
	"capgraph/negatives"
	"capgraph/negatives/siblings"
	"capgraph/store"
)

// writeSiblings writes the pairs of relations that captions of one image seldom both state, by the
// graphs of runs.
func writeSiblings(out string, runs []string) error {
	all, err := siblings.NewCounter()
	if err != nil {
		return err
	}
	for _, dir := range runs {
		images, err := readImages(folder.Folder{Store: store.Local{}, Dir: dir})
		if err != nil {
			return err
		}
		for i := range images {
			all.Add(images[i].Captions)
		}
	}
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := all.Write(f); err != nil {
		return err
	}
	return f.Close()
}

// readImages reads the graphs of a run, the captions of an image together.
func readImages(f folder.Folder) ([]negatives.Image, error) {
	shards, err := inspect.FinishedShards(f, folder.PassParse)
	if err != nil {
		return nil, err
	}
	var images []negatives.Image
	at := map[string]int{}
	for _, s := range shards {
		for row, err := range inspect.ReadGraphs(f, s.Shard, 0) {
			if err != nil {
				return nil, err
			}
			i, ok := at[row.ImageKey]
			if !ok {
				i = len(images)
				at[strings.Clone(row.ImageKey)] = i
				images = append(images, negatives.Image{})
			}
			images[i].Captions = append(images[i].Captions, negatives.Caption{Key: strings.Clone(row.Key), Text: strings.Clone(row.Text), Graph: row.Graph.Clone()})
		}
	}
	return images, nil
}
