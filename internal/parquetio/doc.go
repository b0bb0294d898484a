// Package parquetio reads and writes Parquet files as Arrow record batches, with the pages and
// encodings of parquet-go.
//
//	r, err := parquetio.NewReader(f, size, parquetio.ReaderOptions{Columns: []string{"key", "text"}})
//	…
//	defer r.Close()
//	for rec, err := r.Next(); err == nil; rec, err = r.Next() { rec.Release() } // io.EOF at the end
//
// The bytes that a Writer makes depend on the rows and options alone. Types are never converted.
// Files of unknown origin are read within Limits, so that a damaged file cannot make the reader
// allocate without bound.
package parquetio
