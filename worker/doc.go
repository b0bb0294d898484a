// Package worker answers requests for scene graphs and texts of captions, over a pair of pipes:
//
//	worker.Serve(ctx, os.Stdin, os.Stdout)
//
// A message is its length, 8 bytes in little-endian order, and a stream of Arrow IPC. A request has one
// batch: column caption (string, null if there is none), and, if they are known, image_key and key. The metadata
// of its schema names the call, under the key "capgraph":
//
//	{"call": "texts", "set": ["seed=0", "negatives.max_negatives=8"], "vocabulary": "out/coco"}
//
// A reply has any number of batches. Column row numbers the captions of the request that have a graph;
// the metadata lists the others: {"rejects": [[3, "empty"]], "repeats": [[5, 0]]}. Row 5 has the text of
// row 0 and no image, so that the result of row 0 is its own. A failed request has the reply of one batch
// with the columns error and row; row is -1 if the error is of no one row.
package worker
