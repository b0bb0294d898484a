// Package report writes HTML pages that need no server, network or script.
//
// WriteFolder shows what an output folder contains: where rows went, graphs drawn over their
// captions, positives beside their negatives, and first what failed. It reads the entries and a
// random sample of rows whose size does not depend on the folder. WriteModels shows what models
// scored on benchmarks. NewTemplate, Style, MarkCaption, DrawGraph and MarkChanges are for other
// pages in the same style.
package report
