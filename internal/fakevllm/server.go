// Package fakevllm is a fake of a served language model for tests: a real HTTP
// server on loopback that speaks the OpenAI API as vLLM does, with a model of
// how long requests take and with faults on demand. It holds no model: it
// answers by rule.
package fakevllm

import (
	"encoding/json"
	"math"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Config is how a fake server behaves. The zero value answers at once.
type Config struct {
	// Slots serve at once; further requests queue. 0 is no bound.
	Slots int
	// Queue is how many may wait before more are refused with 429. 0 is no bound.
	Queue int
	// Mean is the mean service time. Requests differ by the length of their
	// replies, with a coefficient of variation of about 0.5; a slot writes
	// tokens at a constant rate.
	Mean time.Duration
	// Faults are given to requests at random, by Seed.
	Faults []Fault
	Seed   uint64
	// FaultOf is the fault of every request for a caption, empty for none.
	FaultOf func(caption string) Kind
	// Answer writes the graph of a caption as JSON, or what else is asked for; nil is Answer.
	Answer func(caption string) string
	// IgnoreSchema serves response_format as if it were not there;
	// RefuseSchema answers 400 to it; SchemaFault befalls every request that has
	// it; SchemaCost multiplies its service time.
	IgnoreSchema, RefuseSchema bool
	SchemaFault                Kind
	SchemaCost                 float64
	// Key is asked for where it is not empty, and repeated in the refusal.
	Key string
}

// Server is a running fake.
type Server struct {
	// URL is the base URL of the API.
	URL string

	config Config
	http   *httptest.Server

	mu       sync.Mutex
	slots    int
	busy     int
	queue    []chan struct{}
	requests int
	inFlight int
	faults   int
	asked    map[string]int // by caption: requests
	answered map[string]int // by caption: whole answers sent
	bodies   []map[string]any
	stop     chan struct{}

	busyFor time.Duration // summed over slots
	counted time.Time     // up to when
}

// New starts a server. Close it.
func New(c Config) *Server {
	if c.Answer == nil {
		c.Answer = Answer
	}
	s := &Server{config: c, slots: c.Slots, asked: map[string]int{}, answered: map[string]int{}, stop: make(chan struct{}), counted: time.Now()}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.serveCompletion)
	s.http = httptest.NewServer(mux)
	s.URL = s.http.URL + "/v1"
	return s
}

// ServeHTTP implements http.Handler, for a server that hands requests on.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.http.Config.Handler.ServeHTTP(w, r)
}

// Close stops the server, and what hangs with it.
func (s *Server) Close() {
	close(s.stop)
	s.http.CloseClientConnections()
	s.http.Close()
}

// SetSlots changes how many requests are served at once.
func (s *Server) SetSlots(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.slots = n
	s.admitWaiting()
}

// Counts are what a server has seen.
type Counts struct {
	Requests, Faults, InFlight int
	Asked, Answered            map[string]int // by caption
}

// Counts returns what the server has seen so far.
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

// RequestBody is the JSON body of the nth request; nil where there was none.
func (s *Server) RequestBody(n int) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n >= len(s.bodies) {
		return nil
	}
	return s.bodies[n]
}

// Busy is how long slots have been busy, summed over them.
func (s *Server) Busy() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.addBusyTime()
	return s.busyFor
}

// addBusyTime brings busyFor up to date; before busy changes.
func (s *Server) addBusyTime() {
	now := time.Now()
	s.busyFor += time.Duration(s.busy) * now.Sub(s.counted)
	s.counted = now
}

// keptBodies bounds the requests whose bodies are kept.
const keptBodies = 64

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

// beginRequest counts a request and draws its fault.
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

func (s *Server) endRequest() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inFlight--
}

// takeSlot takes a slot, in the order of coming. It is false where the queue is
// full or the client has gone.
func (s *Server) takeSlot(r *http.Request) bool {
	s.mu.Lock()
	if s.slots == 0 || s.busy < s.slots {
		s.addBusyTime()
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
	s.addBusyTime()
	s.busy-- // its turn came at the same moment
	s.admitWaiting()
	return false
}

func (s *Server) freeSlot() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.addBusyTime()
	s.busy--
	s.admitWaiting()
}

// admitWaiting gives free slots to those who wait.
func (s *Server) admitWaiting() {
	s.addBusyTime()
	for len(s.queue) > 0 && (s.slots == 0 || s.busy < s.slots) {
		s.busy++
		close(s.queue[0])
		s.queue = s.queue[1:]
	}
}

// wait waits; it is false where the client or the server has gone.
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

const meanTokens = 100

// replyTokens is the tokens of the nth reply: log-normal with mean meanTokens.
func (s *Server) replyTokens(n int) int {
	u, v := hashUniform(s.config.Seed, uint64(n), 2), hashUniform(s.config.Seed, uint64(n), 3)
	normal := math.Sqrt(-2*math.Log(1-u)) * math.Cos(2*math.Pi*v)
	return int(max(5, meanTokens*math.Exp(0.47*normal-0.11)))
}

// hashUniform is a number in [0, 1) that the arguments determine.
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
