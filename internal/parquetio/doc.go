// Package parquetio is a bridge between Arrow record batches and columns of Parquet
// files, on the pages and encodings of parquet-go. The bytes of a file depend on its
// rows and options alone, and types are never converted unasked. Files of others are
// read within Limits, so that none can make a reader allocate at will.
package parquetio
