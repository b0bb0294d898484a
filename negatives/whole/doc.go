// Package whole defines the negatives that a language model writes as whole captions: the requests
// to an Author, and the filter that keeps a text only if it is the caption with the one change that
// was asked for.
//
// A Change compares caption and text: Begin sets the caption, Read the text, and Check returns a
// Verdict. For the caption "a man riding a horse" and ReplaceObject, "a man riding a camel" fits,
// and "a man feeding a camel" is an OtherChange. Whether the changed statements may be true of the
// image is left to the caller, who knows the other captions: Gone and Come have these statements.
package whole
