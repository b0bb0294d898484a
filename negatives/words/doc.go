// Package words has what the lexicon, the tables of package truth and the corpus have about words:
// nouns, attributes, relations and verbs, and candidates to replace them. A Cache looks each word
// up once.
package words
