package llmparse

import (
	"errors"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"

	"capgraph/llmparse/client"
	"capgraph/llmparse/replies"
	"capgraph/schemas"
	"capgraph/testing/fakevllm"
)

// Replies that cannot be used count against the budget; those of the cache did
// so when they came.
func TestUnusableRepliesSpendTheBudget(t *testing.T) {
	s := serverFor(t, fakevllm.Config{Answer: func(caption string) string {
		if strings.HasSuffix(caption, "0") {
			return `{"entities":["` + caption[:1] + `xyz"],"relationships":[]}` // names what the caption does not
		}
		return fakevllm.AnswerNouns(caption)
	}})
	o := optionsFor(t, s)
	o.Reply, o.FailureBudget = client.ReplyPlain, 4
	texts := captions(50) // 5 of which are answered badly
	ask := func() error {
		p := parserFor(t, o)
		err := p.Parse(t.Context(), texts, make([]schemas.Parsed, len(texts)))
		return errors.Join(err, p.Close())
	}
	err := ask()
	if err == nil || !strings.Contains(err.Error(), "more than 4 texts have failed (the last: not_said: ") {
		t.Fatalf("error is %v", err)
	}
	if err := ask(); err != nil { // most replies are of use: the bad ones stand
		t.Error(err)
	}
	for caption, n := range s.Counts().Asked {
		if n != 1 && strings.HasSuffix(caption, "0") {
			t.Errorf("%q was asked %d times", caption, n)
		}
	}
}

// A run that fails for its replies has the bad ones asked again, whichever file of
// the cache they are in, and no other.
func TestBadRepliesAreAskedForAgain(t *testing.T) {
	useless := true
	s := serverFor(t, fakevllm.Config{Answer: func(caption string) string {
		if useless && !strings.HasSuffix(caption, "0") {
			return "{sorry"
		}
		return fakevllm.AnswerNouns(caption)
	}})
	o := optionsFor(t, s)
	o.Reply = client.ReplyPlain
	texts := captions(30)
	p := parserFor(t, o)
	parse(t, p, texts...)
	p.Close()

	held, err := bolt.Open(o.Cache+"/replies-00000.db", 0o600, &bolt.Options{ReadOnly: true}) // another process reads it
	if err != nil {
		t.Fatal(err)
	}
	o.Endpoints = nil
	p = parserFor(t, o)
	for i, out := range parse(t, p, texts...) {
		if fell := out.FellBack == "not_json"; fell == strings.HasSuffix(texts[i], "0") {
			t.Errorf("%q fell back: %q", texts[i], out.FellBack)
		}
	}
	worst := p.DescribeUnusable()
	if strings.Count(worst, "\n  not_json: \"a dog on a table near number ") != 3 || !strings.Contains(worst, "sorry") {
		t.Errorf("worst are %s", worst)
	}
	p.RetryUnusable()
	if err := errors.Join(p.Close(), held.Close()); err != nil {
		t.Fatal(err)
	}
	if moved, err := replies.Merge(o.Cache); err != nil {
		t.Fatal(moved, err)
	}

	useless = false
	o.Endpoints = []string{s.URL}
	before := s.Counts().Requests
	for i, out := range parse(t, parserFor(t, o), texts...) {
		if out.FellBack != "" {
			t.Errorf("%q fell back: %q", texts[i], out.FellBack)
		}
	}
	if n := s.Counts().Requests - before; n != 27 {
		t.Errorf("%d requests, want one for each of 27 bad replies", n)
	}
}
