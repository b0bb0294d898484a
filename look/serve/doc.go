// Package serve shows a folder in a browser: a search over all of its rows, a
// row in full, and a blind judgement between two folders. It reads the shards
// as they are asked for and keeps no index.
package serve
