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

// A handshake is four messages. The process that connects is the client, the one that listens the
// server:
//
//	client  kindNonce      a nonce
//	server  kindChallenge  a nonce
//	client  kindGreeting   a greeting, signed
//	server  kindAccept     a peer list, signed; or kindRefuse: the reason, signed
//
// A signature is HMAC-SHA256 over both nonces, the kind of the message and the message. Both sides
// derive its key from the secret and the job. So each proves that it knows the secret without
// sending it, and recorded messages are of no use in another handshake.
const (
	nonceBytes = 32
	macBytes   = sha256.Size
)

// errWrongKey is the error of a message that was signed with another key.
var errWrongKey = fmt.Errorf("it belongs to another job, or its %s differs", SecretVariable)

// handshake is one side's state of a handshake.
type handshake struct {
	key                      []byte
	clientNonce, serverNonce nonce
}

type nonce [nonceBytes]byte

func newNonce() (n nonce) {
	_, _ = rand.Read(n[:]) // never fails
	return n
}

// jobKey returns the key of a job, derived from its secret, name and port. Without a secret,
// whoever knows the name and the port of rank 0 can derive it.
func jobKey(p Place) []byte {
	h := hmac.New(sha256.New, []byte(p.Secret))
	fmt.Fprintf(h, "capgraph %d %q %s", version, p.Job, portOf(p.Master))
	return h.Sum(nil)
}

func (s *handshake) computeMAC(k messageKind, message []byte) []byte {
	h := hmac.New(sha256.New, s.key)
	h.Write([]byte{byte(k)})
	h.Write(s.clientNonce[:])
	h.Write(s.serverNonce[:])
	h.Write(message)
	return h.Sum(nil)
}

// sendSigned writes a signed message.
func (s *handshake) sendSigned(conn net.Conn, k messageKind, message any) error {
	data, err := json.Marshal(message)
	if err != nil {
		return err
	}
	return writeFrame(conn, k, append(s.computeMAC(k, data), data...))
}

// verifyMessage verifies a signed payload and returns its message. The error is errWrongKey if it
// was signed with another key.
func (s *handshake) verifyMessage(k messageKind, payload []byte) ([]byte, error) {
	if len(payload) < macBytes {
		return nil, errNotProtocol
	}
	sum, message := payload[:macBytes], payload[macBytes:]
	if !hmac.Equal(sum, s.computeMAC(k, message)) {
		return nil, errWrongKey
	}
	return message, nil
}

// readNonce reads a frame with a nonce.
func readNonce(conn net.Conn, want messageKind, n *nonce) error {
	h, payload, err := readFrame(conn)
	if err != nil {
		return err
	}
	if h.kind != want || len(payload) != nonceBytes {
		return errNotProtocol
	}
	copy(n[:], payload)
	return nil
}

// receiveGreeting is the server's side: it exchanges nonces and returns the client's greeting.
func (s *handshake) receiveGreeting(conn net.Conn) (greeting, error) {
	if err := readNonce(conn, kindNonce, &s.clientNonce); err != nil {
		return greeting{}, err
	}
	s.serverNonce = newNonce()
	if err := writeFrame(conn, kindChallenge, s.serverNonce[:]); err != nil {
		return greeting{}, err
	}
	h, payload, err := readFrame(conn)
	if err != nil {
		return greeting{}, err
	}
	return s.parseGreeting(h, payload)
}

// parseGreeting verifies and decodes a greeting.
func (s *handshake) parseGreeting(h frameHeader, payload []byte) (greeting, error) {
	if h.kind != kindGreeting {
		return greeting{}, errNotProtocol
	}
	message, err := s.verifyMessage(kindGreeting, payload)
	var g greeting
	if err == nil && json.Unmarshal(message, &g) != nil {
		err = errNotProtocol
	}
	return g, err
}

// sendGreeting is the client's side: it exchanges nonces and sends a greeting.
func (s *handshake) sendGreeting(conn net.Conn, g greeting) error {
	s.clientNonce = newNonce()
	if err := writeFrame(conn, kindNonce, s.clientNonce[:]); err != nil {
		return err
	}
	if err := readNonce(conn, kindChallenge, &s.serverNonce); err != nil {
		return err
	}
	return s.sendSigned(conn, kindGreeting, g)
}

// receiveReply reads and returns the server's reply to a greeting. The error is a RankError if the
// server refuses.
func (s *handshake) receiveReply(conn net.Conn) (peerList, error) {
	h, payload, err := readFrame(conn)
	if err != nil {
		return peerList{}, err
	}
	return s.parseReply(h, payload)
}

func (s *handshake) parseReply(h frameHeader, payload []byte) (peerList, error) {
	if h.kind != kindAccept && h.kind != kindRefuse {
		return peerList{}, errNotProtocol
	}
	message, err := s.verifyMessage(h.kind, payload)
	if err != nil {
		return peerList{}, err
	}
	if h.kind == kindRefuse {
		var f fault
		if json.Unmarshal(message, &f) != nil {
			return peerList{}, errNotProtocol
		}
		return peerList{}, &RankError{f.Rank, errors.New(f.Text)}
	}
	var list peerList
	if json.Unmarshal(message, &list) != nil {
		return peerList{}, errNotProtocol
	}
	return list, nil
}
