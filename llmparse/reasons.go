package llmparse

import (
	"errors"
	"slices"
)

// Reasons why a text has no graph of the model's. As rejects they carry the
// prefix "llm_".
var (
	errNoAnswer    = errors.New("no_answer")    // nothing written, or nothing that begins a JSON object
	errOnlyThought = errors.New("only_thought") // reasoning that does not come to an answer
	errEchoed      = errors.New("echoed")       // repeats the prompt
	errNotJSON     = errors.New("not_json")     // begins one and does not end it
	errWrongSchema = errors.New("wrong_schema") // JSON, but not entities and relationships
	errTruncated   = errors.New("truncated")    // ran out of tokens, twice
	errRefused     = errors.New("refused")      // the server's content filter
	errNotSaid     = errors.New("not_said")     // names only what the caption does not
	errDeclined    = errors.New("declined")     // the server will not answer this request (400, 413, 422)
	errUnanswered  = errors.New("unanswered")   // every attempt failed
	errNotAsked    = errors.New(NotAsked)       // not in the cache, and no endpoint to ask
)

// NotAsked is the reason that Stats counts what the cache has no reply for
// under, if there is no endpoint to ask.
const NotAsked = "not_asked"

const numReasons = 11

// reasons are all of them, in the order in which they are counted.
var reasons = [numReasons]error{
	errNoAnswer, errOnlyThought, errEchoed, errNotJSON, errWrongSchema, errTruncated, errRefused, errNotSaid, errDeclined, errUnanswered, errNotAsked,
}

func reasonIndex(err error) int { return slices.Index(reasons[:], err) }
