// Package counts adds up exact counts of keys over a corpus. Each shard has a
// run: a Parquet file of (kind, key, count), sorted by kind and key. Runs of
// shards merge into one whose counts are the sums, whatever the order and the
// grouping of the merge. Memory is bounded by the number of distinct keys of
// one shard and by the number of runs merged at a time.
package counts
