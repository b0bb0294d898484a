package llmparse

import (
	"fmt"
	"strings"
	"testing"

	"capgraph/schemas"
	"capgraph/testing/fakevllm"
)

// brokenRules panics on one text.
type brokenRules struct {
	Rules
	text string
}

func (r brokenRules) Tokens(text string, out []schemas.Token) []schemas.Token {
	if text == r.text {
		panic("broken on " + text)
	}
	return r.Rules.Tokens(text, out)
}

// A panic over a reply, which comes on a goroutine of the client, is one of who
// asked, who can recover from it; other batches go on.
func TestPanicReachesTheCaller(t *testing.T) {
	o := optionsFor(t, serverFor(t, fakevllm.Config{}))
	texts := captions(8)
	p, err := New(o, brokenRules{rules(t), texts[5]})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	func() {
		defer func() {
			if said := fmt.Sprint(recover()); !strings.Contains(said, "broken on "+texts[5]) {
				t.Errorf("recovered %s", said)
			}
		}()
		err := p.Parse(t.Context(), texts, make([]schemas.Parsed, len(texts)))
		t.Errorf("parsed, error %v", err)
	}()
	if out := parse(t, p, texts[0]); len(out[0].Graph.Objects) == 0 {
		t.Error("no graph after a panic")
	}
}
