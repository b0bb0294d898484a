package worker

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/stages"
)

// replyMetadata is the metadata of a reply.
type replyMetadata struct {
	Rejects [][2]any   `json:"rejects"` // row and reason
	Repeats [][2]int64 `json:"repeats"` // rows, each with the earlier row whose result it has
}

// encodeReply returns the message of a reply with batches.
func encodeReply(schema *arrow.Schema, batches []arrow.Record, rejects []stages.Reject, repeats [][2]int64) ([]byte, error) {
	metadata := replyMetadata{Rejects: [][2]any{}, Repeats: append([][2]int64{}, repeats...)}
	for _, r := range rejects {
		metadata.Rejects = append(metadata.Rejects, [2]any{r.Row, r.Reason})
	}
	text, err := json.Marshal(metadata)
	if err != nil {
		return nil, err
	}
	with := arrow.NewMetadata([]string{metadataKey}, []string{string(text)})
	return encodeStream(arrow.NewSchema(schema.Fields(), &with), batches)
}

// encodeError returns the message of the reply to a failed request.
func encodeError(failed error) ([]byte, error) {
	b := array.NewRecordBuilder(memory.DefaultAllocator, errorColumns)
	defer b.Release()
	row := int64(-1)
	var of *rowError
	if errors.As(failed, &of) {
		row = of.row
	}
	b.Field(0).(*array.StringBuilder).Append(failed.Error())
	b.Field(1).(*array.Int64Builder).Append(row)
	batch := b.NewRecord()
	defer batch.Release()
	return encodeStream(errorColumns, []arrow.Record{batch})
}

func encodeStream(schema *arrow.Schema, batches []arrow.Record) ([]byte, error) {
	var out bytes.Buffer
	w := ipc.NewWriter(&out, ipc.WithSchema(schema))
	for _, b := range batches {
		same := array.NewRecord(schema, b.Columns(), b.NumRows())
		err := w.Write(same)
		same.Release()
		if err != nil {
			return nil, errors.Join(err, w.Close())
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
