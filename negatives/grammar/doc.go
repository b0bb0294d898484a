// Package grammar takes captions and graphs apart as far as words go: the key of a noun,
// the form of a predicate between two nouns, determiners, quantities and verbs.
package grammar
