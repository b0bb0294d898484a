// Package storetest starts object stores for tests: real servers on local ports, whose programs are
// on the path or named by environment variables, and a proxy that makes faults as networks and
// stores do.
//
//	url := storetest.S3(t) // "s3://captions"; skips the test without a server
//	files := objectstore.New(t.Context(), objectstore.Defaults())
//
// Bucket is a store of s3:// names for tests without a server.
package storetest
