package llmparse

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"capgraph/llmparse/client"
	"capgraph/llmparse/replies"
	"capgraph/schemas"
	"capgraph/testing/heap"
)

// serve answers every request with a body.
func serve(t *testing.T, body string) (url string) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(body)) }))
	t.Cleanup(s.Close)
	return s.URL
}

// completionOf is a response with a content and the log-probabilities of its tokens.
func completionOf(content, logProbs string) string {
	return `{"choices":[{"message":{"content":"` + content + `"},"logprobs":` + logProbs + `,"finish_reason":"stop"}],"usage":{"completion_tokens":9}}`
}

const graphReply = `{\"entities\":[\"dog\"],\"relationships\":[]}`

// storedReply returns the reply about a text in the cache of p, nil if there is none.
func storedReply(t *testing.T, p *Parser, text string) (r *replies.Record) {
	t.Helper()
	err := p.client.EachCached([]client.Question{p.Question(text)}, func(_ int, found *replies.Record) error {
		r = found
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Of a response no more is read than the tokens that were allowed can make; a reply that
// is longer is of no use, and is not stored.
func TestLongRepliesAreNotHeld(t *testing.T) {
	for name, body := range map[string]string{
		"a long answer":            completionOf(graphReply+strings.Repeat(" ", 4<<20), "null"),
		"many log-probabilities":   completionOf(graphReply, `{"content":[`+strings.Repeat(`{"logprob":-1},`, 300_000)+`{}]}`),
		"something before it":      `{"id":"` + strings.Repeat("x", 8<<20) + `",` + completionOf(graphReply, "null")[1:],
		"a long answer that fits":  completionOf(graphReply+strings.Repeat(" ", 100<<10), "null"), // the response, and not the reply
		"more values than objects": completionOf(graphReply, `{"content":[`+strings.Repeat(`[],`, 1<<20)+`{}]}`),
	} {
		o := optionsFor(t)
		o.Endpoints, o.Reply, o.Attempts, o.OnBad = []string{serve(t, body)}, client.ReplyPlain, 1, client.OnBadReject
		p := parserFor(t, o)
		texts := captions(4)
		out := make([]schemas.Parsed, len(texts))
		peak := heap.Peak(func() {
			if err := p.Parse(t.Context(), texts, out); err != nil {
				t.Error(err)
			}
		})
		for i := range out {
			if out[i].Reject != "llm_unanswered" || !strings.Contains(out[i].Detail, "the reply is longer than max_tokens allows") {
				t.Fatalf("%s: %q is %q, %q", name, texts[i], out[i].Reject, out[i].Detail)
			}
		}
		if peak > 64<<20 {
			t.Errorf("%s: a heap of %d MB for 4 captions", name, peak>>20)
		}
		if r := storedReply(t, p, texts[0]); r != nil {
			t.Errorf("%s: a reply of %d bytes is stored", name, len(r.Content))
		}
	}
}

// A reply of as many tokens as were allowed is read, whatever they are.
func TestRepliesOfAllTheirTokensAreRead(t *testing.T) {
	emoji := `{"token":"\ud83d\udc15\u200d","logprob":-0.12345678,"bytes":[240,159,144,149,226,128,141],"top_logprobs":[` +
		strings.TrimSuffix(strings.Repeat(`{"token":"\ud83d\udc15\u200d","logprob":-0.12345678,"bytes":[240,159,144,149,226,128,141]},`, 5), ",") + `]}`
	o := optionsFor(t)
	o.Reply, o.Sampling = client.ReplyPlain, map[string]any{"top_logprobs": uint64(5)}
	tokens := replyTokens("a dog", o.MaxTokens)
	body := completionOf(graphReply+strings.Repeat(`\ud83d\udc15\u200d`, tokens), `{"content":[`+strings.TrimSuffix(strings.Repeat(emoji+",", tokens), ",")+`]}`)
	o.Endpoints = []string{serve(t, body)}
	out := parse(t, parserFor(t, o), "a dog")
	if got := line("a dog", &out[0].Graph); got != "dog | " || out[0].Reject != "" {
		t.Errorf("graph %q, reject %q %s", got, out[0].Reject, out[0].Detail)
	}
}

// A stored reply that is too long counts as none: it is asked for again, and in the mean
// time it takes no memory.
func TestLongStoredReplies(t *testing.T) {
	o := optionsFor(t)
	o.Reply, o.OnBad = client.ReplyPlain, client.OnBadReject
	texts := captions(100)
	keep := func(content string, room int) {
		p := parserFor(t, o)
		cache, err := replies.Open(o.Cache, 0)
		if err != nil {
			t.Fatal(err)
		}
		var keys []replies.Key
		var records []*replies.Record
		for _, text := range texts {
			keys = append(keys, p.keyOf(text))
			records = append(records, &replies.Record{Model: o.Model, Prompt: PromptVersion, Form: client.ReplyPlain, Content: content, Finish: "stop", Room: room})
		}
		if err := errors.Join(cache.PutAll(keys, records), cache.Close(), p.Close()); err != nil {
			t.Fatal(err)
		}
	}
	graph := strings.ReplaceAll(graphReply, `\`, "")
	keep(graph+strings.Repeat(" ", 2<<20), 0)
	p := parserFor(t, o)
	out := make([]schemas.Parsed, len(texts))
	peak := heap.Peak(func() {
		if err := p.Parse(t.Context(), texts, out); err != nil {
			t.Error(err)
		}
	})
	if out[0].Reject != "llm_"+replies.NotAsked || peak > 64<<20 {
		t.Errorf("reject %q, a heap of %d MB for 100 replies of 2 MB", out[0].Reject, peak>>20)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	keep(graph+strings.Repeat(" ", 100<<10), 4*o.MaxTokens) // made with more room
	if out := parse(t, parserFor(t, o), texts...); out[99].Reject != "" {
		t.Errorf("a reply of the room that it had is %q", out[99].Reject)
	}
	keep(graph+strings.Repeat(" ", 2<<20), 1<<16)
	p = parserFor(t, o)
	peak = heap.Peak(func() {
		if err := p.Parse(t.Context(), texts, out); err != nil || out[99].Reject != "" {
			t.Error(err, out[99].Reject)
		}
	})
	if peak > 180<<20 {
		t.Errorf("a heap of %d MB for 100 replies of 2 MB that are as long as their tokens allow", peak>>20)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
}

// Of an answer file a line that is too long is counted, and those beside it are stored.
func TestImportPassesOverLongLines(t *testing.T) {
	o := optionsFor(t)
	b, err := client.NewBatch(o)
	if err != nil {
		t.Fatal(err)
	}
	p := NewParser(b.Client, rules(t))
	defer p.Close()
	answer := func(text, content string) string {
		return fmt.Sprintf(`{"custom_id":"%s","response":{"status_code":200,"body":%s}}`, p.keyOf(text), completionOf(content, "null")) + "\n"
	}
	lines := answer("one", graphReply) +
		answer("two", graphReply+strings.Repeat(" ", 20<<20)) + // no line
		answer("three", graphReply+strings.Repeat(" ", 100<<10)) + // a line, but no reply
		answer("four", graphReply)
	var told []string
	importer := b.NewImporter()
	importer.Usable, importer.PromptOf = Usable, func(string) string { return PromptVersion }
	importer.Warn = func(line int, why error) { told = append(told, fmt.Sprint(line, ": ", why)) }
	n, err := importer.Import(strings.NewReader(lines), nil)
	if err != nil || n.Stored != 2 || n.Malformed != 2 || len(told) != 2 || !strings.HasPrefix(told[0], "2: the reply is longer") || !strings.HasPrefix(told[1], "3: the reply is longer") {
		t.Errorf("%+v, %v, %q", n, err, told)
	}
	if r := storedReply(t, p, "four"); r == nil {
		t.Error("the answer behind is not stored")
	}
}
