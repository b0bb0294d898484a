// Package vocabulary has what the corpus says. A Counter counts captions, in pass 1;
// Read makes the merged counts ready for use: lists of words by their context, how nouns
// are used, and which go together.
package vocabulary
