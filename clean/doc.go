// Package clean makes the text of a caption from the caption as it came: one
// line of valid UTF-8 in normal form C, without markup, control characters,
// links and emoji, with straight quotes, and with the punctuation that a
// tokeniser had torn off joined again. What cannot become such a text is
// rejected with a reason.
//
// The text, not the caption, is what is parsed, what negatives are made from
// and what is trained on, so that nothing a cleaner does can tell a positive
// from a negative.
//
// A text is clean when a pass over it changes nothing. [Cleaner.Clean] repeats
// its pass until that holds, so cleaning a cleaned text gives it back.
// What a pass does is the table steps; what is rejected is the table rules;
// each row carries an example, which is its test.
package clean
