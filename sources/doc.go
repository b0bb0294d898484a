// Package sources reads caption corpora row by row: CC12M's and CC3M's TSV, COCO's and Karpathy's
// JSON, img2dataset folders, WebDataset tars, Parquet, JSON lines, the annotated graphs of Visual
// Genome and GQA, and graphs that were parsed elsewhere.
//
//	opts := sources.Options{Format: "cc12m", Paths: []string{"data/*.tsv"}}
//	files, err := sources.Expand(files, opts)
//	…
//	r, err := sources.Open(ctx, files, file, opts, schemas.Position{})
//	for err = r.Next(&row); err == nil; err = r.Next(&row) { … } // io.EOF at the end
//
// Recognise finds the format by itself. A Reader returns every row of a file once: as a caption, or
// as a reject with a reason. A file that cannot be read further, such as a truncated gzip, ends in
// a *FileError with the place and the remedy; the rows before it are good. No input makes a reader
// panic.
//
// Memory is bounded, with two exceptions that grow with one file: COCO and img2dataset are sorted
// in memory, and a hash is kept of each key that a file brings itself. Rows of one image are
// adjacent, so that a shard can end after the last one.
package sources
