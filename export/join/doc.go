// Package join matches texts, such as recaptions or the texts of a run, with the samples of tars of
// images by a URL, a hash or a key. It writes a file of texts for each tar, with the keys of its
// samples. The tars stay as they are.
//
// Memory does not grow with the number of rows. They are kept in temporary files: values are partitioned
// by their hashes and joined part by part, and rows are sorted by groups of tars.
package join
