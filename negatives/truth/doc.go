// Package truth has what may be true of an image although no caption says so, and what
// cannot be if something else is said: tables of words, in truth.tsv and
// exclusions.tsv, and the kinds of things, in kinds.tsv. It knows no corpus.
package truth
