package pipeline

import (
	"context"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
)

// Pass is one step over a corpus. A pass with Open runs shard by shard; a pass with Reduce makes files
// for the whole folder.
type Pass struct {
	Name    folder.Pass
	Summary string
	// Settings are the settings that the output depends on, as the recipe writes them. Version names
	// the code that makes the output.
	Settings any
	Version  string

	// Reads are the columns that Open returns. Schema returns the columns of the output; it is nil if
	// the pass writes only counts.
	Reads  []string
	Schema func(index *folder.Index) *arrow.Schema
	Open   func(ctx context.Context, env Env, index *folder.Index, shard folder.Shard) (Batches, error)
	Stages []Spec
	// Sample selects the rows that the pass also writes to a file for later passes; nil selects
	// none.
	Sample func(index *folder.Index) *Sample
	// UsesVocabulary is true if rows are made with the vocabulary. Their entries then record its hash.
	UsesVocabulary bool

	// Reduce writes the files of the whole folder that the tasks of Levels, which run before it, did
	// not write. Levels may be empty.
	Levels []Level
	Reduce func(ctx context.Context, r *Reducer) error
	// Preflight returns an error if the pass cannot start; it may run before the input exists.
	// OnRemove removes files derived from the output when the output is removed. Both may be nil.
	Preflight func() error
	OnRemove  func() error
	// WarnOnStats returns a warning about the figures of the pass, with a remedy, or "". It may be
	// nil.
	WarnOnStats func(stats map[string]int64) string
	// Check returns an error about the figures and rejects of a shard or, with the name Whole, of the
	// whole pass. The error ends the run, and the shard is not published. It may be nil.
	Check func(shard string, stats, rejects map[string]int64) error
	// Remedies name, for each reason of a reject, the settings that it depends on.
	Remedies map[string]string
	// FormatStats formats the figures of the pass in a line. It may be nil.
	FormatStats func(stats map[string]int64, rows int64) string
}

// Sample selects the rows of some images.
type Sample struct {
	// One image in OneIn is sampled.
	OneIn  uint64
	Schema *arrow.Schema
	// Select returns a function that selects rows of the batches of a shard, in their order. The
	// caller owns the result.
	Select func(mem memory.Allocator) func(arrow.Record) (arrow.Record, error)
}

// Batches reads a shard.
type Batches interface {
	// Next returns a batch, which the caller releases, and the rows that could not be read. Both
	// together are at least folder.BatchRows rows or folder.BatchBytes bytes, up to the end of an
	// image. The error is io.EOF at the end. An error of a source fails the shard, any other ends the
	// run.
	Next() (arrow.Record, []folder.Reject, error)
	Close() error
}

// newPlan returns the plan of the pass. input is the hash of the plan of its input.
func (p *Pass) newPlan(input string) (*folder.PassPlan, error) {
	return folder.NewPlan(p.Name, p.Version, input, p.Settings)
}
