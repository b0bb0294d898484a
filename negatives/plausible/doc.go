// Package plausible judges whether a reader would call a negative plausible: by what it
// claims, the counts of its words in captions (prior.tsv.gz and the corpus), and weights
// that were fitted to verdicts (judge.tsv).
package plausible
