// Package curate says which captions are not worth training on: those that
// WURA's rules for text from the web turn away (AfriTeVa V2, §3), as far as they
// make sense for captions, those in other languages, and those that say what an
// earlier caption said. It also says which rows a list names that are to be left out.
package curate
