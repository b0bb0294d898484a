// Package vocabulary has the counts of the corpus. In pass 1 a Counter counts captions. Read turns
// the merged counts into lists of words by context, how nouns are used, and which words occur
// together.
package vocabulary
