// Package export hands texts/ on: whole, in the forms that other trainers read
// (NegCLIP's TSV, open_clip's CSV, WebDataset, MosaicML's MDS, JSON lines), or
// one epoch of it as a draw takes it. Everything is streamed shard by shard, and
// the same texts give the same bytes.
package export
