package group

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net"
)

// Two processes get to know each other in four messages. The one that connects is the guest, the
// one that listens the host:
//
//	guest  knock      a nonce
//	host   challenge  a nonce
//	guest  hello      a greeting, signed
//	host   welcome    an invitation, signed; or refuse: why, signed
//
// A signature is HMAC-SHA256 with a key that both derive from the secret and from the job, over
// both nonces, the kind of the message and the message. So each side shows that it knows the
// secret, which is not sent, and what was overheard is of no use in another conversation.
const (
	nonceBytes = 32
	macBytes   = sha256.Size
)

// errOtherKey is the error of a signature that was made with another key.
var errOtherKey = fmt.Errorf("it is of another job, or its %s is another", SecretVariable)

// handshake is a conversation, as one side of it knows it.
type handshake struct {
	key         []byte
	guest, host nonce
}

type nonce [nonceBytes]byte

func newNonce() (n nonce) {
	_, _ = rand.Read(n[:]) // never fails
	return n
}

// jobKey derives the key of a job. Without a secret, whoever knows the name of the job and the
// port of rank 0 can derive it.
func jobKey(p Place) []byte {
	h := hmac.New(sha256.New, []byte(p.Secret))
	fmt.Fprintf(h, "capgraph %d %q %s", version, p.Job, port(p.Master))
	return h.Sum(nil)
}

func (s *handshake) mac(k kind, message []byte) []byte {
	h := hmac.New(sha256.New, s.key)
	h.Write([]byte{byte(k)})
	h.Write(s.guest[:])
	h.Write(s.host[:])
	h.Write(message)
	return h.Sum(nil)
}

// send writes a signed message.
func (s *handshake) send(conn net.Conn, k kind, message any) error {
	data, err := json.Marshal(message)
	if err != nil {
		return err
	}
	return writeFrame(conn, k, append(s.mac(k, data), data...))
}

// open returns the message of a signed payload. The error is errOtherKey if another key signed it.
func (s *handshake) open(k kind, payload []byte) ([]byte, error) {
	if len(payload) < macBytes {
		return nil, errStranger
	}
	sum, message := payload[:macBytes], payload[macBytes:]
	if !hmac.Equal(sum, s.mac(k, message)) {
		return nil, errOtherKey
	}
	return message, nil
}

// readNonce reads a frame of that kind with a nonce in it.
func readNonce(conn net.Conn, want kind, n *nonce) error {
	h, payload, err := readFrame(conn)
	if err != nil {
		return err
	}
	if h.kind != want || len(payload) != nonceBytes {
		return errStranger
	}
	copy(n[:], payload)
	return nil
}

// receive is the host's side: it reads who the guest is.
func (s *handshake) receive(conn net.Conn) (greeting, error) {
	if err := readNonce(conn, knock, &s.guest); err != nil {
		return greeting{}, err
	}
	s.host = newNonce()
	if err := writeFrame(conn, challenge, s.host[:]); err != nil {
		return greeting{}, err
	}
	h, payload, err := readFrame(conn)
	if err != nil {
		return greeting{}, err
	}
	return s.greeting(h, payload)
}

// greeting reads a hello.
func (s *handshake) greeting(h head, payload []byte) (greeting, error) {
	if h.kind != hello {
		return greeting{}, errStranger
	}
	message, err := s.open(hello, payload)
	var g greeting
	if err == nil && json.Unmarshal(message, &g) != nil {
		err = errStranger
	}
	return g, err
}

// introduce is the guest's side: it says who it is.
func (s *handshake) introduce(conn net.Conn, g greeting) error {
	s.guest = newNonce()
	if err := writeFrame(conn, knock, s.guest[:]); err != nil {
		return err
	}
	if err := readNonce(conn, challenge, &s.host); err != nil {
		return err
	}
	return s.send(conn, hello, g)
}

// answer reads what the host says to that. The error is a RankError if it refuses.
func (s *handshake) answer(conn net.Conn) (invitation, error) {
	h, payload, err := readFrame(conn)
	if err != nil {
		return invitation{}, err
	}
	return s.invitation(h, payload)
}

func (s *handshake) invitation(h head, payload []byte) (invitation, error) {
	if h.kind != welcome && h.kind != refuse {
		return invitation{}, errStranger
	}
	message, err := s.open(h.kind, payload)
	if err != nil {
		return invitation{}, err
	}
	if h.kind == refuse {
		var f fault
		if json.Unmarshal(message, &f) != nil {
			return invitation{}, errStranger
		}
		return invitation{}, &RankError{f.Rank, errors.New(f.Text)}
	}
	var i invitation
	if json.Unmarshal(message, &i) != nil {
		return invitation{}, errStranger
	}
	return i, nil
}
