// Package grammar analyses the words of captions and graphs: the key of a noun, the form of a
// predicate between two nouns, determiners, quantities and verbs.
package grammar
