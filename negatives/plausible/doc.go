// Package plausible judges whether a reader would find a negative plausible. It uses what the
// negative claims, the counts of its words in captions (prior.tsv.gz and the corpus), and weights
// that were fitted to verdicts of readers (judge.tsv).
package plausible
