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
// The function decide alone decides whether a pass is skipped, resumed, started, rebuilt or refused.
// The package knows no stage, no setting of a stage and no source format by name: a [Pass] brings
// them.
package pipeline
