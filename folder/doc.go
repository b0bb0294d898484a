// Package folder is an output folder: where its files lie, what they hold, and what of
// the passes is finished. Whoever makes the files, or looks at them, reads a State of it
// and passes that on.
package folder
