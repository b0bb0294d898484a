package parquetio

import (
	"encoding/binary"
	"errors"
	"fmt"
)

const (
	// thriftDepth bounds how deep structs and lists are nested.
	thriftDepth = 32
	// thriftElements is the largest number of elements of all lists together. A list element can
	// have a single byte, for which the decoder allocates up to 560 bytes.
	thriftElements = 1 << 20
)

var (
	errThriftEnd    = errors.New("metadata is cut off")
	errThriftLength = errors.New("metadata claims more than there is")
	errThriftDepth  = errors.New("metadata is nested too deep")
	errThriftType   = errors.New("metadata is damaged")
	errThriftMany   = fmt.Errorf("metadata lists more than %d row groups, columns, encodings and statistics in all (write the file with larger row groups)", thriftElements)
)

// thriftSize returns the length in bytes of the struct at the beginning of data.
func thriftSize(data []byte) (int, error) {
	w := thriftWalk{data: data}
	err := w.walkStruct(0)
	return len(data) - len(w.data), err
}

type thriftWalk struct {
	data     []byte
	elements uint64
}

func (w *thriftWalk) readByte() (byte, error) {
	if len(w.data) == 0 {
		return 0, errThriftEnd
	}
	b := w.data[0]
	w.data = w.data[1:]
	return b, nil
}

func (w *thriftWalk) readVarint() (uint64, error) {
	v, n := binary.Uvarint(w.data)
	switch {
	case n == 0:
		return 0, errThriftEnd
	case n < 0:
		return 0, errThriftLength
	}
	w.data = w.data[n:]
	return v, nil
}

func (w *thriftWalk) skipBytes(n uint64) error {
	if n > uint64(len(w.data)) {
		return errThriftEnd
	}
	w.data = w.data[n:]
	return nil
}

func (w *thriftWalk) walkStruct(depth int) error {
	if depth > thriftDepth {
		return errThriftDepth
	}
	for {
		head, err := w.readByte()
		if err != nil {
			return err
		}
		if head == 0 {
			return nil
		}
		if head>>4 == 0 { // the field's number follows the header
			if _, err := w.readVarint(); err != nil {
				return err
			}
		}
		if err := w.walkValue(head&0x0f, depth, false); err != nil {
			return err
		}
	}
}

// walkValue moves past a value of a type. A boolean field has no bytes besides its header; a
// boolean element is one byte.
func (w *thriftWalk) walkValue(typ byte, depth int, element bool) error {
	switch typ {
	case 1, 2: // true, false
		if element {
			return w.skipBytes(1)
		}
		return nil
	case 3: // byte
		return w.skipBytes(1)
	case 4, 5, 6: // i16, i32, i64
		_, err := w.readVarint()
		return err
	case 7: // double
		return w.skipBytes(8)
	case 8: // binary
		n, err := w.readVarint()
		if err != nil {
			return err
		}
		return w.skipBytes(n)
	case 9, 10: // list, set
		return w.walkList(depth)
	case 12:
		return w.walkStruct(depth + 1)
	}
	return errThriftType
}

func (w *thriftWalk) walkList(depth int) error {
	if depth > thriftDepth {
		return errThriftDepth
	}
	head, err := w.readByte()
	if err != nil {
		return err
	}
	n := uint64(head >> 4)
	if n == 15 {
		if n, err = w.readVarint(); err != nil {
			return err
		}
	}
	if n > uint64(len(w.data)) {
		return errThriftLength
	}
	if w.elements += n; w.elements > thriftElements {
		return errThriftMany
	}
	for range n {
		if err := w.walkValue(head&0x0f, depth+1, true); err != nil {
			return err
		}
	}
	return nil
}
