// Package folder reads and writes the output folder of a run: its layout, its bookkeeping, and which
// shards of which pass are finished.
//
// A shard is finished in a pass when its entry exists. The entry is written last and names the files
// of the shard with their hashes. [Folder.Read] returns a [State], which answers all questions about
// the passes as they were when it was read:
//
//	f := folder.Folder{Store: store.Local{}, Dir: "out/sample"}
//	state, err := f.Read()
//	for _, s := range state.Finished(folder.PassTexts) { … }
//
// A folder from elsewhere is not trusted: names in its bookkeeping are checked where they are read,
// and nothing is written or removed outside the folder.
package folder
