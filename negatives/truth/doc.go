// Package truth has what may be true of an image although no caption mentions it, and what excludes
// what: tables of words, in truth.tsv and exclusions.tsv, and the kinds of things, in kinds.tsv. It
// knows no corpus.
package truth
