package llmparse

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	openai "github.com/sashabaranov/go-openai"
	"github.com/valyala/fastjson"
)

// BenchmarkRequest is what it takes to write a question: in a frame that was
// encoded once, around what go-openai encodes of the rest, and all of it by
// go-openai. See decision 13.
func BenchmarkRequest(b *testing.B) {
	o := Defaults()
	o.Model, o.Cache = "meta-llama/Meta-Llama-3-8B-Instruct", b.TempDir()
	p, err := New(o, rules(b))
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	q := p.newQuestion("a small boy holding a yellow kite in a grassy field", ReplySchema)
	var head string
	if err := json.Unmarshal(fmt.Appendf(nil, `"%s"`, q.frame.head), &head); err != nil {
		b.Fatal(err)
	}
	whole := p.client.newRequest(q)
	whole.Messages[0].Content = head + q.tail
	whole.ResponseFormat = &openai.ChatCompletionResponseFormat{
		Type:       openai.ChatCompletionResponseFormatTypeJSONSchema,
		JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{Name: "reply", Strict: true, Schema: json.RawMessage(replySchema("", ""))},
	}
	b.Run("frame", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			request, err := json.Marshal(p.client.newRequest(q))
			if err == nil {
				_, err = q.frame.wrap(request)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("go-openai", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := json.Marshal(whole); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkCompletion is what it takes to read a reply of 100 tokens.
func BenchmarkCompletion(b *testing.B) {
	token := `{"token":" kite","logprob":-0.0123456,"bytes":[32,107,105,116,101],"top_logprobs":[]}`
	for name, logProbs := range map[string]string{
		"probabilities": `{"content":[` + strings.Repeat(token+",", 99) + token + `]}`,
		"none":          "null",
	} {
		body := []byte(completionHead + logProbs + completionTail)
		b.Run(name+"/fastjson", func(b *testing.B) {
			p := new(fastjson.Parser)
			b.ReportAllocs()
			for b.Loop() {
				if readCompletion(p, body) == nil {
					b.Fatal("no completion")
				}
			}
		})
		b.Run(name+"/go-openai", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var res openai.ChatCompletionResponse
				if err := json.NewDecoder(bytes.NewReader(body)).Decode(&res); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
