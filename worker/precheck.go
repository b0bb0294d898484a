package worker

import (
	"encoding/binary"
	"errors"
	"fmt"

	flatbuffers "github.com/google/flatbuffers/go"
)

// Slots of the tables in Arrow's Message.fbs and Schema.fbs that are checked.
const (
	slotMessageHeaderType = 6
	slotMessageHeader     = 8
	slotMessageBodyLength = 10
	slotMessageMetadata   = 12
	slotSchemaFields      = 6
	slotSchemaMetadata    = 8
	slotFieldDictionary   = 12
	slotFieldChildren     = 14
	slotFieldMetadata     = 16
)

// headerSchema and headerBatch are the types of messages that a request may contain.
const (
	headerSchema = 1
	headerBatch  = 3
)

// continuation begins each message of a stream of Arrow IPC.
const continuation = 0xffffffff

var errBroken = errors.New("a length in it is greater than the message")

// checkStream checks the lengths in a stream of Arrow IPC, since Arrow's decoder allocates memory
// by them. It may panic at offsets that lead outside the stream.
func checkStream(stream []byte) error {
	for len(stream) > 0 {
		if len(stream) < 8 || binary.LittleEndian.Uint32(stream) != continuation {
			return errors.New("a message in it does not begin with a continuation and a length")
		}
		size := uint64(binary.LittleEndian.Uint32(stream[4:]))
		stream = stream[8:]
		if size == 0 {
			return nil
		}
		if size > uint64(len(stream)) || size < 8 {
			return errBroken
		}
		body, err := checkMetadata(stream[:size])
		if err != nil {
			return err
		}
		stream = stream[size:]
		if body > uint64(len(stream)) {
			return errBroken
		}
		stream = stream[body:]
	}
	return nil
}

// checkMetadata checks the metadata of a message and returns the length of the body that follows.
func checkMetadata(metadata []byte) (body uint64, err error) {
	message := flatbuffers.Table{Bytes: metadata, Pos: flatbuffers.GetUOffsetT(metadata)}
	if err := checkVectors(&message, slotMessageMetadata); err != nil {
		return 0, err
	}
	body = uint64(message.GetInt64Slot(slotMessageBodyLength, 0))
	at := flatbuffers.UOffsetT(message.Offset(slotMessageHeader))
	if at == 0 {
		return 0, errors.New("a message in it has no header")
	}
	var header flatbuffers.Table
	message.Union(&header, at)
	switch kind := message.GetByteSlot(slotMessageHeaderType, 0); kind {
	case headerBatch:
		return body, nil
	case headerSchema:
		return body, checkSchema(&header)
	default:
		return 0, fmt.Errorf("a message in it is of type %d", kind)
	}
}

// checkSchema checks a schema. The columns of a request may have no children and no dictionaries.
func checkSchema(schema *flatbuffers.Table) error {
	if err := checkVectors(schema, slotSchemaFields, slotSchemaMetadata); err != nil {
		return err
	}
	at := flatbuffers.UOffsetT(schema.Offset(slotSchemaFields))
	if at == 0 {
		return nil
	}
	first := schema.Vector(at)
	for i := range schema.VectorLen(at) {
		field := flatbuffers.Table{Bytes: schema.Bytes, Pos: schema.Indirect(first + flatbuffers.UOffsetT(4*i))}
		if err := checkVectors(&field, slotFieldChildren, slotFieldMetadata); err != nil {
			return err
		}
		if at := flatbuffers.UOffsetT(field.Offset(slotFieldChildren)); at != 0 && field.VectorLen(at) > 0 {
			return errors.New("a column of it is nested, not string")
		}
		if field.Offset(slotFieldDictionary) != 0 {
			return errors.New("a column of it has a dictionary: cast it to string")
		}
	}
	return nil
}

// checkVectors returns an error if a vector in one of slots is longer than the table's bytes.
func checkVectors(table *flatbuffers.Table, slots ...flatbuffers.VOffsetT) error {
	for _, slot := range slots {
		if at := flatbuffers.UOffsetT(table.Offset(slot)); at != 0 && table.VectorLen(at) > len(table.Bytes)/4 {
			return errBroken
		}
	}
	return nil
}
