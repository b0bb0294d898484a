package folder

import "slices"

// Pass names a pass: a step over a whole corpus, whose results a folder holds.
type Pass string

// The passes in their order. The first makes the index, and no entries.
const (
	PassIndex   Pass = "index"
	PassParse   Pass = "parse"
	PassTally   Pass = "tally"
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

// passOutputs is what a pass leaves: of each shard a Parquet file in the folder Output and one
// of its rejects, or counts, or of the whole folder the files of those names.
type passOutputs struct {
	Pass   Pass
	Output string
	Counts bool
	Files  []string
}

// Passes is the table of the passes after the index, in their order, with what each
// leaves.
var Passes = []passOutputs{
	{PassParse, "graphs", false, nil},
	{PassTally, "", true, nil},
	{PassCount, "", false, []string{Vocabulary, Duplicates, Far}},
	{PassBalance, "", false, []string{Balance}},
	{PassTexts, "texts", false, nil},
}

// PassOrder lists all passes in their order, the index first.
func PassOrder() []Pass {
	passes := []Pass{PassIndex}
	for _, p := range Passes {
		passes = append(passes, p.Pass)
	}
	return passes
}

// ShardPasses are those of Passes that go shard by shard.
func ShardPasses() []Pass {
	var passes []Pass
	for _, p := range Passes {
		if p.Pass.IsByShard() {
			passes = append(passes, p.Pass)
		}
	}
	return passes
}

// RowPasses are those of Passes that write rows, shard by shard.
func RowPasses() []Pass {
	var passes []Pass
	for _, p := range Passes {
		if p.Output != "" {
			passes = append(passes, p.Pass)
		}
	}
	return passes
}

// CountShardFiles is how many files the passes leave of a shard: in each an entry, and rows and
// rejects, or counts.
func CountShardFiles() int {
	n := 0
	for _, p := range Passes {
		if p.Output != "" {
			n += 3
		}
		if p.Counts {
			n += 2
		}
	}
	return n
}

// IsByShard tells whether a pass goes shard by shard, and not over the whole folder.
func (p Pass) IsByShard() bool { return p.Output() != "" || p.HasCounts() }

// HasCounts tells whether a pass leaves counts of each shard.
func (p Pass) HasCounts() bool {
	i := p.index()
	return i >= 0 && Passes[i].Counts
}

// Output is the folder of the rows that a pass writes; empty where it writes none.
func (p Pass) Output() string {
	if i := p.index(); i >= 0 {
		return Passes[i].Output
	}
	return ""
}

// Files are the names of the files that a pass over the whole folder leaves.
func (p Pass) Files() []string {
	if i := p.index(); i >= 0 {
		return Passes[i].Files
	}
	return nil
}

// HasOutputFile tells whether a file is one that a pass over the whole folder leaves.
func (p Pass) HasOutputFile(file string) bool {
	return slices.ContainsFunc(p.Files(), func(name string) bool { return ReducedFile(name) == file })
}

// index is the place of the pass in the table; −1 where it has none.
func (p Pass) index() int {
	return slices.IndexFunc(Passes, func(r passOutputs) bool { return r.Pass == p })
}
