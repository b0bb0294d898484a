package main

import (
	"fmt"
	"io"

	"capgraph/folder"
	"capgraph/internal/text"
	"capgraph/store"
	"capgraph/store/objectstore"
)

// shardScratch is the scratch space that a worker may take while it makes a shard of
// the usual 122,880 rows, in bytes: 2 KB a row, some four times what a row takes.
const shardScratch = 256 << 20

// tellScratch says where the files of an object store are written before they are put,
// and warns where there is little room.
func (s streams) tellScratch(f folder.Folder, workers int) {
	files, ok := f.Store.(*objectstore.Files)
	if _, local := store.LocalPath(f.Dir); !ok || local {
		return
	}
	dir, free := files.ScratchFree()
	if want := int64(workers) * shardScratch; free >= 0 && free < want {
		s.warn(fmt.Sprintf("files are written in %s before they are put, where %s MB are free and %d workers may take %s: set store.scratch or TMPDIR to a larger folder, or output.shard_rows to less",
			dir, megabytes(free), workers, megabytes(want)))
	}
}

// tellTraffic prints what was asked of object stores, if anything was.
func tellTraffic(w io.Writer, f folder.Folder) {
	files, ok := f.Store.(*objectstore.Files)
	if !ok {
		return
	}
	t := files.Traffic()
	if !t.HasRequests() {
		return
	}
	fmt.Fprintf(w, "\nrequests  %s to read, %s to write, %s others; %s MB read, %s MB written; %s MB in %s at most\n",
		text.Thousands(t.Read), text.Thousands(t.Written), text.Thousands(t.Other),
		megabytes(t.BytesRead), megabytes(t.BytesWritten), megabytes(t.Scratch), t.ScratchDir)
}

func megabytes(bytes int64) string { return text.Thousands((bytes + 999_999) / 1_000_000) }
