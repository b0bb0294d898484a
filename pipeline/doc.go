// Package pipeline runs passes over shards. A pass reads a shard, sends its
// record batches through stages, writes what comes out under a temporary name,
// publishes it and then an entry that says that the shard is done. Whatever a
// killed run leaves has no entry and is made again; what has one is not.
//
// The package knows no stage by name and no setting of a stage: a Pass brings
// them. Of the formats of sources it knows two, which are cut or read in a way of
// their own (see formatImg2dataset).
package pipeline
