package schemas

// RowRef refers to a row of a shard, from 0.
type RowRef struct {
	Shard string
	Row   int64
}
