// Package truth has general facts about images in tables of words: what may be true even if no
// caption mentions it (truth.tsv), what excludes what (exclusions.tsv), and the kinds of things
// (kinds.tsv). It uses no corpus.
package truth
