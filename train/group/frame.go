package group

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// A frame is a head of 16 bytes, then a payload:
//
//	0  "cg", the version of the protocol, the kind
//	4  length of the payload, uint32, little-endian as all of the head
//	8  the operation, three bytes of 0
//	12 which operation of the group it is, uint32
const (
	version   = 2
	headBytes = 16
	// blockBytes is the longest payload. A part of an operation is cut into blocks,
	// so that no length that a peer sends is memory taken.
	blockBytes = 256 << 10
)

type kind byte

const (
	knock     kind = iota + 1 // a rank to one that listens: a nonce
	challenge                 // its answer: a nonce
	hello                     // a greeting
	welcome                   // the answer to it: of rank 0, addresses
	refuse                    // rank 0 to one that may not join: why
	block                     // of an operation, more follow
	last                      // of an operation, the last of a part
	failed                    // why a rank ends
	bye                       // a rank ends, and nothing is wrong
	kinds
)

// operation names what ranks do together.
type operation byte

const (
	opNone operation = iota
	opSum
	opSum32
	opGather
	opGatherBytes
	opBroadcast
	operations
)

func (o operation) String() string {
	return [...]string{"nothing", "Sum", "Sum32", "Gather", "GatherBytes", "Broadcast"}[o]
}

type head struct {
	kind   kind
	op     operation
	number uint32 // of the operation
	length int    // of the payload
}

var errStranger = errors.New("what it sent is not of capgraph's protocol")

// versionError says that a peer speaks another version of the protocol.
type versionError byte

func (v versionError) Error() string {
	return fmt.Sprintf("it speaks version %d of the protocol, this process %d: start the same capgraph everywhere", byte(v), version)
}

// put writes a head at the start of b.
func (h head) put(b []byte) {
	b[0], b[1], b[2], b[3] = 'c', 'g', version, byte(h.kind)
	binary.LittleEndian.PutUint32(b[4:], uint32(h.length))
	b[8], b[9], b[10], b[11] = byte(h.op), 0, 0, 0
	binary.LittleEndian.PutUint32(b[12:], h.number)
}

func parseHead(b []byte) (head, error) {
	if b[0] != 'c' || b[1] != 'g' {
		return head{}, errStranger
	}
	if b[2] != version {
		return head{}, versionError(b[2])
	}
	h := head{kind: kind(b[3]), op: operation(b[8]), number: binary.LittleEndian.Uint32(b[12:])}
	length := binary.LittleEndian.Uint32(b[4:])
	if h.kind == 0 || h.kind >= kinds || h.op >= operations || length > blockBytes || b[9]|b[10]|b[11] != 0 {
		return head{}, errStranger
	}
	h.length = int(length)
	return h, nil
}

// writeMessage writes a frame whose payload is JSON.
func writeMessage(w io.Writer, k kind, message any) error {
	payload, err := json.Marshal(message)
	if err != nil {
		return err
	}
	return writeFrame(w, k, payload)
}

func writeFrame(w io.Writer, k kind, payload []byte) error {
	if len(payload) > blockBytes {
		return fmt.Errorf("a message of %d bytes is longer than %d", len(payload), blockBytes)
	}
	b := make([]byte, headBytes, headBytes+len(payload))
	head{kind: k, length: len(payload)}.put(b)
	_, err := w.Write(append(b, payload...))
	return err
}

// readFrame reads a frame of a stranger: memory is taken as bytes arrive.
func readFrame(r io.Reader) (head, []byte, error) {
	var b [headBytes]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return head{}, nil, err
	}
	h, err := parseHead(b[:])
	if err != nil {
		return head{}, nil, err
	}
	payload, err := io.ReadAll(io.LimitReader(r, int64(h.length)))
	if err == nil && len(payload) < h.length {
		err = io.ErrUnexpectedEOF
	}
	return h, payload, err
}
