package llmparse

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"capgraph/internal/direct"
	"capgraph/schemas"
)

// checkTexts are the captions that CheckServer asks about.
var checkTexts = []string{
	"a man in a red shirt holding a small dog",
	"two women walk along a beach with their surfboards",
	"A plate with eggs, toast and a glass of juice on a wooden table.",
	"an old train crossing a stone bridge over a river",
	"a cat asleep on top of a laptop next to a window",
	"Several people ride bicycles down a busy street in the rain.",
	"a yellow bus parked behind a white van",
	"a girl with long hair blowing out candles on a cake",
	"mountains covered in snow under a blue sky",
	"A tall clock tower stands in the middle of the square.",
}

// ServerCheck is what a few requests tell of a server.
type ServerCheck struct {
	Form       string // of replies: ReplySchema if the server keeps to JSON schemas, else ReplyPlain
	LogProbs   bool   // whether replies have log-probabilities
	Asked      int    // captions
	Usable     int    // replies that became graphs
	Unanswered string // why a request failed; empty if none did
	Stats      Stats
}

// HoursFor returns how long so many captions take at the rate of the check.
func (c *ServerCheck) HoursFor(captions int64) float64 {
	if c.Usable == 0 {
		return math.Inf(1)
	}
	return float64(captions) * c.Stats.Elapsed.Hours() / float64(c.Asked)
}

// CheckServer asks a server for the graphs of ten captions. files and opts.Cache hold the replies.
func CheckServer(ctx context.Context, opts Options, rules Rules) (*ServerCheck, error) {
	opts.OnBad = OnBadReject
	p, err := New(opts, rules)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	out := make([]schemas.Parsed, len(checkTexts))
	if err := p.Parse(ctx, checkTexts, out); err != nil {
		return nil, err
	}
	form, _ := p.form.chosenForm()
	c := &ServerCheck{Form: form, Asked: len(out), Stats: p.Stats()}
	c.Unanswered = c.Stats.LastFailure
	for i := range out {
		if out[i].Reject == "" {
			c.Usable++
		}
	}
	var questions []question
	for _, text := range checkTexts {
		questions = append(questions, p.newQuestion(text, form))
	}
	return c, p.client.eachCached(questions, func(_ int, r *Record) error {
		c.LogProbs = c.LogProbs || r != nil && r.LogProb != nil
		return nil
	})
}

// maxModelList is the most bytes that a list of models may have.
const maxModelList = 4 << 20

// boundedDoer refuses responses of more than maxModelList bytes.
type boundedDoer struct{ openai.HTTPDoer }

func (d boundedDoer) Do(r *http.Request) (*http.Response, error) {
	response, err := d.HTTPDoer.Do(r)
	if err == nil {
		response.Body = &boundedBody{response.Body, maxModelList}
	}
	return response, err
}

type boundedBody struct {
	io.ReadCloser
	left int
}

func (b *boundedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left+1)])
	if n > b.left {
		return 0, fmt.Errorf("the list of models has more than %d bytes", maxModelList)
	}
	b.left -= n
	return n, err
}

// listTimeout is how long a server may take to list its models.
const listTimeout = 20 * time.Second

// ListModels returns the names of the models at the first endpoint.
func ListModels(ctx context.Context, opts Options) ([]string, error) {
	key, err := opts.Key()
	if err != nil {
		return nil, &optionError{err}
	}
	transport := newTransport(1)
	defer transport.CloseIdleConnections()
	config := openai.DefaultConfig(key)
	config.BaseURL, config.HTTPClient = opts.Endpoints[0], boundedDoer{direct.Client(transport)}
	within, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	list, err := openai.NewClientWithConfig(config).ListModels(within)
	if err != nil {
		return nil, fmt.Errorf("%s/models: %w", opts.Endpoints[0], redactKey(refusalError(err), key))
	}
	var names []string
	for _, m := range list.Models {
		names = append(names, m.ID)
	}
	return names, nil
}
