// Package pipeline runs the passes of a recipe over the shards of a corpus.
//
// For each shard, a pass reads record batches, sends them through its stages and writes the result
// under a temporary name. Then [folder.Folder.DeclareDone] publishes the files and, last, an entry.
// Shards that a killed run did not finish have no entry and are made again.
//
//	r := &pipeline.Run{Folder: f, Passes: passes, …}
//	err := r.Do(ctx, "")      // all passes; a finished shard is skipped
//	err = r.Describe(os.Stdout) // what Do would do
//
// An [indexer] makes the index of a folder, a [planner] reads the situation of each pass, [decide]
// decides whether the pass is skipped, resumed, run, rebuilt or refused, and an [executor] carries
// that out. Describe prints the decisions.
//
// The package knows no stage, no setting of a stage and no source format by name: they are in a
// [Pass].
package pipeline
