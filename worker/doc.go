// Package worker answers requests for scene graphs and texts of captions, over a pair of pipes:
//
//	worker.Serve(ctx, os.Stdin, os.Stdout)
//
// A message is its length, 8 bytes in little-endian order, and a stream of Arrow IPC. A request has one
// batch with a column caption (strings or null), and optional columns image_key and key. The metadata of its
// schema has the call, under the key "capgraph":
//
//	{"call": "texts", "set": ["seed=0", "negatives.max_negatives=8"], "vocabulary": "out/coco"}
//
// A reply has any number of batches. Their column row has the rows of the captions in the request that have
// a graph. The metadata lists the other captions: {"rejects": [[3, "empty"]], "repeats": [[5, 0]]}. Here the
// caption of row 5 has the same text as that of row 0 and no image, so that it has the result of row 0. The
// reply to a failed request has one batch with the columns error and row: the error concerns the captions from
// that row on, or the whole request if row is -1.
package worker
