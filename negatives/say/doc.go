// Package say puts noun phrases and sub-graphs into words: articles, agreement, templates,
// paraphrases (paraphrases.tsv), and edits that keep the spelling of a caption.
package say
