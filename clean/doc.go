// Package clean makes the text of a caption: one line of valid UTF-8 in normal form C, without
// markup, control characters, links and emoji, with straight quotes, and with tokenised punctuation
// joined again. A caption that cannot become such a text is rejected with a reason.
//
//	c, err := clean.New(clean.Defaults())
//	...
//	text, reason := c.Clean("A man , who is <b>tall</b> .") // "A man, who is tall."
//
// The parser, the generator of negatives and the trainer see the text and not the caption, so that
// nothing that cleaning does can reveal a negative.
//
// A text is clean when a pass over it changes nothing. [Cleaner.Clean] repeats its pass until then,
// so cleaning a clean text returns it. The table steps has what a pass does; the table rules has
// what is rejected. Each row has an example, which is its test.
package clean
