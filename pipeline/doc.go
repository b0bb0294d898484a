// Package pipeline runs passes over shards. A pass reads a shard, sends its
// record batches through stages, writes what comes out under a temporary name,
// publishes it and then an entry that says that the shard is done. Whatever a
// killed run leaves has no entry and is made again; what has one is not.
//
// The package knows no stage by name and no setting of a stage: a Pass brings
// them. It knows no format of sources by name either.
package pipeline
