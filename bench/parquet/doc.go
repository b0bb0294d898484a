// Package parquet measures what decision 2 rests on: a shard of texts written by
// capgraph's bridge to parquet-go, and by Arrow's own Parquet writers of
// apache/arrow/go v17 and apache/arrow-go v18, each as it comes and with settings
// like capgraph's. It is a module of its own, so that capgraph does not depend on
// what it compares with. From the folder bench/parquet, with a shard of COCO's texts:
//
//	./measure ../../out/coco/texts/train-00000-of-00001.parquet
//
// prints rows a second, bytes allocated and bytes of the file a row, whether the
// same rows gave the same bytes, and the size of a program that only writes Parquet.
package parquet
