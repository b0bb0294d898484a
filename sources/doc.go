// Package sources reads caption corpora row by row, whatever form they come
// in: CC12M and CC3M's TSV, COCO's and Karpathy's JSON, img2dataset folders,
// WebDataset's tars, Parquet, JSON lines, Visual Genome and GQA with the graphs
// that annotators drew, and graphs that were parsed elsewhere.
//
// Every row that a file holds comes out of a Reader once: as a caption, or as
// a reject with a reason. A file that cannot be read on, such as a truncated
// gzip, ends in a *FileError that names the place and the remedy; the rows
// before it were good. No input makes a reader panic. Its memory is bounded, but
// for COCO and img2dataset, whose rows are sorted first, and for keys that a file
// brings itself, of each of which a hash is kept: there it grows with one file.
//
// Rows of one image are adjacent, so that a shard can end after its last one.
package sources
