package pipeline

import (
	"context"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
)

// Pass is one step over a corpus. A pass with Open goes shard by shard; one
// with Reduce makes files of the whole folder.
type Pass struct {
	Name    folder.Pass
	Summary string
	// Settings are those that the bytes of the pass depend on, as they are
	// written in the recipe. Version names the code that makes them.
	Settings any
	Version  string

	// Reads are the columns that Open gives, Schema those of what is made; nil where
	// a pass leaves counts alone.
	Reads  []string
	Schema func(index *folder.Index) *arrow.Schema
	Open   func(ctx context.Context, env Env, index *folder.Index, shard folder.Shard) (Batches, error)
	Stages []Spec
	// Sample says of which rows that Open gives the pass keeps a file beside its output, for
	// passes after it; nil, as a pass may have it, keeps none.
	Sample func(index *folder.Index) *Sample
	// OfVocabulary tells that rows are made with the vocabulary: their entries say with which.
	OfVocabulary bool

	// Reduce writes the files of the whole folder, or what the tasks of Levels, which
	// are made before, did not write of them. A pass may have no Levels.
	Levels []Level
	Reduce func(ctx context.Context, r *Reducer) error
	// Preflight says what keeps the pass from beginning, as far as that can be known
	// before its input is there; Removed takes away what was made of its output
	// beside it, when that is removed. A pass may have neither.
	Preflight func() error
	OnRemove  func() error
	// WarnOnStats says what a person should know of the pass' figures, and what can be
	// done; empty is nothing. A pass may have none.
	WarnOnStats func(stats map[string]int64) string
	// Check says what is wrong with the figures and the rejects of a shard, or of
	// the whole pass, whose name is Whole. It ends the run, and the shard is not
	// published. A pass may have none.
	Check func(shard string, stats, rejects map[string]int64) error
	// FormatStats says the pass' figures in a line, for rows that came out. A pass may
	// have none.
	FormatStats func(stats map[string]int64, rows int64) string
}

// Sample are the rows of some images.
type Sample struct {
	// OneIn is of how many images one is taken.
	OneIn  uint64
	Schema *arrow.Schema
	// Select picks the rows of a shard from its batches, in their order. The caller owns what is
	// picked.
	Select func(mem memory.Allocator) func(arrow.Record) (arrow.Record, error)
}

// Batches reads a shard.
type Batches interface {
	// Next returns a batch, which the caller releases, and the rows that could
	// not be read, in a batch of folder.BatchRows rows or folder.BatchBytes bytes at
	// least, and the rest of the last image. The error is
	// io.EOF at the end; one of a source fails the shard, any other ends the run.
	Next() (arrow.Record, []folder.Reject, error)
	Close() error
}

// newPlan is that of the pass where that of its input has the hash input.
func (p *Pass) newPlan(input string) (*folder.PassPlan, error) {
	return folder.NewPlan(p.Name, p.Version, input, p.Settings)
}
