package negatives

import (
	"capgraph/negatives/say"
	"capgraph/negatives/words"
)

// dictionary says what fits together whatever the image: the vocabulary of the corpus, which generators
// share, and the words that one of them has looked up.
type dictionary struct {
	vocab  *Vocabulary
	words  *words.Cache
	other  say.OtherWords
	filter candidateFilter
}

func newDictionary(opts *Options, vocab *Vocabulary) *dictionary {
	w := words.New(vocab.corpus)
	return &dictionary{
		vocab: vocab, words: w, other: say.NewOtherWords(w),
		filter: candidateFilter{words: w, siblings: vocab.siblings, any: opts.AnyDimension, plausible: opts.Replacements == FromCorpus},
	}
}
