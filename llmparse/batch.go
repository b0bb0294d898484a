package llmparse

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	openai "github.com/sashabaranov/go-openai"
	"github.com/valyala/fastjson"
)

// batchLine is a request of a batch file.
type batchLine struct {
	CustomID string    `json:"custom_id"`
	Method   string    `json:"method"`
	URL      string    `json:"url"`
	Body     batchBody `json:"body"`
}

// batchBody is a request in its frame.
type batchBody struct {
	request openai.ChatCompletionRequest
	frame   *frame
}

// MarshalJSON writes what would be sent.
func (b batchBody) MarshalJSON() ([]byte, error) {
	request, err := json.Marshal(b.request)
	if err != nil {
		return nil, err
	}
	return b.frame.wrap(request)
}

// Batch asks offline: it writes questions as files that vLLM's run-batch and
// OpenAI's batch API read, and brings their answers into the cache. It needs no
// endpoint and is not safe for concurrent use.
type Batch struct {
	parser *Parser
	author *Author
	seen   map[[16]byte]struct{} // half keys of the questions written
}

// NewBatch opens the cache of opts. types are those of the whole negatives that are asked
// for. Close it.
func NewBatch(opts Options, rules Rules, types []string) (*Batch, error) {
	opts.Endpoints, opts.APIKeyEnv, opts.APIKeyFile = nil, "", ""
	if opts.Reply == ReplyAuto {
		opts.Reply = ReplySchema
	}
	p, err := New(opts, rules)
	if err != nil {
		return nil, err
	}
	return &Batch{p, NewAuthor(p.client, types), map[[16]byte]struct{}{}}, nil
}

// Close closes the cache.
func (b *Batch) Close() error { return b.parser.Close() }

// Question is the question for the graph of text as a line of a batch file, without its
// line feed; nil if the cache has the reply or the line was written before. Where
// the reply was cut off it asks with more room.
func (b *Batch) Question(text string) ([]byte, error) {
	return b.formatLine(b.parser.newQuestion(text, b.parser.form.form))
}

// WholeQuestion is that for whole negatives of text.
func (b *Batch) WholeQuestion(text string) ([]byte, error) {
	return b.formatLine(b.author.newQuestion(text, b.author.form.form))
}

// formatLine is a question as a line of a batch file, nil if nobody needs to be asked.
func (b *Batch) formatLine(q question) ([]byte, error) {
	c := b.parser.client
	half := [16]byte(q.key[:16])
	if _, again := b.seen[half]; again {
		return nil, nil
	}
	b.seen[half] = struct{}{}
	var r [1]*Record
	err := c.eachCached([]question{q}, func(_ int, found *Record) error {
		r[0] = found
		return nil
	})
	switch {
	case err != nil || r[0].isSufficient(q.room, c.opts.MaxTokens):
		return nil, err
	case r[0] != nil && r[0].wasTruncated(q.room, c.opts.MaxTokens):
		q.room = min(nextMaxTokens(q.room), c.opts.MaxTokens)
	}
	return json.Marshal(batchLine{
		CustomID: q.key.String(), Method: "POST", URL: "/v1/chat/completions", Body: batchBody{c.newRequest(q), q.frame},
	})
}

// Asked are the keys of a file of questions, each with the most tokens that its
// reply may have.
func (b *Batch) Asked(questions io.Reader) (map[Key]int, error) {
	asked := map[Key]int{}
	err := eachQuestion(questions, func(k Key, room int, _ []byte) error {
		asked[k] = room
		return nil
	})
	return asked, err
}

// Missing copies to w the lines of a file of questions that the cache has no
// reply to, those to which it was cut off with more room, and returns how many
// they are and of how many.
func (b *Batch) Missing(questions io.Reader, w io.Writer) (missing, all int, err error) {
	c := b.parser.client
	var parser fastjson.Parser
	err = eachQuestion(questions, func(k Key, room int, line []byte) error {
		all++
		var r [1]*Record
		err := c.cache.Get([]Key{k}, r[:])
		switch {
		case err != nil || r[0].isSufficient(room, c.opts.MaxTokens):
			return err
		case r[0] != nil && r[0].wasTruncated(room, c.opts.MaxTokens):
			if line, err = setMaxTokens(&parser, line, min(nextMaxTokens(room), c.opts.MaxTokens)); err != nil {
				return err
			}
		}
		missing++
		_, err = fmt.Fprintf(w, "%s\n", line)
		return err
	})
	return missing, all, err
}

// setMaxTokens returns the line of a question with room as the most tokens of its reply.
func setMaxTokens(p *fastjson.Parser, line []byte, room int) ([]byte, error) {
	q, err := p.ParseBytes(line)
	if err != nil {
		return nil, err
	}
	q.Get("body").Set("max_tokens", new(fastjson.Arena).NewNumberInt(room))
	return q.MarshalTo(nil), nil
}

// eachQuestion gives each line of a file of questions with its key and the most
// tokens that its reply may have.
func eachQuestion(questions io.Reader, see func(k Key, room int, line []byte) error) error {
	lines := bufio.NewScanner(questions)
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
		if err := see(k, q.Body.MaxTokens, lines.Bytes()); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("questions: %w", err)
	}
	return nil
}

