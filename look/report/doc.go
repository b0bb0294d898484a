// Package report writes HTML pages that need no server, network or script.
//
// WriteFolder shows an output folder: first failures, then how many rows each step kept, graphs
// with their captions, and positives with their negatives. It reads the entries and a random sample
// of rows, whose size does not depend on the folder. WriteModels shows the scores of models on
// benchmarks. NewTemplate, Style, MarkCaption, DrawGraph and MarkChanges are for other pages in the
// same style.
package report
