package negatives

import (
	"math"
	"slices"

	"github.com/cespare/xxhash/v2"

	"capgraph/negatives/grammar"
	"capgraph/negatives/say"
	"capgraph/negatives/vocabulary"
	"capgraph/negatives/words"
)

// The types of the parts that a text states of an image. The numbers are hashed into values that
// files have.
const (
	partObject = iota + 1
	partQuantity
	partAttribute
	partRelation
)

// appendParts appends the hashes of the parts that a phrase states: its objects, their quantities
// and attributes, and its relation. Unless implied is set, it omits an object that one of its own
// attributes or relations names too. Synonyms have the same hash: nouns with the same first sense,
// attributes with the same value, prepositions for the same place. docs/format.md describes the
// hashes.
func appendParts(dst []int32, p *say.Phrase, implied bool) []int32 {
	dst = appendNounParts(dst, &p.Subject, implied || p.Relation == nil && p.Subject.N == 0 && p.Subject.Quantity == "")
	if p.Relation == nil {
		return dst
	}
	dst = appendNounParts(dst, &p.Object, implied)
	subject, object := p.Subject.Noun.Meaning, p.Object.Noun.Meaning
	if p.Relation.Symmetric && subject > object {
		subject, object = object, subject
	}
	return append(dst, hashPart(partRelation, subject, p.Relation.Hashes.Class, p.Relation.Hashes.Verb, object))
}

func appendNounParts(dst []int32, n *say.NounPhrase, object bool) []int32 {
	noun := n.Noun.Meaning
	if object {
		dst = append(dst, hashPart(partObject, noun))
	}
	if n.Also != nil {
		dst = append(dst, hashPart(partObject, n.Also.Meaning))
	}
	if n.Worn != nil {
		dst = appendNounParts(dst, n.Worn, true)
	}
	if n.Quantity != "" {
		dst = append(dst, hashPart(partQuantity, noun, xxhash.Sum64String(n.Quantity)))
	}
	for _, a := range n.Attributes[:n.N] {
		dst = append(dst, hashPart(partAttribute, noun, valueOf(a.Is)))
	}
	return dst
}

// valueOf returns a number that is equal for attributes with the same text, or with the same one
// value of a dimension ("grey", "silver").
func valueOf(p *words.Property) uint64 {
	if v := p.Core.Values; len(v) == 1 {
		return uint64(v[0].Dimension)<<16 | uint64(v[0].Value)
	}
	return p.Core.Hash
}

// hashPart returns the upper half of a hash of a part's type and words.
func hashPart(what uint64, words ...uint64) int32 {
	for _, w := range words {
		what = grammar.Mixed(what ^ w)
	}
	return int32(what >> 32)
}

// sortParts sorts hashes and removes duplicates.
func sortParts(parts []int32) []int32 {
	slices.Sort(parts)
	return slices.Compact(parts)
}

// rarestCount returns the least count that the corpus has for one of the phrase's objects,
// attributes or its relation, at least 1. No more captions than that state the phrase.
func rarestCount(v *vocabulary.Vocabulary, p *say.Phrase) int64 {
	least := min(int64(math.MaxInt64), rarestNoun(v, &p.Subject))
	if p.Relation != nil {
		least = min(least, rarestNoun(v, &p.Object), v.Times(vocabulary.Between, p.Subject.Noun.Head, p.Object.Noun.Head, p.Relation.Key))
	}
	return max(least, 1)
}

func rarestNoun(v *vocabulary.Vocabulary, n *say.NounPhrase) int64 {
	least := v.Times(vocabulary.Object, n.Noun.Key)
	for _, a := range n.Attributes[:n.N] {
		least = min(least, v.Times(vocabulary.AttributeOf, n.Noun.Head, a.Is.Text))
	}
	return least
}