// batchAnswer is a line of what run-batch or a batch API wrote.
type batchAnswer struct {
	CustomID string `json:"custom_id"`
	Response *struct {
		StatusCode int             `json:"status_code"`
		Body       json.RawMessage `json:"body"`
	} `json:"response"`
	Error json.RawMessage `json:"error"`
}

// Imported counts the lines of an answer file.
type Imported struct {
	Stored    int            // replies that are now in the cache
	Unusable  int            // those among them that cannot be read
	Foreign   int            // answers to what was not asked, which are not stored
	Failed    map[string]int // lines that say a request failed, by reason
	Malformed int            // lines that are no answer to a batch file
}

// maxLine bounds a line of a batch file.
const maxLine = 64 << 20

// Import stores the answers of a batch file in the cache, in whatever order
// they come; of two to one request the later stands. asked is what Asked gives
// of the questions, nil if they are not known. Lines that failed, make no sense or
// cannot be used are counted and told to bad, which may be nil, by number from 1.
func (b *Batch) Import(answers io.Reader, asked map[Key]int, bad func(line int, why error)) (n Imported, err error) {
	c := b.parser.client
	n.Failed = map[string]int{}
	if bad == nil {
		bad = func(int, error) {}
	}
	lines := lineReader{r: bufio.NewReaderSize(answers, 64<<10), most: c.opts.maxBody(c.opts.MaxTokens)}
	var parser fastjson.Parser
	var keys []Key
	var records []*Record
	flush := func() error {
		there := make([]*Record, len(keys))
		err := c.cache.Get(keys, there)
		for i, r := range there {
			if r != nil {
				records[i].Round = r.nextRound()
			}
		}
		if err == nil {
			err = c.cache.PutAll(keys, records)
		}
		if err == nil {
			n.Stored += len(keys)
		}
		keys, records = keys[:0], records[:0]
		return err
	}
	line := 1
	for ; ; line++ {
		text, err := lines.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if errors.Is(err, errTooLong) {
			n.Malformed++
			bad(line, err)
			continue
		}
		if err != nil {
			return n, fmt.Errorf("answers: %w", errors.Join(flush(), err))
		}
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		k, r, err := c.readAnswer(&parser, text)
		room, known := asked[k]
		if err == nil && r.isTooLong(max(room, c.opts.MaxTokens)) {
			err = tooLongError(maxContent(max(room, c.opts.MaxTokens)), max(room, c.opts.MaxTokens))
		}
		var failed *failedAnswer
		switch {
		case errors.As(err, &failed):
			n.Failed[failed.reason]++
			bad(line, err)
		case err != nil:
			n.Malformed++
			bad(line, err)
		case asked != nil && !known:
			n.Foreign++
			bad(line, fmt.Errorf("custom_id %s is none of the questions", k))
		default:
			if !r.Usable() {
				n.Unusable++
				bad(line, errors.New("the reply cannot be read"))
			}
			r.Room = max(room, r.Out)
			keys, records = append(keys, k), append(records, r)
		}
		if len(keys) == 1024 {
			if err := flush(); err != nil {
				return n, err
			}
		}
	}
	if err := flush(); err != nil {
		return n, fmt.Errorf("answers: %w", err)
	}
	return n, nil
}

// failedAnswer is a line that says its request failed: the reason that it is
// counted under, and what else it says.
type failedAnswer struct{ reason, why string }

func (e *failedAnswer) Error() string {
	if e.why == "" {
		return "request failed: " + e.reason
	}
	return "request failed: " + e.reason + ": " + e.why
}

// failure reads from an answer that its request failed; nil if it did not.
func (a *batchAnswer) failure() *failedAnswer {
	why := ""
	said := len(a.Error) > 0 && string(a.Error) != "null"
	if said {
		why = fmt.Sprintf("%.200s", a.Error)
	}
	switch {
	case a.Response != nil && a.Response.StatusCode != 200 && a.Response.StatusCode != 0:
		return &failedAnswer{fmt.Sprintf("status %d", a.Response.StatusCode), why}
	case said:
		var e struct{ Code, Type any }
		_ = json.Unmarshal(a.Error, &e) // may be of any form
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

// readAnswer reads a line of an answer file with p.
func (c *Client) readAnswer(p *fastjson.Parser, line []byte) (Key, *Record, error) {
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
	said := readCompletion(p, a.Response.Body)
	if said == nil {
		return Key{}, nil, &failedAnswer{"no choices", ""}
	}
	return k, &Record{
		Model: c.opts.Model, Prompt: promptVersionOf(said.content), Form: "batch", Content: said.content, Finish: said.finish,
		LogProb: said.logProb, In: said.in, Out: said.out,
	}, nil
}

// promptVersionOf is the prompt that a reply is to, which no answer file says: a reply that can be
// read as whole negatives has no graph.
func promptVersionOf(content string) string {
	if _, err := readWhole(content); err == nil {
		return WholeVersion
	}
	return PromptVersion
}
