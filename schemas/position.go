package schemas

// Position is a place between two rows of a source file. Row is the number of rows before it,
// rejected ones included. Offset is the byte at which the next row begins, or −1 if it is not
// known: in compressed files, in Parquet, and within an image with several captions.
type Position struct {
	Row, Offset int64
}
