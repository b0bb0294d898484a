// Package objectstore reaches files by their names, wherever they are: s3://,
// gs:// and azblob:// URLs in object stores, file:// URLs and plain paths on this
// machine. Files is a store.Store of all of them.
//
// An object is written into a scratch file and put whole: with the condition that
// there is none of its name (If-None-Match, ifGenerationMatch=0) where it is
// published, without where it replaces one. It is read by ranges, all of the object
// that was there when it was opened. Folders are what stands between slashes.
package objectstore
