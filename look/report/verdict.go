package report

import (
	"fmt"
	"slices"

	"capgraph/internal/text"
)

// The shares above which the verdict names a problem: of rejected rows (manyRejected); of empty or
// doubtful graphs (manyDoubtful); of rows without a negative and of attributes without a
// replacement (manyWithout); of images without a negative of a part (manyBare).
const (
	manyRejected = 0.1
	manyDoubtful = 0.2
	manyWithout  = 0.5
	manyBare     = 0.3
)

// verdict is the summary at the top of the page: whether the folder is complete, and its problems.
type verdict struct {
	Complete bool // every row has texts or was rejected
	Summary  string
	Problems []string
}

// verdict returns the verdict on a folder.
func (t *totals) verdict() verdict {
	all := t.state.Index.Rows()
	unfinished := t.parse.Missing
	if t.parse.Done > 0 {
		unfinished += max(0, t.parse.Out-t.texts.In-t.texts.Failed)
	}
	failed := t.parse.Failed + t.texts.Failed
	v := verdict{Complete: unfinished == 0 && failed == 0}
	v.Summary = fmt.Sprintf("%s of %s rows (%s) have texts", text.Thousands(t.texts.Out), text.Thousands(all), percent(t.texts.Out, all))
	without := t.texts.Stats["without_negative"]
	if t.texts.Out > 0 {
		v.Summary += fmt.Sprintf(", and %s of these have a negative", percent(t.texts.Out-without, t.texts.Out))
	}
	problem := func(isOne bool, form string, args ...any) {
		if isOne {
			v.Problems = append(v.Problems, fmt.Sprintf(form, args...))
		}
	}
	problem(failed > 0, "in shards that failed: %s", text.Counted(failed, "row", "rows"))
	problem(unfinished > 0, "not finished: %s; run again", text.Counted(unfinished, "row", "rows"))
	rejected, most := int64(0), funnelPart{}
	for _, p := range slices.Concat(rejectedParts(t.parse.Rejects), rejectedParts(t.texts.Rejects)) {
		if rejected += p.Rows; p.Rows > most.Rows {
			most = p
		}
	}
	problem(isShareAbove(rejected, all, manyRejected), "%s of the rows were rejected, most as %q", percent(rejected, all), trimRejected(most.Name))
	empty, doubtful := t.parse.Stats["empty_graphs"], t.parse.Stats["doubtful_graphs"]
	problem(isShareAbove(empty+doubtful, t.parse.Out, manyDoubtful), "%s of the graphs are empty or doubtful", percent(empty+doubtful, t.parse.Out))
	problem(isShareAbove(without, t.texts.Out, manyWithout), "%s of the rows have no negative", percent(without, t.texts.Out))
	images, bare := t.texts.Stats["images"], t.texts.Stats["images_without_part"]
	problem(isShareAbove(bare, images, manyBare), "%s of the images have no negative of a part: trainers of parts draw nothing but their captions", percent(bare, images))
	attributes, unchanged := t.texts.Stats["attributes"], t.texts.Stats["attributes_unchanged"]
	problem(isShareAbove(unchanged, attributes, manyWithout),
		"%s of the attributes have no replacement: no table has them, and the corpus has too few captions; negatives.replacements=llm asks a model", percent(unchanged, attributes))
	return v
}

// isShareAbove reports whether n is more than that share of all.
func isShareAbove(n, all int64, share float64) bool { return float64(n) > share*float64(all) }

// percent formats n as a percentage of all.
func percent(n, all int64) string {
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(max(all, 1)))
}
