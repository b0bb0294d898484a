// Package siblings has how often captions of one image say two relations of the same two
// things, counted from graphs and read from siblings.tsv.
package siblings
