// Package counts adds up exact counts of keys over a corpus. Each shard has a
// run: a Parquet file of (kind, key, count), sorted by kind and key. Runs of
// shards merge into one whose counts are the sums, whatever the order and the
// grouping of the merge. A Table holds the distinct keys that it was given, and
// says how much memory they take; a merge holds a part of each of its runs.
package counts
