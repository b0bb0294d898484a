// Package inspect reads an output folder for people: rows by key or at random,
// graphs drawn as trees, texts with the words that differ marked. It loads the
// rows that it shows, never the folder.
package inspect
