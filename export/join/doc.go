// Package join finds the keys of the samples that texts belong to. Texts, such as recaptions or the
// texts of a run, have a URL, a hash or a key; the samples are in tars with images, which stay as they
// are. The output has a file of texts for each tar.
//
// Nothing grows with the number of rows but files without a name in the folder of temporary files: values
// are joined by the parts of their hashes, and rows are sorted by groups of tars.
package join
