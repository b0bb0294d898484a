// Package fakevllm is a fake of a served language model, for tests: an HTTP server on the loopback
// interface with vLLM's form of the OpenAI API. It answers by rule, simulates how long requests
// take and makes faults on demand:
//
//	s := fakevllm.New(fakevllm.Config{Faults: fakevllm.AllKinds(0.1)})
//	defer s.Close()
//	endpoint := s.URL
package fakevllm

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Config is the behaviour of a fake server. The zero value answers at once.
type Config struct {
	// Slots is how many requests are served at a time; others wait. 0: no limit.
	Slots int
	// Queue is how many requests may wait; more are refused with 429. 0: no limit.
	Queue int
	// Mean is the mean time to serve a request. Times are proportional to the lengths of the replies,
	// which vary (coefficient of variation about 0.5).
	Mean time.Duration
	// Faults affect requests at random. Seed determines which.
	Faults []Fault
	Seed   uint64
	// FaultOf returns the kind of fault of all requests for a caption; "" for none.
	FaultOf func(caption string) Kind
	// Answer returns the reply for a caption; nil: the function Answer.
	Answer func(caption string) string
	// Options for requests with response_format: IgnoreSchema ignores it, RefuseSchema responds with
	// 400, SchemaFault is the fault of these requests, and SchemaCost multiplies their time.
	IgnoreSchema, RefuseSchema bool
	SchemaFault                Kind
	SchemaCost                 float64
	// Key is the required API key, unless it is empty. The error for a wrong key repeats that key.
	Key string
}

// Server is a running fake server.
type Server struct {
	// URL is the base URL of the API.
	URL string

	config Config
	http   *httptest.Server

	mu       sync.Mutex
	busy     int
	queue    []chan struct{}
	requests int
	inFlight int
	faults   int
	asked    map[string]int // requests, by caption
	answered map[string]int // complete responses, by caption
	bodies   []map[string]any
	stop     chan struct{}
}

