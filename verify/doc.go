// Package verify reads a finished output folder again and tells what is wrong
// with it: files that are not those that were written, rows that are lost,
// graphs and texts that break what docs/format.md promises. It writes nothing
// into it, reads each row of graphs/ and texts/ a fixed number of times, and its memory
// does not grow with the folder.
package verify
