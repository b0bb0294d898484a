// Package export hands texts/ on: whole, in the forms that other trainers read
// (NegCLIP's TSV, open_clip's CSV, WebDataset, MosaicML's MDS, JSON lines), or
// one epoch of it as a draw takes it. Rows are streamed; held are those of a
// shard that is joined with a tar of images, and the keys of images whose
// neighbours are told. The same texts give the same bytes.
package export
