package replies

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"time"
)

// Key identifies a question: the hash of model, prompt version, sampling and text.
type Key [sha256.Size]byte

// String returns the key in hexadecimal, as batch files have it.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// parseKey returns the key that String wrote.
func parseKey(s string) (k Key, err error) {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != len(k) {
		return Key{}, fmt.Errorf("%.80q is not a key of %d hexadecimal digits", s, 2*len(k))
	}
	copy(k[:], b)
	return k, nil
}

// NewKey returns the hash of parts, each with its length.
func NewKey(parts ...string) (k Key) {
	h := sha256.New()
	var n [8]byte
	for _, p := range parts {
		binary.LittleEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		h.Write([]byte(p))
	}
	h.Sum(k[:0])
	return k
}

// Values of Record.Finish.
const (
	FinishLength = "length"         // the reply was cut off at its limit of tokens
	FinishFilter = "content_filter" // the server's content filter stopped the reply
)

// Record is a reply as a server sent it, with its question. The decoded graph is not stored, so
// that a new version of the decoder needs no new reply.
type Record struct {
	Model   string   `json:"model"`
	Prompt  string   `json:"prompt"`         // version
	Text    string   `json:"text,omitempty"` // the caption or phrase; empty if the reply is from a batch file
	Form    string   `json:"form"`
	Content string   `json:"content"`
	Finish  string   `json:"finish,omitempty"`  // why the model stopped: stop, length, content_filter
	LogProb *float64 `json:"logprob,omitempty"` // mean log-probability of a token, natural log
	In      int      `json:"in,omitempty"`      // tokens of the prompt
	Out     int      `json:"out,omitempty"`     // tokens of the reply
	Room    int      `json:"room,omitempty"`    // limit of tokens for the reply
	// Round counts how often the question was asked. It is odd if the reply is marked to be asked
	// for again, after a run that failed because of unusable replies.
	Round int `json:"round,omitempty"`

	Took      time.Duration `json:"-"` // duration of the request; 0 if the reply is from the cache
	WriteWait time.Duration `json:"-"` // how long it may wait for other replies to be written with it
}

// IsSufficient reports whether a cached reply can still be used: it is not marked to be asked for
// again, and it was not cut off at a lower limit of tokens than now. room is the question's first
// limit, most the limit in the settings.
func (r *Record) IsSufficient(room, most int) bool {
	return r != nil && r.Round%2 == 0 && !r.WasTruncated(room, most)
}

// NextRound returns the round of a reply that replaces r.
func (r *Record) NextRound() int { return r.Round + r.Round%2 }

// WasTruncated reports whether the reply was cut off at a lower limit of tokens than it would have
// now. room is the question's first limit, most the limit in the settings.
func (r *Record) WasTruncated(room, most int) bool {
	return r.Finish == FinishLength && r.Room < min(NextMaxTokens(room), most)
}

// NextMaxTokens returns the limit of tokens for the second attempt, after the reply with limit room
// was cut off.
func NextMaxTokens(room int) int { return 4 * room }
