package group

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// A frame is a header of 16 bytes, then a payload:
//
//	0  "cg", the version of the protocol, the kind
//	4  length of the payload, uint32, little-endian like the whole header
//	8  the operation, three bytes of 0
//	12 the operation's number in the group, uint32
const (
	version     = 2
	headerBytes = 16
	// blockBytes is the maximum length of a payload. Each rank's part of an operation is split into
	// blocks, so that a length sent by a peer cannot make this process allocate any amount of
	// memory.
	blockBytes = 256 << 10
)

// messageKind is the kind of a frame's content.
type messageKind byte

const (
	kindNonce     messageKind = iota + 1 // client to server: a nonce
	kindChallenge                        // server to client: a nonce
	kindGreeting                         // client to server: a greeting
	kindAccept                           // the reply to a greeting, a peerList
	kindRefuse                           // the reply of rank 0 to a process that may not join: the reason
	kindBlock                            // a block of an operation; more follow
	kindLastBlock                        // the last block of a part
	kindFailed                           // the sender leaves the group because of an error
	kindClose                            // the sender leaves the group without an error
	messageKinds
)

// operation is a collective operation.
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

type frameHeader struct {
	kind   messageKind
	op     operation
	number uint32 // of the operation
	length int    // of the payload
}

var errNotProtocol = errors.New("what it sent is not capgraph's protocol")

// versionError is the error of a peer that speaks another version of the protocol.
type versionError byte

func (v versionError) Error() string {
	return fmt.Sprintf("it speaks version %d of the protocol, this process %d: start the same capgraph everywhere", byte(v), version)
}

// encodeTo writes a header to the start of b.
func (h frameHeader) encodeTo(b []byte) {
	b[0], b[1], b[2], b[3] = 'c', 'g', version, byte(h.kind)
	binary.LittleEndian.PutUint32(b[4:], uint32(h.length))
	b[8], b[9], b[10], b[11] = byte(h.op), 0, 0, 0
	binary.LittleEndian.PutUint32(b[12:], h.number)
}

func parseHeader(b []byte) (frameHeader, error) {
	if b[0] != 'c' || b[1] != 'g' {
		return frameHeader{}, errNotProtocol
	}
	if b[2] != version {
		return frameHeader{}, versionError(b[2])
	}
	h := frameHeader{kind: messageKind(b[3]), op: operation(b[8]), number: binary.LittleEndian.Uint32(b[12:])}
	length := binary.LittleEndian.Uint32(b[4:])
	if h.kind == 0 || h.kind >= messageKinds || h.op >= operations || length > blockBytes || b[9]|b[10]|b[11] != 0 {
		return frameHeader{}, errNotProtocol
	}
	h.length = int(length)
	return h, nil
}

// writeMessage writes a frame whose payload is JSON.
func writeMessage(w io.Writer, k messageKind, message any) error {
	payload, err := json.Marshal(message)
	if err != nil {
		return err
	}
	return writeFrame(w, k, payload)
}

func writeFrame(w io.Writer, k messageKind, payload []byte) error {
	if len(payload) > blockBytes {
		return fmt.Errorf("a message of %d bytes is longer than %d", len(payload), blockBytes)
	}
	b := make([]byte, headerBytes, headerBytes+len(payload))
	frameHeader{kind: k, length: len(payload)}.encodeTo(b)
	_, err := w.Write(append(b, payload...))
	return err
}

// readFrame reads a frame from an unknown sender. It allocates memory only as bytes arrive.
func readFrame(r io.Reader) (frameHeader, []byte, error) {
	var b [headerBytes]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return frameHeader{}, nil, err
	}
	h, err := parseHeader(b[:])
	if err != nil {
		return frameHeader{}, nil, err
	}
	payload, err := io.ReadAll(io.LimitReader(r, int64(h.length)))
	if err == nil && len(payload) < h.length {
		err = io.ErrUnexpectedEOF
	}
	return h, payload, err
}
