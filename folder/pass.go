package folder

import "slices"

// Pass names a pass: a step over a whole corpus, whose results a folder holds.
type Pass string

// The passes in their order. The first makes the index, and no entries.
const (
	PassIndex   Pass = "index"
	PassParse   Pass = "parse"
	PassCount   Pass = "count"
	PassBalance Pass = "balance"
	PassTexts   Pass = "texts"
)

// What passes over the whole folder leave: counts, by the names of their files
// (see Reduced).
const (
	// Vocabulary are the counts of the corpus.
	Vocabulary = "vocabulary"
	// Duplicates are the rows that repeat an earlier one.
	Duplicates = "duplicates"
	// Far are the captions of images that lie apart, beside the shards that have a
	// caption of such an image: rows of the kind of the shard's name, each with a hash
	// that the image is known by, the hash of the text, and the caption. Older folders
	// have none.
	Far = "far"
	// Balance are the weights of n-grams.
	Balance = "balance"
)

// Passes is the table of the passes after the index, in their order, with what each
// leaves: a folder of Parquet files, one a shard, or files of the whole folder.
var Passes = []struct {
	Pass   Pass
	Output string
	Files  []string
}{
	{PassParse, "graphs", nil},
	{PassCount, "", []string{Vocabulary, Duplicates, Far}},
	{PassBalance, "", []string{Balance}},
	{PassTexts, "texts", nil},
}

// ShardPasses are those of Passes that go shard by shard.
func ShardPasses() []Pass {
	var passes []Pass
	for _, p := range Passes {
		if p.Output != "" {
			passes = append(passes, p.Pass)
		}
	}
	return passes
}

// Output is the folder of the Parquet files of a pass; empty where it goes over the
// whole folder.
func (p Pass) Output() string {
	if i := p.at(); i >= 0 {
		return Passes[i].Output
	}
	return ""
}

// Files are the names of the files that a pass over the whole folder leaves.
func (p Pass) Files() []string {
	if i := p.at(); i >= 0 {
		return Passes[i].Files
	}
	return nil
}

// at is the place of the pass in the table; −1 where it has none.
func (p Pass) at() int {
	return slices.IndexFunc(Passes, func(row struct {
		Pass   Pass
		Output string
		Files  []string
	}) bool {
		return row.Pass == p
	})
}