// New starts a server. The caller must close it.
func New(c Config) *Server {
	if c.Answer == nil {
		c.Answer = Answer
	}
	s := &Server{config: c, asked: map[string]int{}, answered: map[string]int{}, stop: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.serveCompletion)
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"object":"list","data":[{"id":"fake","object":"model"}]}`)
	})
	s.http = httptest.NewServer(mux)
	s.URL = s.http.URL + "/v1"
	return s
}

// ServeHTTP implements http.Handler, for servers that pass requests on.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.http.Config.Handler.ServeHTTP(w, r)
}

// Close stops the server and all requests.
func (s *Server) Close() {
	close(s.stop)
	s.http.CloseClientConnections()
	s.http.Close()
}

// Counts are numbers of requests to a server.
type Counts struct {
	Requests, Faults, InFlight int
	Asked, Answered            map[string]int // by caption
}

// Counts returns the requests so far.
func (s *Server) Counts() Counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := Counts{Requests: s.requests, Faults: s.faults, InFlight: s.inFlight, Asked: map[string]int{}, Answered: map[string]int{}}
	for k, n := range s.asked {
		c.Asked[k] = n
	}
	for k, n := range s.answered {
		c.Answered[k] = n
	}
	return c
}

// RequestBody returns the JSON body of the n-th request, nil if there was none.
func (s *Server) RequestBody(n int) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n >= len(s.bodies) {
		return nil
	}
	return s.bodies[n]
}

// keptBodies is how many request bodies are kept.
const keptBodies = 64

// serveCompletion answers a request for a completion.
func (s *Server) serveCompletion(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Model          string
		Messages       []struct{ Content string }
		MaxTokens      int `json:"max_tokens"`
		LogProbs       bool
		ResponseFormat *struct {
			JSONSchema struct {
				Schema struct{ Properties map[string]any }
			} `json:"json_schema"`
		} `json:"response_format"`
	}
	var raw json.RawMessage
	if json.NewDecoder(r.Body).Decode(&raw) != nil || json.Unmarshal(raw, &body) != nil || len(body.Messages) == 0 {
		writeError(w, http.StatusBadRequest, "the body is not a completion request")
		return
	}
	caption := extractCaption(body.Messages[len(body.Messages)-1].Content)
	n, fault := s.beginRequest(caption, raw)
	defer s.endRequest()
	if key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "); s.config.Key != "" && key != s.config.Key {
		writeError(w, http.StatusUnauthorized, "Incorrect API key provided: "+key)
		return
	}
	schema := body.ResponseFormat != nil
	if schema && s.config.RefuseSchema {
		writeError(w, http.StatusBadRequest, "response_format: json_schema is not supported")
		return
	}
	if schema && s.config.SchemaFault != "" {
		fault = Fault{Kind: s.config.SchemaFault}
	}
	if fault.interceptRequest(s, w, r) {
		return
	}
	if !s.takeSlot(r) {
		if r.Context().Err() == nil {
			writeError(w, http.StatusTooManyRequests, "the queue is full")
		}
		return
	}
	tokens := s.replyTokens(n)
	service := time.Duration(float64(s.config.Mean) * float64(tokens) / meanTokens)
	if schema && s.config.SchemaCost > 0 {
		service = time.Duration(float64(service) * s.config.SchemaCost)
	}
	ok := s.wait(r, service)
	s.freeSlot()
	if !ok {
		return
	}
	content, finish := s.config.Answer(caption), "stop"
	switch {
	case schema && !s.config.IgnoreSchema:
		if _, marked := body.ResponseFormat.JSONSchema.Schema.Properties["form"]; marked {
			content = `{"form":"kept",` + content[1:]
		}
	case strings.Contains(body.Messages[0].Content, "[ANS]"):
		content = "[ANS]" + content + "[/ANS]"
	}
	fault.spoilReply(&content, &finish)
	res := completionBody(body.Model, content, finish, tokens, len(raw)/4, body.LogProbs)
	if fault.spoilResponse(s, w, r, res) {
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(res)))
	if _, err := w.Write(res); err == nil {
		s.mu.Lock()
		s.answered[caption]++
		s.mu.Unlock()
	}
}

// beginRequest counts a request, and returns its number and its fault.
func (s *Server) beginRequest(caption string, raw json.RawMessage) (int, Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.requests
	s.requests++
	s.inFlight++
	s.asked[caption]++
	if len(s.bodies) < keptBodies {
		var m map[string]any
		json.Unmarshal(raw, &m)
		s.bodies = append(s.bodies, m)
	}
	if s.config.FaultOf != nil {
		if k := s.config.FaultOf(caption); k != "" {
			s.faults++
			return n, Fault{Kind: k}
		}
	}
	at := hashUniform(s.config.Seed, uint64(n), 1)
	for _, f := range s.config.Faults {
		if at -= f.Share; at < 0 {
			s.faults++
			return n, f
		}
	}
	return n, Fault{}
}

// endRequest counts a request as done.
func (s *Server) endRequest() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inFlight--
}

// takeSlot waits for a free slot; requests get slots in the order of arrival. It returns false if
// the queue is full or the client disconnects.
func (s *Server) takeSlot(r *http.Request) bool {
	s.mu.Lock()
	if s.config.Slots == 0 || s.busy < s.config.Slots {
		s.busy++
		s.mu.Unlock()
		return true
	}
	if s.config.Queue > 0 && len(s.queue) >= s.config.Queue {
		s.mu.Unlock()
		return false
	}
	turn := make(chan struct{})
	s.queue = append(s.queue, turn)
	s.mu.Unlock()
	select {
	case <-turn:
		return true
	case <-s.stop:
	case <-r.Context().Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, q := range s.queue {
		if q == turn {
			s.queue = append(s.queue[:i], s.queue[i+1:]...)
			return false
		}
	}
	s.busy-- // a slot was assigned to it at the same moment
	s.admitWaiting()
	return false
}

// freeSlot frees a slot.
func (s *Server) freeSlot() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy--
	s.admitWaiting()
}

// admitWaiting assigns free slots to waiting requests.
func (s *Server) admitWaiting() {
	for len(s.queue) > 0 && (s.config.Slots == 0 || s.busy < s.config.Slots) {
		s.busy++
		close(s.queue[0])
		s.queue = s.queue[1:]
	}
}

// wait waits for the duration d. It returns false if the client disconnects or the server is closed.
func (s *Server) wait(r *http.Request, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-s.stop:
	case <-r.Context().Done():
	}
	return false
}

// meanTokens is the mean number of tokens of a reply.
const meanTokens = 100

// replyTokens returns the number of tokens of the n-th reply: log-normal with mean meanTokens.
func (s *Server) replyTokens(n int) int {
	u, v := hashUniform(s.config.Seed, uint64(n), 2), hashUniform(s.config.Seed, uint64(n), 3)
	normal := math.Sqrt(-2*math.Log(1-u)) * math.Cos(2*math.Pi*v)
	return int(max(5, meanTokens*math.Exp(0.47*normal-0.11)))
}

// hashUniform returns a hash of its arguments in [0, 1).
func hashUniform(parts ...uint64) float64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, p := range parts {
		h = (h ^ p) * 0xbf58476d1ce4e5b9
		h ^= h >> 27
		h *= 0x94d049bb133111eb
		h ^= h >> 31
	}
	return float64(h>>11) / (1 << 53)
}
