package schemas

// KeptType is the type of a carried column.
type KeptType int

// The types of carried columns. They are written in indexes: new ones come last.
const (
	KeptText KeptType = iota
	KeptInt
	KeptFloat
	KeptBool
	KeptNull // of a file in which the column is all null: it agrees with any other type
)

// String returns the name of the type as the documentation has it.
func (t KeptType) String() string {
	return [...]string{KeptText: "text", KeptInt: "int64", KeptFloat: "float64", KeptBool: "boolean", KeptNull: "null"}[t]
}
