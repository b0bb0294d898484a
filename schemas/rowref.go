package schemas

// RowRef identifies a row of a shard. Rows are numbered from 0.
type RowRef struct {
	Shard string
	Row   int64
}
