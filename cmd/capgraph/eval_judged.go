package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	evalnegatives "capgraph/eval/negatives"
	"capgraph/folder"
	"capgraph/look/inspect"
	"capgraph/negatives"
	"capgraph/ruleparse"
	"capgraph/schemas"
	"capgraph/sources"
	"capgraph/store"
)

// measureJudged reports which of the judged pairs the filters keep.
func (c *evalNegatives) measureJudged(ctx context.Context, std streams) error {
	pairs, err := c.readPairs(std.files)
	if err != nil {
		return fmt.Errorf("eval negatives: %w", err)
	}
	dir := runFolder(c.Path, folder.PassTexts)
	std.warnIfIncomplete(dir, folder.PassCount)
	vocabulary, err := readVocabulary(folder.Folder{Store: std.files, Dir: dir})
	if err != nil {
		return fmt.Errorf("eval negatives: %w", err)
	}
	parser, err := ruleparse.New()
	if err != nil {
		return err
	}
	all, err := evalnegatives.Rejudge(ctx, pairs, vocabulary, func(text string, out *schemas.Parsed) {
		parser.ParseText(text, out)
		out.Graph.KeepAsserted()
	})
	if err != nil {
		return fmt.Errorf("eval negatives: %w", err)
	}
	rows := evalnegatives.TabulateJudged(all)
	if c.JSON {
		e := json.NewEncoder(std.out)
		e.SetIndent("", "  ")
		return e.Encode(rows)
	}
	var table bytes.Buffer
	if err := evalnegatives.WriteJudged(&table, rows); err != nil {
		return err
	}
	w := inspect.NewPrinter(std.out)
	fmt.Fprint(w, table.String())
	return w.Err()
}

// readPairs returns the judged pairs of --source and --split.
func (c *evalNegatives) readPairs(files store.Store) ([]evalnegatives.JudgedPair, error) {
	f, err := sources.OpenText(files, c.Judged)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := evalnegatives.ReadJudged(f, c.Judged)
	if err != nil {
		return nil, err
	}
	var pairs []evalnegatives.JudgedPair
	for _, p := range all {
		if (c.Source == "" || p.Source == c.Source) && (c.Split == "" || p.Part() == c.Split) {
			pairs = append(pairs, p)
		}
	}
	if len(pairs) == 0 {
		return nil, fmt.Errorf("%s: none of %d pairs is of that source and part", c.Judged, len(all))
	}
	return pairs, nil
}

// readVocabulary reads the vocabulary of a run.
func readVocabulary(f folder.Folder) (*negatives.Vocabulary, error) {
	rows, err := f.ReadCounts(folder.Vocabulary)
	if err != nil {
		return nil, err
	}
	return negatives.ReadVocabulary(rows, negatives.Defaults())
}
