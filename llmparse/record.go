package llmparse

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"time"
)

// Key identifies a question: the hash of model, prompt version, sampling and
// text.
type Key [sha256.Size]byte

// String is the key in hexadecimal, as batch files write it.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// parseKey reads what String wrote.
func parseKey(s string) (k Key, err error) {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != len(k) {
		return Key{}, fmt.Errorf("%.80q is not a key of %d hexadecimal digits", s, 2*len(k))
	}
	copy(k[:], b)
	return k, nil
}

// newKey hashes parts, each with its length.
func newKey(parts ...string) (k Key) {
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

// Record is a reply as it came, with what made it. Decoding is not cached, so
// that a better decoder needs no new reply.
type Record struct {
	Model   string   `json:"model"`
	Prompt  string   `json:"prompt"`
	Text    string   `json:"text,omitempty"` // what was asked of; empty where it came from a batch file
	Form    string   `json:"form"`
	Content string   `json:"content"`
	Finish  string   `json:"finish,omitempty"`  // why the model stopped: stop, length, content_filter
	LogProb *float64 `json:"logprob,omitempty"` // mean log-probability of a token, natural log
	In      int      `json:"in,omitempty"`      // tokens of the prompt
	Out     int      `json:"out,omitempty"`     // tokens of the reply
	Room    int      `json:"room,omitempty"`    // the most tokens it was allowed
	Round   int      `json:"round,omitempty"`   // odd: a run failed for replies of no use, this among them, and it is to be asked for anew; even: it was

	took  time.Duration // from the question to the answer; 0 if it was not asked now
	share time.Duration // how long its write may wait for others
	read  *reply        // what Content says, once readable has found that it can be used
}

// Usable reports whether a reply can be read. One that cannot is kept all the
// same, so that it is not paid for again.
func (r *Record) Usable() bool {
	switch r.Prompt {
	case PromptVersion:
		_, err := readReply(r.Content)
		return err == nil
	case FillVersion:
		return isUsableFilling(r)
	case WholeVersion:
		return r.isUsableWhole()
	}
	return r.Content != ""
}
