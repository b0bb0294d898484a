package schemas

// KeptType is the type of a column that source.keep carries from the source.
type KeptType int

// The types of carried columns. Their numbers are in index files, so new ones come last.
const (
	KeptText KeptType = iota
	KeptInt
	KeptFloat
	KeptBool
	KeptNull // the column is all null in a file; it agrees with any other type
)

// String returns the name of the type in the documentation.
func (t KeptType) String() string {
	return [...]string{KeptText: "text", KeptInt: "int64", KeptFloat: "float64", KeptBool: "boolean", KeptNull: "null"}[t]
}
