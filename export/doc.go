// Package export writes the texts of a run in the forms that other trainers read: NegCLIP's TSV,
// WebDataset, JSON lines and others. It also writes the texts of one epoch (WriteEpoch).
//
// Formats lists the forms; each has a function that takes Options and returns a Summary of the rows
// that were written and left out. Rows are streamed. In memory are at most the rows of a shard that
// is joined with a tar of images, and the image keys of a file of neighbours. The same texts give
// the same bytes.
package export
