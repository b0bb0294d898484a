package main

import (
	"fmt"
	"io"

	"capgraph/folder"
	"capgraph/internal/text"
	"capgraph/store"
	"capgraph/store/objectstore"
)

// shardScratch is the scratch space for a worker's shard of 122,880 rows, the default, in bytes: 2 KB
// a row, about four times what a row takes.
const shardScratch = 256 << 20

// warnAboutScratch warns if the folder in which files are written before their upload to an object
// store has little room.
func (s streams) warnAboutScratch(f folder.Folder, workers int) {
	files, ok := f.Store.(*objectstore.Files)
	if _, local := store.LocalPath(f.Dir); !ok || local {
		return
	}
	dir, free := files.ScratchFree()
	if want := int64(workers) * shardScratch; free >= 0 && free < want {
		s.warn(fmt.Sprintf("files are written in %s before they are uploaded: %s MB are free there, and %d workers may need %s MB: set store.scratch or TMPDIR to a larger folder, or lower output.shard_rows",
			dir, megabytes(free), workers, megabytes(want)))
	}
}

// printTraffic prints the number of requests to object stores and their bytes, if there were any.
func printTraffic(w io.Writer, f folder.Folder) {
	files, ok := f.Store.(*objectstore.Files)
	if !ok {
		return
	}
	t := files.Traffic()
	if !t.HasRequests() {
		return
	}
	fmt.Fprintf(w, "\nrequests  %s reads, %s writes, %s others; %s MB read, %s MB written; at most %s MB in %s\n",
		text.Thousands(t.Read), text.Thousands(t.Written), text.Thousands(t.Other),
		megabytes(t.BytesRead), megabytes(t.BytesWritten), megabytes(t.Scratch), t.ScratchDir)
}

func megabytes(bytes int64) string { return text.Thousands((bytes + 999_999) / 1_000_000) }
