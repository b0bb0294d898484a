// Package ruleparse turns captions into scene graphs on one CPU core: tokens
// with their tags and lemmas, objects with attributes and quantities, relations
// between them, all with byte offsets into the caption.
//
// Its model is embedded; docs/parser.md says what it was made of, how well it
// does and where it fails.
package ruleparse
