// Package pipeline runs the passes of a recipe over the shards of a corpus.
//
// For each shard, a pass reads record batches, sends them through its stages and writes the result
// under a temporary name. Then [folder.Folder.DeclareDone] publishes the files and, last, an entry.
// What a killed run leaves has no entry and is made again.
//
//	r := &pipeline.Run{Folder: f, Passes: passes, …}
//	err := r.Do(ctx, "")      // all passes; a finished shard is skipped
//	err = r.Describe(os.Stdout) // what Do would do
//
// An [indexer] makes the index of a folder, a [planner] finds out what is there, [decide] decides for
// each pass whether it is skipped, resumed, run, rebuilt or refused, and an [executor] does it.
// Describe shows what the planner and decide say.
//
// The package knows no stage, no setting of a stage and no source format by name: a [Pass] brings
// them.
package pipeline
