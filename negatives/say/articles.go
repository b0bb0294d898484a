package say

import (
	"capgraph/internal/lexicon/wordclass"
	"capgraph/negatives/vocabulary"
	"capgraph/negatives/words"
)

// articleOf returns the article of a singular noun, given its determiner in the caption. If that
// does not decide, the noun's use in the corpus does.
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

// ArticleAnew returns the article that a singular noun mostly has in the corpus.
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

// Article is the article of a noun phrase.
type Article uint8

const (
	NoArticle Article = iota
	AnArticle
	TheArticle
)
