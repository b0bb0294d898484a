package folder

import "slices"

// Pass is the name of a pass: a step over a whole corpus, whose output is in a folder.
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

// The names of the files of counts that passes over the whole folder write (see Reduced).
const (
	// Vocabulary are the counts of the corpus.
	Vocabulary = "vocabulary"
	// Duplicates are the rows that repeat an earlier one.
	Duplicates = "duplicates"
	// Balance are the weights of n-grams.
	Balance = "balance"
)

// passOutputs has the outputs of a pass. A pass by shard writes for each shard a Parquet file in the folder
// Output and one of rejects, or counts. A pass over the whole folder writes the Files.
type passOutputs struct {
	Pass   Pass
	Output string
	Counts bool
	Files  []string
	// Former are files that earlier versions also wrote. Folders with them can still be read.
	Former []string
}

// Passes lists the passes after the index, in their order, with their outputs.
var Passes = []passOutputs{
	{Pass: PassParse, Output: "graphs"},
	{Pass: PassTally, Counts: true},
	{Pass: PassCount, Files: []string{Vocabulary, Duplicates}, Former: []string{"far"}},
	{Pass: PassBalance, Files: []string{Balance}},
	{Pass: PassTexts, Output: "texts"},
}

// PassOrder returns all passes in their order, the index first.
func PassOrder() []Pass {
	passes := []Pass{PassIndex}
	for _, p := range Passes {
		passes = append(passes, p.Pass)
	}
	return passes
}

// ShardPasses returns the passes that run shard by shard.
func ShardPasses() []Pass {
	var passes []Pass
	for _, p := range Passes {
		if p.Pass.IsByShard() {
			passes = append(passes, p.Pass)
		}
	}
	return passes
}

// RowPasses returns the passes that write rows, shard by shard.
func RowPasses() []Pass {
	var passes []Pass
	for _, p := range Passes {
		if p.Output != "" {
			passes = append(passes, p.Pass)
		}
	}
	return passes
}

// CountShardFiles returns how many files the passes write for a shard: an entry in each pass, and
// rows and rejects, or counts.
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

// IsByShard reports whether a pass runs shard by shard, and not over the whole folder.
func (p Pass) IsByShard() bool { return p.Output() != "" || p.HasCounts() }

// HasCounts reports whether a pass writes counts of each shard.
func (p Pass) HasCounts() bool {
	i := p.index()
	return i >= 0 && Passes[i].Counts
}

// Output returns the folder of the rows that a pass writes; "" if it writes none.
func (p Pass) Output() string {
	if i := p.index(); i >= 0 {
		return Passes[i].Output
	}
	return ""
}

// Files returns the names of the files that a pass over the whole folder writes.
func (p Pass) Files() []string {
	if i := p.index(); i >= 0 {
		return Passes[i].Files
	}
	return nil
}

// HasOutputFile reports whether a pass over the whole folder writes that file, or did so in an earlier version.
func (p Pass) HasOutputFile(file string) bool {
	return slices.ContainsFunc(p.Files(), func(name string) bool { return ReducedFile(name) == file }) || p.HadOutputFile(file)
}

// HadOutputFile reports whether only earlier versions of a pass over the whole folder write that file.
func (p Pass) HadOutputFile(file string) bool {
	i := p.index()
	return i >= 0 && slices.ContainsFunc(Passes[i].Former, func(name string) bool { return ReducedFile(name) == file })
}

// index returns the position of the pass in the table; −1 if it is not in it.
func (p Pass) index() int {
	return slices.IndexFunc(Passes, func(r passOutputs) bool { return r.Pass == p })
}
