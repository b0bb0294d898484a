package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"

	openai "github.com/sashabaranov/go-openai"
	"github.com/valyala/fastjson"

	"capgraph/internal/direct"
	"capgraph/llmparse/replies"
)

// failureKind is the kind of a request's failure, under which it is counted.
type failureKind int

const (
	failLimited     failureKind = iota // 429
	failUnavailable                    // 503
	failServer                         // other 5xx, 408, 425
	failTimeout                        // no complete response before the timeout
	failConnection                     // no connection, or a broken one
	failMalformed                      // status 200 with a body that is no completion
	failDeclined                       // 4xx: the server declines this request
	failKey                            // 3xx, 401, 403, 404, 405: the key, the model or the address
	numFailures
)

var failureNames = [numFailures]string{
	"limited", "unavailable", "server", "timeout", "connection", "malformed", "declined", "key_or_model",
}

// String returns the name under which the failure is counted.
func (k failureKind) String() string { return failureNames[k] }

// outcome returns the outcome that the limiter records for the failure.
func (k failureKind) outcome() outcome {
	switch k {
	case failLimited, failUnavailable:
		return refused
	case failTimeout:
		return overdue
	case failDeclined, failKey:
		return declined
	}
	return broken
}

// errEmpty is the error of a completion without choices.
var errEmpty = errors.New("completion without choices")

// errBroken is the error of a connection that ended before the response did, such as when a server
// dies.
var errBroken = errors.New("the server ended the connection before its response was complete")

// connectionError returns err with errBroken if a connection ended too early, else err.
func connectionError(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) {
		return fmt.Errorf("%w: %w", errBroken, err)
	}
	return err
}

// classify returns the kind of a failed request. err is not nil.
func classify(err error) failureKind {
	status := httpStatus(err)
	var redirect *direct.Redirect
	switch {
	case errors.As(err, &redirect), status >= 300 && status < 400:
		return failKey
	case errors.Is(err, context.DeadlineExceeded):
		return failTimeout
	case errors.Is(err, errBroken):
		return failConnection
	case status == http.StatusTooManyRequests:
		return failLimited
	case status >= 500 && refusesForm(err):
		return failDeclined
	case status == http.StatusServiceUnavailable:
		return failUnavailable
	case status >= 500, status == http.StatusRequestTimeout, status == http.StatusTooEarly:
		return failServer
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == http.StatusNotFound, status == http.StatusMethodNotAllowed:
		return failKey
	case status >= 400:
		return failDeclined
	case status == http.StatusOK, errors.Is(err, errEmpty), errors.Is(err, replies.ErrTooLong), isJSONError(err):
		return failMalformed
	}
	return failConnection
}

// refusesForm reports whether an error is about the form of the reply that was asked for. A server
// that does not know JSON schemas may say so with status 500, as llama-cpp-python does.
func refusesForm(err error) bool {
	var refusal *statusError
	return errors.As(err, &refusal) && strings.Contains(refusal.message, "response_format")
}

// remedyFor returns a hint for the user about a failure of kind failKey.
func remedyFor(err error) string {
	var redirect *direct.Redirect
	if errors.As(err, &redirect) {
		return "set parse.endpoints to the address of the server itself"
	}
	return "see parse.model, parse.api_key_env and parse.endpoints"
}

// statusError is the error of a response with an error status.
type statusError struct {
	status  int
	message string // the server's
}

func (e *statusError) Error() string {
	text := strings.TrimSpace(fmt.Sprintf("status %d %s", e.status, http.StatusText(e.status)))
	if e.message == "" {
		return text
	}
	return text + ": " + e.message
}

// refusalError returns err as a statusError or pageError if it is a response with an error status,
// else err. go-openai keeps the body if it differs from OpenAI's form.
func refusalError(err error) error {
	var redirect *direct.Redirect
	if errors.As(err, &redirect) {
		return redirect
	}
	var known *openai.APIError
	var other *openai.RequestError // it may wrap an APIError without a message
	if !errors.As(err, &other) {
		if errors.As(err, &known) {
			return &statusError{known.HTTPStatusCode, known.Message}
		}
		return err
	}
	if page := asPageError(other.HTTPStatusCode, other.Body); page != nil && page.status < 500 { // proxies send pages with status 5xx for servers that are down
		return page
	}
	return &statusError{other.HTTPStatusCode, errorMessage(other.Body)}
}

// errorMessage returns the message in the body of an error response: error.message of OpenAI and
// vLLM, error of TGI, detail of FastAPI, or a text without JSON.
func errorMessage(body []byte) string {
	v, err := fastjson.ParseBytes(body)
	if err != nil {
		return string(body)
	}
	for _, path := range [][]string{{"error", "message"}, {"error"}, {"message"}, {"detail"}} {
		switch m := v.Get(path...); {
		case m == nil || m.Type() == fastjson.TypeNull:
		case m.Type() == fastjson.TypeString:
			return string(m.GetStringBytes())
		default:
			return m.String()
		}
	}
	return string(body)
}

// httpStatus returns the HTTP status of a failed request, or 0 if it got no response.
func httpStatus(err error) int {
	if refusal := (*statusError)(nil); errors.As(err, &refusal) {
		return refusal.status
	}
	if page := (*pageError)(nil); errors.As(err, &page) {
		return page.status
	}
	return 0
}

// isJSONError reports whether err comes from decoding the JSON of a response.
func isJSONError(err error) bool {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	return errors.As(err, &syntax) || errors.As(err, &kind) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)
}

// retryAfter returns the wait that the Retry-After header asks for, as seconds or as a date, or 0
// if there is none. It has an upper bound, since a server may send anything.
func retryAfter(h http.Header, now time.Time) time.Duration {
	v := strings.TrimSpace(h.Get("Retry-After"))
	if v == "" {
		return 0
	}
	wait := time.Duration(0)
	if s, err := strconv.ParseFloat(v, 64); err == nil && s > 0 && s < 1e6 {
		wait = time.Duration(s * float64(time.Second))
	} else if at, err := http.ParseTime(v); err == nil {
		wait = at.Sub(now)
	}
	return min(max(wait, 0), longestRetryAfter)
}

const longestRetryAfter = 10 * time.Minute

// The wait before a failed question is asked again: a random share of a time that doubles with each
// attempt.
const (
	firstBackoff   = 250 * time.Millisecond
	longestBackoff = 30 * time.Second
)

// backoff returns the wait before the next attempt, "full jitter": the random share is a hash of
// the question and the attempt.
func backoff(k replies.Key, attempt int) time.Duration {
	most := min(firstBackoff<<min(attempt-1, 20), longestBackoff)
	h := uint64(attempt) * 0x9e3779b97f4a7c15
	for _, b := range k[:8] {
		h = (h ^ uint64(b)) * 0x100000001b3
	}
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return time.Duration(float64(most) * float64(h>>11) / (1 << 53))
}

// sleep waits for d, or returns the error of ctx if ctx ends first.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// redactKey returns err without the API key, which servers repeat, and without control characters
// of terminals.
func redactKey(err error, key string) error {
	s := err.Error()
	if key != "" {
		s = strings.ReplaceAll(s, key, "[key]")
	}
	if len(s) > 300 {
		s = strings.ToValidUTF8(s[:300], "") + " …"
	}
	return errors.New(strings.Map(func(r rune) rune {
		if unicode.IsGraphic(r) {
			return r
		}
		return unicode.ReplacementChar
	}, strings.Join(strings.Fields(s), " ")))
}
