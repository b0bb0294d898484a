// Package say says noun phrases and sub-graphs in words: articles, agreement, templates,
// other words for the same (paraphrases.tsv), and edits in the spelling of a caption.
package say
