package report

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"capgraph/folder"
	"capgraph/look/inspect"
	"capgraph/negatives"
	"capgraph/stages"
)

// dropReason is a reason for which candidates were dropped, with some of them.
type dropReason struct {
	Reason string
	Total  int64 // number of candidates in the whole folder
	Some   []candidate
}

// candidate is a dropped candidate and its caption.
type candidate struct {
	Key, Caption, Text, Method string
}

// readDropReasons generates the negatives of the first captions of some shards again and returns
// dropped candidates by reason. It adds the confidence of the texts to rated. total has the counts for
// the whole folder.
func readDropReasons(ctx context.Context, f folder.Folder, total map[string]int64, o FolderOptions, rated *confidences) (_ []dropReason, err error) {
	shards, err := inspect.PresentShards(f, folder.PassParse)
	if err != nil {
		return nil, err
	}
	explainer, err := stages.NewExplainer(f, o.Replies)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, explainer.Close()) }()
	shuffle(shards, o.Seed)
	shards = shards[:min(len(shards), droppedShards)]
	byReason := map[string][]candidate{}
	for _, shard := range shards {
		all, err := explainer.ExplainFirst(ctx, shard.Shard, droppedRows/len(shards))
		if err != nil {
			return nil, err
		}
		for _, one := range all {
			rated.addTexts(&one)
			if one.Unknown == 0 { // otherwise replies of the model are missing
				addCandidates(byReason, &one)
			}
		}
	}
	var out []dropReason
	for name, n := range total {
		reason, ok := strings.CutPrefix(name, "dropped_")
		if !ok {
			continue
		}
		some := byReason[reason]
		shuffle(some, o.Seed)
		out = append(out, dropReason{reason, n, some[:min(len(some), droppedShown)]})
	}
	slices.SortFunc(out, func(a, b dropReason) int {
		return cmp.Or(cmp.Compare(b.Total, a.Total), cmp.Compare(a.Reason, b.Reason))
	})
	return out, nil
}

// addCandidates adds the dropped candidates of a caption to byReason, at most one for each reason and method.
func addCandidates(byReason map[string][]candidate, of *stages.Explanation) {
	type kind struct {
		method string
		reason negatives.Reason
	}
	seen := map[kind]bool{}
	for _, d := range of.Dropped {
		k := kind{d.Method, d.Reason}
		if seen[k] || d.Text == "" && d.Reason != negatives.ReasonNoCandidates {
			continue
		}
		seen[k] = true
		reason := d.Reason.String()
		byReason[reason] = append(byReason[reason], candidate{of.Key, inspect.Shorten(of.Text), inspect.Shorten(d.Text), d.Method})
	}
}
