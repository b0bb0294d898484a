// Package inspect reads rows of an output folder to show them to a user: by key or image (Find), in
// order (ReadGraphs, ReadTexts, ReadRejects) or at random (SampleRows, SamplePairs). It writes graphs
// as trees (WriteTree), marks the words that differ between two texts (Diff, Mark), and escapes
// control characters for a terminal (Printer). It reads only the rows that it shows, not the whole
// folder.
package inspect
