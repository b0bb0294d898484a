package pipeline

import (
	"fmt"

	"capgraph/folder"
	"capgraph/internal/text"
)

// A run warns of small shards, which cost more time than their rows: of manyShards or more with a
// mean of fewer than fewRows rows.
const (
	manyShards = 1000
	fewRows    = 200
)

// warnOfSmallShards warns of an index with many small shards and names the remedy. No shard has rows
// of two files, so small files make small shards with any settings.
func (ix *indexer) warnOfSmallShards(x *folder.Index) {
	shards, files, rows := int64(len(x.Shards)), int64(len(x.Files)), x.Rows()
	if shards < manyShards || rows >= fewRows*shards {
		return
	}
	remedy := fmt.Sprintf("join the files to some of up to %s rows, since a shard has rows of one file alone", text.Thousands(ix.Output.ShardRows))
	if shards > 2*files {
		remedy = "set a larger output.shard_rows"
	}
	ix.warn(fmt.Sprintf("%s of %s make %s shards of %s in the mean, and each shard is %d files of %s, with some 30 KB beside its rows: stop the run, %s, and run with --redo index",
		text.Counted(rows, "row", "rows"), text.Counted(files, "file", "files"), text.Thousands(shards), text.Counted(rows/shards, "row", "rows"), folder.CountShardFiles(), ix.Folder.Dir, remedy))
}
