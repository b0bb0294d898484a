// Package whole has the negatives that a language model writes as whole captions: what an Author is
// asked for, and the filter that keeps a text only if it is the caption with the one change that was
// asked for.
//
// A Change compares caption and text: Begin reads a caption, Read a text that was written for it,
// and Check gives its Verdict. Of "a man riding a horse" as ReplaceObject "a man riding a camel"
// passes, and "a man feeding a camel" is an OtherChange. Whether what changed may be true of the
// image is for the caller to say, who knows the other captions: Gone and Come are what the texts
// say apart.
package whole
