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
	p := Place{Rank: 1, World: 3, LocalRank: 1, LocalWorld: 3, Master: "h:1"}
	message := func(k kind, m any) []byte {
		var b bytes.Buffer
		if err := writeMessage(&b, k, m); err != nil {
			f.Fatal(err)
		}
		return b.Bytes()
	}
	f.Add(message(hello, greeting{Token: token(p), World: 3, Rank: 2, Port: 9, Terms: []Term{{"recipe", "x"}}}))
	f.Add(message(welcome, invitation{[]string{"", "a:1", ":2"}}))
	f.Add(message(refuse, fault{2, "no"}))
	f.Add(message(bye, nil))
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
		if g, err := parseGreeting(h, payload, p); err == nil && (h.kind != hello || g.Token != token(p)) {
			t.Fatalf("%+v may come in", g)
		}
		if i, err := parseInvitation(h, payload, p); err == nil && (h.kind != welcome || len(i.Peers) != p.World) {
			t.Fatalf("%+v is an invitation", i)
		}
	})
}
