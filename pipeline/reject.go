package pipeline

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
	"capgraph/schemas"
)

// StageRead is the stage of a reject that was found while reading.
const StageRead = "read"

// buildRejects returns a reject for each row of in that a stage rejected, and which rows to keep.
func buildRejects(in arrow.Record, stage string, rows []reject) (keep []bool, rejects []folder.Reject, err error) {
	column := func(names ...string) (*array.String, error) {
		for _, name := range names[:len(names)-1] {
			if in.Schema().HasField(name) {
				return schemas.Column[*array.String](in, name)
			}
		}
		return schemas.Column[*array.String](in, names[len(names)-1])
	}
	var columns [4]*array.String
	for i, names := range [][]string{{schemas.ColSource}, {schemas.ColKey}, {schemas.ColImageKey}, {schemas.ColCaption, schemas.ColText}} {
		if columns[i], err = column(names...); err != nil {
			return nil, nil, err
		}
	}
	sourceRow, err := schemas.Column[*array.Int64](in, schemas.ColSourceRow)
	if err != nil {
		return nil, nil, err
	}
	keep = make([]bool, in.NumRows())
	for i := range keep {
		keep[i] = true
	}
	for _, r := range rows {
		if !keep[r.row] {
			continue
		}
		keep[r.row] = false
		reject := folder.Reject{
			Source: columns[0].Value(r.row), SourceRow: sourceRow.Value(r.row),
			Key: columns[1].Value(r.row), ImageKey: columns[2].Value(r.row), Caption: columns[3].Value(r.row),
			Stage: stage, Reason: r.reason, Detail: r.detail,
		}
		reject.Clip()
		rejects = append(rejects, reject)
	}
	return keep, rejects, nil
}

// rejectsBatch returns rejects as a record batch.
func rejectsBatch(mem memory.Allocator, rejects []folder.Reject) arrow.Record {
	b := array.NewRecordBuilder(mem, schemas.RejectsSchema())
	defer b.Release()
	text := func(i int, s string) { b.Field(i).(*array.StringBuilder).Append(s) }
	for i := range rejects {
		r := &rejects[i]
		text(0, r.Source)
		b.Field(1).(*array.Int64Builder).Append(r.SourceRow)
		text(2, r.Key)
		text(3, r.ImageKey)
		text(4, r.Caption)
		text(5, r.Stage)
		text(6, r.Reason)
		text(7, r.Detail)
	}
	return b.NewRecord()
}
