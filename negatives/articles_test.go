package negatives

import (
	"slices"
	"strings"
	"testing"

	"capgraph/negatives/say"
	"capgraph/negatives/vocabulary"
	"capgraph/schemas"
)

// titles are counts of a corpus that leaves articles out.
func titles(bare ...string) (all []schemas.Count) {
	for _, noun := range append(bare, "man", "woman", "dog", "cat", "bus", "car", "bench", "hat") {
		all = append(all, schemas.Count{Kind: vocabulary.Usage, Key: noun + "\tbare", N: 6})
	}
	slices.SortFunc(all, func(a, b schemas.Count) int { return strings.Compare(a.Key, b.Key) })
	return all
}

// TestArticlesOfACorpusOfTitles gives things "a" although the corpus only has them bare; materials, food
// and what other captions have bare take none.
func TestArticlesOfACorpusOfTitles(t *testing.T) {
	w := newTestWords(t, titles("lanyard", "pendant", "microfiber", "suede", "parmesan", "furniture", "snow", "music")...)
	for key, want := range map[string]say.Article{
		"lanyard": say.AnArticle, "pendant": say.AnArticle, "gold pendant": say.AnArticle, "tote bag": say.AnArticle,
		"suede": say.NoArticle, "parmesan": say.NoArticle, "furniture": say.NoArticle, "snow": say.NoArticle, "music": say.NoArticle,
	} {
		if got := say.ArticleAnew(w.Noun(key)); got != want {
			t.Errorf("%q has article %d, want %d", key, got, want)
		}
	}
}

// TestBareNounsOfACorpusWithArticles takes a bare noun for a material if the corpus has articles.
func TestBareNounsOfACorpusWithArticles(t *testing.T) {
	counts := titles("pendant")
	for i := range counts {
		if counts[i].Key != "pendant\tbare" {
			counts[i].Key = counts[i].Key[:len(counts[i].Key)-len("bare")] + "a"
		}
	}
	w := newTestWords(t, counts...)
	for key, want := range map[string]say.Article{"pendant": say.NoArticle, "dog": say.AnArticle} {
		if got := say.ArticleAnew(w.Noun(key)); got != want {
			t.Errorf("%q has article %d, want %d", key, got, want)
		}
	}
}
