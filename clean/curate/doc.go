// Package curate finds captions that are not worth training on, and rows to leave out. A Filter
// applies WURA's rules for text from the web (AfriTeVa V2, §3), as far as they make sense for
// captions, and detects other languages. EachKey and Drops find captions that repeat an earlier
// one. Excluded has the rows and images that lists name.
package curate
