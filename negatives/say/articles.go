package say

import (
	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/vocabulary"
	"capgraph/negatives/words"
)

// articleOf returns the article of a singular noun, from its caption and from its use in the
// corpus.
func articleOf(n *words.Noun, determiner string) Article {
	if n.Mass {
		return NoArticle
	}
	if determiner == "the" && wordclass.Has(" left middle right ", n.Key) {
		return TheArticle
	}
	switch determiner {
	case "a", "an", "another", "one", "each", "every":
		return AnArticle
	case "":
		if n.Usage.Countable() {
			return AnArticle
		}
		return NoArticle
	}
	return ArticleAnew(n)
}

// ArticleAnew returns the article of a singular noun, from its use in the corpus.
func ArticleAnew(n *words.Noun) Article {
	switch {
	case n.Usage.Definite():
		return TheArticle
	case n.Usage.Countable():
		return AnArticle
	case n.Usage == vocabulary.Uses{}:
		return AnArticle
	}
	return NoArticle
}

// The articles of a noun phrase.
type Article uint8

const (
	NoArticle Article = iota
	AnArticle
	TheArticle
)
