// Package words has what is known of words, by the lexicon, by the tables of package truth
// and by the corpus: nouns, properties, relations, verbs, and candidates for their places.
// A Cache looks each up once.
package words
