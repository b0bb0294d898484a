package replies

import (
	"errors"
	"slices"
)

// The reasons why a text has no usable reply. In rejects they have the prefix "llm_".
var (
	ErrNoAnswer    = errors.New("no_answer")    // no text, or no JSON object in it
	ErrOnlyThought = errors.New("only_thought") // reasoning without an answer
	ErrEchoed      = errors.New("echoed")       // repeats the prompt
	ErrNotJSON     = errors.New("not_json")     // a JSON object that is incomplete or invalid
	ErrWrongSchema = errors.New("wrong_schema") // a JSON object without the required fields
	ErrTruncated   = errors.New("truncated")    // ran out of tokens, twice
	ErrRefused     = errors.New("refused")      // stopped by the server's content filter
	ErrNotSaid     = errors.New("not_said")     // has no entity that the caption names
	ErrDeclined    = errors.New("declined")     // the server does not answer this request (400, 413, 422)
	ErrUnanswered  = errors.New("unanswered")   // every attempt failed
	ErrNotAsked    = errors.New(NotAsked)       // not in the cache, and no endpoint to ask
)

// NotAsked is the reason of a text that has no reply in the cache and no endpoint to ask.
const NotAsked = "not_asked"

// NumReasons is the number of reasons.
const NumReasons = 11

// Reasons are the reasons in the order of ReasonIndex.
var Reasons = [NumReasons]error{
	ErrNoAnswer, ErrOnlyThought, ErrEchoed, ErrNotJSON, ErrWrongSchema, ErrTruncated, ErrRefused, ErrNotSaid, ErrDeclined, ErrUnanswered, ErrNotAsked,
}

// ReasonIndex returns the index of a reason in Reasons, or −1.
func ReasonIndex(err error) int { return slices.Index(Reasons[:], err) }
