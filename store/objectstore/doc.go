// Package objectstore is a store.Store for every kind of name: s3://, gs:// and azblob:// URLs in
// object stores, hf:// URLs of the Hugging Face Hub (which is only read), file:// URLs and plain paths
// on this machine.
//
//	files := objectstore.New(ctx, objectstore.Defaults())
//	data, err := store.ReadFile(files, "s3://bucket/key", 1<<20)
//
// Requests end when the context does. Credentials are found by each cloud's SDK when the first name
// of its store is used.
//
// An object is written to a local scratch file first and then put as a whole. Publish puts it on
// the condition that there is no object of that name (If-None-Match, ifGenerationMatch=0); Replace
// has no condition. An object is read by ranges, always of the version that was there when it was
// opened. Folders are the parts of names between slashes.
package objectstore
