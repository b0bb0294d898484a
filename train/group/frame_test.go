package group

import (
	"bytes"
	"errors"
	"testing"
)

func TestHeads(t *testing.T) {
	var b [headBytes]byte
	want := head{kind: last, op: opBroadcast, number: 1<<32 - 1, length: blockBytes}
	want.put(b[:])
	if got, err := parseHead(b[:]); err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	for at, value := range map[int]byte{0: 'x', 1: 0, 3: 0, 5: 255, 8: byte(operations), 10: 1} {
		c := b
		c[at] = value
		if _, err := parseHead(c[:]); !errors.Is(err, errStranger) {
			t.Errorf("byte %d is %d: %v", at, value, err)
		}
	}
}

// FuzzFrame reads what strangers may send: no error may be missing, no memory taken
// that was not sent, and what is read can be written.
func FuzzFrame(f *testing.F) {
	talk := &handshake{key: []byte("k")}
	message := func(k kind, m string) []byte {
		var b bytes.Buffer
		if err := writeFrame(&b, k, append(talk.mac(k, []byte(m)), m...)); err != nil {
			f.Fatal(err)
		}
		return b.Bytes()
	}
	f.Add(message(hello, `{"world": 3, "rank": 2, "port": 9, "terms": [{"name": "recipe", "value": "x"}]}`))
	f.Add(message(hello, `{"world": -3, "rank": 1e3}`))
	f.Add(message(welcome, `{"peers": ["", "a:1", ":2"]}`))
	f.Add(message(refuse, `{"rank": 2, "text": "no"}`))
	f.Add(message(bye, ""))
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"))
	f.Add([]byte{'c', 'g', version, byte(hello), 255, 255, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, '{'})
	f.Fuzz(func(t *testing.T, b []byte) {
		h, payload, err := readFrame(bytes.NewReader(b))
		if err != nil {
			return
		}
		if len(payload) != h.length || headBytes+h.length > len(b) {
			t.Fatalf("%d bytes of %d", len(payload), h.length)
		}
		again := make([]byte, headBytes)
		h.put(again)
		if !bytes.Equal(again, b[:headBytes]) {
			t.Fatalf("%v became %v", b[:headBytes], again)
		}
		signed := len(payload) >= macBytes && bytes.Equal(payload[:macBytes], talk.mac(h.kind, payload[macBytes:]))
		if g, err := talk.greeting(h, payload); err == nil && (h.kind != hello || !signed) {
			t.Fatalf("%+v may come in", g)
		}
		i, err := talk.invitation(h, payload)
		if _, refused := errors.AsType[*RankError](err); err == nil && (h.kind != welcome || !signed) || refused && (h.kind != refuse || !signed) {
			t.Fatalf("%+v, %v is an answer", i, err)
		}
	})
}
