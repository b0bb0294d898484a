// Package tokenizer turns texts into the input of a text tower: a number (id) for each piece of a
// word.
//
// A text is cleaned and split into words: runs of letters, single digits, runs of any other visible
// characters, and English endings such as 's. At first the pieces of a word are its bytes, where
// the last one is marked. Then the pair of neighbours that comes first in the list of merges is
// merged into one piece, until no pair is in the list (byte pair encoding: Sennrich, Haddow and
// Birch 2016). The id of a piece is its place: 256 bytes within a word, 256 at its end, the merges
// in their order, the start mark, the end mark. The end mark has the highest id, by which towers
// find the end of a text.
//
// There are three tokenizers. [CLIP] has the merges that OpenAI published and gives the ids of
// open_clip, so that published weights understand it. [Learned] has merges learned from a corpus,
// for a model that is trained from scratch. It is saved as a tokenizer.json of Hugging Face, which
// gives the same ids there. [Unigram] is SentencePiece's unigram model, of SigLIP, read from a
// tokenizer.json. It cleans and splits texts in other ways, and pads them to the context.
package tokenizer
