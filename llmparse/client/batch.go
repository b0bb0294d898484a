package client

import (
	"encoding/json"
	"io"

	openai "github.com/sashabaranov/go-openai"

	"capgraph/llmparse/replies"
)

// Batch asks questions offline: it writes them as files for vLLM's run-batch or OpenAI's batch API, and stores the
// answers in the cache. It needs no endpoint and is not safe for concurrent use.
type Batch struct {
	*Client
	seen map[[16]byte]struct{} // first halves of the keys of the questions written so far
}

// NewBatch opens the cache of opts. Close the result.
func NewBatch(opts Options) (*Batch, error) {
	opts.Endpoints, opts.APIKeyEnv, opts.APIKeyFile = nil, "", ""
	if opts.Reply == ReplyAuto {
		opts.Reply = ReplySchema
	}
	c, err := New(opts)
	if err != nil {
		return nil, err
	}
	return &Batch{c, map[[16]byte]struct{}{}}, nil
}

// batchLine is a line of a batch file: one request.
type batchLine struct {
	CustomID string    `json:"custom_id"`
	Method   string    `json:"method"`
	URL      string    `json:"url"`
	Body     batchBody `json:"body"`
}

// batchBody is a request and its frame.
type batchBody struct {
	request openai.ChatCompletionRequest
	frame   *Frame
}

// MarshalJSON returns the body of the request, with the fields of its frame, as Client sends it.
func (b batchBody) MarshalJSON() ([]byte, error) {
	request, err := json.Marshal(b.request)
	if err != nil {
		return nil, err
	}
	return b.frame.wrap(request)
}

// Line returns q as a line of a batch file without its line feed, or nil if the cache has the reply or
// the line was written before. If the reply was cut off, the line asks for more tokens.
func (b *Batch) Line(q Question) ([]byte, error) {
	half := [16]byte(q.Key[:16])
	if _, again := b.seen[half]; again {
		return nil, nil
	}
	b.seen[half] = struct{}{}
	var r *replies.Record
	err := b.EachCached([]Question{q}, func(_ int, found *replies.Record) error {
		r = found
		return nil
	})
	switch {
	case err != nil || r.IsSufficient(q.MaxTokens, b.opts.MaxTokens):
		return nil, err
	case r != nil && r.WasTruncated(q.MaxTokens, b.opts.MaxTokens):
		q.MaxTokens = min(replies.NextMaxTokens(q.MaxTokens), b.opts.MaxTokens)
	}
	return json.Marshal(batchLine{
		CustomID: q.Key.String(), Method: "POST", URL: "/v1/chat/completions", Body: batchBody{b.newRequest(q), q.Frame},
	})
}

// WriteMissing is replies.Cache.WriteMissing.
func (b *Batch) WriteMissing(questions io.Reader, w io.Writer) (missing, all int, err error) {
	return b.cache.WriteMissing(questions, w)
}

// NewImporter returns an importer that stores answer files in the cache. The caller sets its functions.
func (b *Batch) NewImporter() *replies.Importer {
	return &replies.Importer{Cache: b.cache, Model: b.opts.Model, MaxBody: b.opts.maxBody(b.opts.MaxTokens)}
}
