package llmparse

import (
	"testing"

	"capgraph/llmparse/client"
	"capgraph/llmparse/replies"
	"capgraph/schemas"
)

// BenchmarkDecode is the work on a reply once it has come: reading, grounding
// and tagging.
func BenchmarkDecode(b *testing.B) {
	o := client.Defaults()
	o.Model, o.Cache = "m", b.TempDir()
	p, err := New(o, rules(b))
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	e := promptExamples[4]
	r := &replies.Record{Content: e.Answer, Finish: "stop"}
	var out schemas.Parsed
	b.ReportAllocs()
	for b.Loop() {
		if err := p.decodeReply(&client.Question{Text: e.Caption}, r, &out); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkTokens is the share of the rule tagger in BenchmarkDecode.
func BenchmarkTokens(b *testing.B) {
	r, e := rules(b), promptExamples[4]
	var out []schemas.Token
	b.ReportAllocs()
	for b.Loop() {
		out = r.Tokens(e.Caption, out)
	}
}
