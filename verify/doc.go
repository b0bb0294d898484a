// Package verify checks a finished output folder: files that changed since they were written, rows
// that are lost, graphs and texts that break what docs/format.md promises. It changes nothing in
// the folder, reads each row of graphs/ and texts/ a fixed number of times, and its memory does
// not grow with the folder.
//
//	f := folder.Folder{Store: st, Dir: "out"}
//	result, err := verify.Run(ctx, f, verify.Options{Workers: 4}, func(p verify.Problem) {
//		fmt.Println(p) // "hashes: out/texts/train-00000-of-00001.parquet: it has 10 bytes …"
//	})
//
// The table [Checks] lists the checks. Each is a method of check in a file of its own and reports
// a [Problem] with a remedy. Each file is checked for itself: one that cannot be read is a problem,
// and the others are still checked. Several processes share the work by Options.Part and
// Options.Parts; one more, with Options.Whole, checks the folder as a whole.
package verify
