package replies

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/valyala/fastjson"
)

// ReadRequests returns the keys of the requests in a batch file, each with the limit of tokens for its reply.
func ReadRequests(file io.Reader) (map[Key]int, error) {
	asked := map[Key]int{}
	err := eachRequest(file, func(k Key, room int, _ []byte) error {
		asked[k] = room
		return nil
	})
	return asked, err
}

// WriteMissing writes to w the lines of a batch file to which the cache has no reply. If the cached reply was cut off,
// the line asks for more tokens. missing is the number of lines written, all that of the lines read.
func (c *Cache) WriteMissing(file io.Reader, w io.Writer) (missing, all int, err error) {
	var parser fastjson.Parser
	err = eachRequest(file, func(k Key, room int, line []byte) error {
		all++
		var r [1]*Record
		err := c.Get([]Key{k}, r[:])
		switch {
		case err != nil || r[0].IsSufficient(room, c.tokens):
			return err
		case r[0] != nil && r[0].WasTruncated(room, c.tokens):
			if line, err = setMaxTokens(&parser, line, min(NextMaxTokens(room), c.tokens)); err != nil {
				return err
			}
		}
		missing++
		_, err = fmt.Fprintf(w, "%s\n", line)
		return err
	})
	return missing, all, err
}

// setMaxTokens returns the request in line with room as the limit of tokens for its reply.
func setMaxTokens(p *fastjson.Parser, line []byte, room int) ([]byte, error) {
	q, err := p.ParseBytes(line)
	if err != nil {
		return nil, err
	}
	q.Get("body").Set("max_tokens", new(fastjson.Arena).NewNumberInt(room))
	return q.MarshalTo(nil), nil
}

// maxLine is the largest size of a line of a batch file in bytes.
const maxLine = 64 << 20

// eachRequest calls visit with each line of a batch file, its key and the limit of tokens for its reply.
func eachRequest(file io.Reader, visit func(k Key, room int, line []byte) error) error {
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var q struct {
			CustomID string `json:"custom_id"`
			Body     struct {
				MaxTokens int `json:"max_tokens"`
			} `json:"body"`
		}
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return fmt.Errorf("questions: line %d: %w", n, err)
		}
		k, err := parseKey(q.CustomID)
		if err != nil {
			return fmt.Errorf("questions: line %d: custom_id: %w", n, err)
		}
		if err := visit(k, q.Body.MaxTokens, lines.Bytes()); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("questions: %w", err)
	}
	return nil
}

// Importer stores the answers of a batch file in a cache.
type Importer struct {
	Cache   *Cache
	Model   string
	MaxBody int // largest size of a line in bytes
	// PromptOf returns the version of the prompt that content answers. Answer files do not have it.
	PromptOf func(content string) string
	// Usable reports whether a reply can be decoded.
	Usable func(*Record) bool
	// Warn gets the number of a line, from 1, and why it is not stored or why its reply is unusable. It may be nil.
	Warn func(line int, why error)

	parser  fastjson.Parser
	n       Imported
	keys    []Key
	records []*Record
}

// Imported counts the lines of an answer file.
type Imported struct {
	Stored    int            // replies that are now in the cache
	Unusable  int            // stored replies that cannot be decoded
	Foreign   int            // answers without a request in the batch file, which are not stored
	Failed    map[string]int // lines of failed requests, by reason
	Malformed int            // lines that are not in the format of a batch API
}

// Import stores the answers in a file, in any order; of two answers to one request the later stays. asked is the result
// of ReadRequests for the batch file, or nil. Lines that are not stored, or whose reply is unusable, are counted.
func (m *Importer) Import(answers io.Reader, asked map[Key]int) (Imported, error) {
	m.n = Imported{Failed: map[string]int{}}
	if m.Warn == nil {
		m.Warn = func(int, error) {}
	}
	lines := lineReader{r: bufio.NewReaderSize(answers, 64<<10), most: m.MaxBody}
	for line := 1; ; line++ {
		text, err := lines.readLine()
		switch {
		case errors.Is(err, io.EOF):
			if err := m.flush(); err != nil {
				return m.n, fmt.Errorf("answers: %w", err)
			}
			return m.n, nil
		case errors.Is(err, ErrTooLong):
			m.n.Malformed++
			m.Warn(line, err)
			continue
		case err != nil:
			return m.n, fmt.Errorf("answers: %w", errors.Join(m.flush(), err))
		case len(bytes.TrimSpace(text)) == 0:
			continue
		}
		m.addLine(line, text, asked)
		if len(m.keys) == importBatch {
			if err := m.flush(); err != nil {
				return m.n, err
			}
		}
	}
}

