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
// Recognise detects the format. A Reader returns every row of a file once: as a caption, or as a
// reject with a reason. If a file cannot be read to its end, such as a truncated gzip, the rows
// before are returned, and then a *FileError with the place and the remedy. No input makes a reader
// panic.
//
// Memory is bounded, except for two things that grow with one file: COCO and img2dataset are sorted
// in memory, and a hash of each key in a file is kept. The rows of an image are adjacent, so that
// no image is split between shards.
package sources
