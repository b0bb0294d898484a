// Package schemas is the dictionary of capgraph: the types that every other
// package speaks in, and the columns of the Arrow batches that travel between
// stages and lie in files.
//
// A caption is a line of text that says something of an image; the image key
// says of which. A scene graph holds the objects of a caption, their
// attributes and the relations between them. A positive text is said of a
// sub-graph and is true of the image; a hard negative differs from a positive
// text in one thing and is false of it.
package schemas
