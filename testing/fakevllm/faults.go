package fakevllm

import (
	"net/http"
	"strconv"
	"time"
)

// Kind is a kind of fault.
type Kind string

// The kinds of faults, in the order in which a request meets them.
const (
	Limited      Kind = "429"                  // too many requests
	LimitedAfter Kind = "429 with Retry-After" // the same, with a delay
	ServerError  Kind = "500"                  // an error of the engine
	Unavailable  Kind = "503"                  // not ready
	BadGateway   Kind = "502 in HTML"          // a proxy's page
	Hang         Kind = "hanging"              // no response
	Reset        Kind = "reset mid-body"       // the connection ends within the response
	Drip         Kind = "slow drip"            // the response comes byte by byte
	HalfJSON     Kind = "half JSON"            // the response is cut off, with a correct length
	NoChoices    Kind = "empty choices"        // a completion without choices
	WrongSchema  Kind = "wrong schema"         // the reply is JSON of another shape
	Prose        Kind = "prose"                // the reply is not JSON
	Truncated    Kind = "truncated"            // the reply ran out of tokens
)

// Kinds returns all kinds.
func Kinds() []Kind {
	return []Kind{Limited, LimitedAfter, ServerError, Unavailable, BadGateway, Hang, Reset, Drip, HalfJSON, NoChoices, WrongSchema, Prose, Truncated}
}

// Fault is a kind of fault with the share of requests that it affects.
type Fault struct {
	Kind  Kind
	Share float64
	After time.Duration // for LimitedAfter, in whole seconds
}

// AllKinds returns a fault of each kind, with equal parts of share.
func AllKinds(share float64) []Fault {
	var fs []Fault
	for _, k := range Kinds() {
		fs = append(fs, Fault{Kind: k, Share: share / float64(len(Kinds())), After: time.Second})
	}
	return fs
}

// interceptRequest may answer a request instead of the model. It reports whether it did.
func (f Fault) interceptRequest(s *Server, w http.ResponseWriter, r *http.Request) bool {
	switch f.Kind {
	case Limited:
		writeError(w, http.StatusTooManyRequests, "too many requests")
	case LimitedAfter:
		w.Header().Set("Retry-After", strconv.Itoa(int(f.After.Seconds())))
		writeError(w, http.StatusTooManyRequests, "too many requests")
	case ServerError:
		writeError(w, http.StatusInternalServerError, "engine error")
	case Unavailable:
		writeError(w, http.StatusServiceUnavailable, "not ready")
	case BadGateway:
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusBadGateway)
		w.Write([]byte("<html><body><h1>502 Bad Gateway</h1></body></html>"))
	case Hang:
		s.wait(r, time.Hour)
	default:
		return false
	}
	return true
}

// spoilReply changes the model's reply and finish reason.
func (f Fault) spoilReply(content, finish *string) {
	switch f.Kind {
	case WrongSchema:
		*content = `{"objects":["dog"],"edges":[]}`
	case Prose:
		*content = "I see a nice picture."
	case Truncated:
		*content, *finish = (*content)[:len(*content)*2/3], "length"
	}
}

// spoilResponse may write a spoilt response. It reports whether it did so.
func (f Fault) spoilResponse(s *Server, w http.ResponseWriter, r *http.Request, res []byte) bool {
	flush := func() { http.NewResponseController(w).Flush() }
	switch f.Kind {
	case Reset:
		w.Header().Set("Content-Length", strconv.Itoa(len(res)))
		w.Write(res[:len(res)/2])
		flush()
		panic(http.ErrAbortHandler)
	case Drip:
		w.Header().Set("Content-Length", strconv.Itoa(len(res)))
		for i := range res {
			w.Write(res[i : i+1])
			flush()
			if !s.wait(r, time.Second) {
				break
			}
		}
	case HalfJSON:
		w.Write(res[:len(res)/2])
	case NoChoices:
		w.Write([]byte(`{"id":"x","object":"chat.completion","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":0,"total_tokens":1}}`))
	default:
		return false
	}
	return true
}