// importBatch is how many answers are stored at once.
const importBatch = 1024

// addLine adds the answer in a line to those that flush stores, or counts why it does not.
func (m *Importer) addLine(line int, text []byte, asked map[Key]int) {
	k, r, err := m.readAnswer(text)
	room, known := asked[k]
	most := max(room, m.Cache.tokens)
	if err == nil && r.isTooLong(most) {
		err = TooLongError(MaxContent(most), most)
	}
	var failed *failedAnswer
	switch {
	case errors.As(err, &failed):
		m.n.Failed[failed.reason]++
		m.Warn(line, err)
	case err != nil:
		m.n.Malformed++
		m.Warn(line, err)
	case asked != nil && !known:
		m.n.Foreign++
		m.Warn(line, fmt.Errorf("custom_id %s is none of the questions", k))
	default:
		if !m.Usable(r) {
			m.n.Unusable++
			m.Warn(line, errors.New("the reply cannot be read"))
		}
		r.Room = max(room, r.Out)
		m.keys, m.records = append(m.keys, k), append(m.records, r)
	}
}

// flush stores the answers that addLine has added.
func (m *Importer) flush() error {
	stored := make([]*Record, len(m.keys))
	err := m.Cache.Get(m.keys, stored)
	for i, r := range stored {
		if r != nil {
			m.records[i].Round = r.NextRound()
		}
	}
	if err == nil {
		err = m.Cache.PutAll(m.keys, m.records)
	}
	if err == nil {
		m.n.Stored += len(m.keys)
	}
	m.keys, m.records = m.keys[:0], m.records[:0]
	return err
}

// batchAnswer is a line of an answer file, as vLLM's run-batch or OpenAI's batch API writes it.
type batchAnswer struct {
	CustomID string `json:"custom_id"`
	Response *struct {
		StatusCode int             `json:"status_code"`
		Body       json.RawMessage `json:"body"`
	} `json:"response"`
	Error json.RawMessage `json:"error"`
}

// failedAnswer is the error of a failed request: the reason, under which it is counted, and details in why.
type failedAnswer struct{ reason, why string }

func (e *failedAnswer) Error() string {
	if e.why == "" {
		return "request failed: " + e.reason
	}
	return "request failed: " + e.reason + ": " + e.why
}

// failure returns why the request of an answer failed, or nil if it did not.
func (a *batchAnswer) failure() *failedAnswer {
	why := ""
	hasError := len(a.Error) > 0 && string(a.Error) != "null"
	if hasError {
		why = fmt.Sprintf("%.200s", a.Error)
	}
	switch {
	case a.Response != nil && a.Response.StatusCode != 200 && a.Response.StatusCode != 0:
		return &failedAnswer{fmt.Sprintf("status %d", a.Response.StatusCode), why}
	case hasError:
		var e struct{ Code, Type any }
		_ = json.Unmarshal(a.Error, &e) // the error may have any type
		for _, reason := range []any{e.Code, e.Type} {
			if reason != nil && reason != "" {
				return &failedAnswer{fmt.Sprintf("%.80v", reason), why}
			}
		}
		return &failedAnswer{"error", why}
	case a.Response == nil:
		return &failedAnswer{"no response", ""}
	}
	return nil
}

// readAnswer returns the key and the reply in a line of an answer file.
func (m *Importer) readAnswer(line []byte) (Key, *Record, error) {
	var a batchAnswer
	if err := json.Unmarshal(line, &a); err != nil {
		return Key{}, nil, fmt.Errorf("not an answer: %w", err)
	}
	k, err := parseKey(a.CustomID)
	if err != nil {
		return Key{}, nil, fmt.Errorf("custom_id: %w", err)
	}
	if failed := a.failure(); failed != nil {
		return Key{}, nil, failed
	}
	c := ReadCompletion(&m.parser, a.Response.Body)
	if c == nil {
		return Key{}, nil, &failedAnswer{"no choices", ""}
	}
	return k, &Record{
		Model: m.Model, Prompt: m.PromptOf(c.Content), Form: "batch", Content: c.Content, Finish: c.Finish,
		LogProb: c.LogProb, In: c.In, Out: c.Out,
	}, nil
}
