package group

import (
	"bytes"
	"errors"
	"testing"
)

func TestHeads(t *testing.T) {
	var b [headerBytes]byte
	want := frameHeader{kind: kindLastBlock, op: opBroadcast, number: 1<<32 - 1, length: blockBytes}
	want.encodeTo(b[:])
	if got, err := parseHeader(b[:]); err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	for at, value := range map[int]byte{0: 'x', 1: 0, 3: 0, 5: 255, 8: byte(operations), 10: 1} {
		c := b
		c[at] = value
		if _, err := parseHeader(c[:]); !errors.Is(err, errNotProtocol) {
			t.Errorf("byte %d is %d: %v", at, value, err)
		}
	}
}

// FuzzFrame reads frames of unknown senders. Only signed messages are accepted, no more memory is
// taken than was sent, and a header that was read encodes to the same bytes.
func FuzzFrame(f *testing.F) {
	hs := &handshake{key: []byte("k")}
	message := func(k messageKind, m string) []byte {
		var b bytes.Buffer
		if err := writeFrame(&b, k, append(hs.computeMAC(k, []byte(m)), m...)); err != nil {
			f.Fatal(err)
		}
		return b.Bytes()
	}
	f.Add(message(kindGreeting, `{"world": 3, "rank": 2, "port": 9, "terms": [{"name": "recipe", "value": "x"}]}`))
	f.Add(message(kindGreeting, `{"world": -3, "rank": 1e3}`))
	f.Add(message(kindAccept, `{"peers": ["", "a:1", ":2"]}`))
	f.Add(message(kindRefuse, `{"rank": 2, "text": "no"}`))
	f.Add(message(kindClose, ""))
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"))
	f.Add([]byte{'c', 'g', version, byte(kindGreeting), 255, 255, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, '{'})
	f.Fuzz(func(t *testing.T, b []byte) {
		h, payload, err := readFrame(bytes.NewReader(b))
		if err != nil {
			return
		}
		if len(payload) != h.length || headerBytes+h.length > len(b) {
			t.Fatalf("%d bytes of %d", len(payload), h.length)
		}
		again := make([]byte, headerBytes)
		h.encodeTo(again)
		if !bytes.Equal(again, b[:headerBytes]) {
			t.Fatalf("%v became %v", b[:headerBytes], again)
		}
		signed := len(payload) >= macBytes && bytes.Equal(payload[:macBytes], hs.computeMAC(h.kind, payload[macBytes:]))
		if g, err := hs.parseGreeting(h, payload); err == nil && (h.kind != kindGreeting || !signed) {
			t.Fatalf("%+v may come in", g)
		}
		i, err := hs.parseReply(h, payload)
		if _, refused := errors.AsType[*RankError](err); err == nil && (h.kind != kindAccept || !signed) || refused && (h.kind != kindRefuse || !signed) {
			t.Fatalf("%+v, %v is an answer", i, err)
		}
	})
}
