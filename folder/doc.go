// Package folder reads and writes the output folder of a run: its layout, its bookkeeping, and
// which shards are finished in each pass.
//
// A shard is finished in a pass when its entry exists. [Folder.DeclareDone] publishes the files of
// a shard and then the entry, which names them with their hashes. [Folder.Read] returns a [State],
// which answers all questions about the passes as they were when it was read:
//
//	f := folder.Folder{Store: store.Local{}, Dir: "out/sample"}
//	state, err := f.Read()
//	for _, s := range state.Finished(folder.PassTexts) { … }
//
// A folder from elsewhere is not trusted: names in its bookkeeping are checked where they are read,
// and nothing is written or removed outside the folder.
package folder
