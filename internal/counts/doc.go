// Package counts adds up exact counts of keys over a corpus, as an external merge sort. Each shard
// has a sorted run: a Parquet file of (kind, key, count), ordered by kind and key. A Table collects
// the counts of a shard in memory, Write writes it as a run, and Merge adds runs up; the sums do
// not depend on the order or grouping of merges. Keys.FindRepeats finds keys that occur more than
// once in a corpus.
package counts
