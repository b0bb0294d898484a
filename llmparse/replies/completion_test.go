package replies

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	openai "github.com/sashabaranov/go-openai"
	"github.com/valyala/fastjson"
)

const (
	completionHead = `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"content":"{\"logprob\": 1}"},"logprobs":`
	completionTail = `,"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"total_tokens":5,"completion_tokens":2,"prompt_tokens_details":null}}`
)

// said is a Completion in one value that can be compared.
type said struct {
	Content, Finish string
	LogProb         float64 // 0 for none
	In, Out         int
}

func read(body string) (said, bool) {
	c := ReadCompletion(new(fastjson.Parser), []byte(body))
	if c == nil {
		return said{}, false
	}
	s := said{Content: c.Content, Finish: c.Finish, In: c.In, Out: c.Out}
	if c.LogProb != nil {
		s.LogProb = *c.LogProb
	}
	return s, true
}

func TestCompletionsAreRead(t *testing.T) {
	whole := said{`{"logprob": 1}`, "stop", 0, 3, 2}
	withMean := func(mean float64) said { s := whole; s.LogProb = mean; return s }
	for _, c := range []struct {
		name, body string
		want       said
	}{
		{"as vLLM writes it", completionHead + `{"content":[{"token":"a","logprob":-0.5,"bytes":[97],"top_logprobs":[]},{"token":"b","logprob":-1.5,"bytes":[98],"top_logprobs":[]}]}` + completionTail, withMean(-1)},
		{"others than the tokens'", completionHead + `{"content":[{"token":"a","top_logprobs":[{"token":"b","logprob":-9}],"logprob":-2}],"refusal":[{"logprob":-7}]}` + completionTail, withMean(-2)},
		{"tokens that look like names", completionHead + `{"content":[{"token":"\"logprob\":","logprob":-3},{"token":"logprob","logprob":-3}]}` + completionTail, withMean(-3)},
		{"white space", completionHead + "{ \"content\" : [ { \"token\" : \"}\" ,\n \"logprob\" : -25e-2 } ] }" + completionTail, withMean(-0.25)},
		{"no log-probabilities", completionHead + "null" + completionTail, whole},
		{"none of them", completionHead + `{"content":[]}` + completionTail, whole},
		{"nothing that a probability can be", completionHead + `{"content":[{"token":"a","logprob":1}]}` + completionTail, whole},
		{"two choices", completionHead + `null,"finish_reason":"stop"},{"message":{"content":"b"},"logprobs":{"content":[{"logprob":-1}]}` + completionTail, whole},
		{"a refusal", `{"choices":[{"message":{"role":"assistant","content":null},"finish_reason":"content_filter"}]}`, said{Finish: "content_filter"}},
		{"no UTF-8", "{\"choices\":[{\"message\":{\"content\":\"caf\xe9\"}}]}", said{Content: "caf\uFFFD"}},
	} {
		if got, ok := read(c.body); !ok || got != c.want {
			t.Errorf("%s: says %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestOtherResponsesAreNoCompletions(t *testing.T) {
	token := `{"content":[{"token":"a","logprob":-0.5}]}`
	for _, body := range []string{
		"", "<html>", "null", "[]", `{"choices":[]}`, `{"choices":[null]}`, `{"logprobs":` + token + `}`, `{"error":{"message":"no"}}`,
		completionHead + `{"content":[{"token":"a","logprob":-Infinity}]}` + completionTail,
		completionHead + token[:20],
		completionHead + token + completionTail[:len(completionTail)-1],
		completionHead + token + completionTail + "{}",
	} {
		if got, ok := read(body); ok {
			t.Errorf("%s says %+v", body, got)
		}
	}
}

// What go-openai writes is read as it was, and anything else does no harm.
func FuzzReadCompletion(f *testing.F) {
	f.Add([]byte(completionHead+`{"content":[{"token":"a","logprob":-0.5}]}`+completionTail), "caf\u00e9 \U0001F600 \\", 3)
	f.Add([]byte(`{"choices":[{"message":{"content":},"finish_reason":,"logprobs":{"content":[,,]}}]`), `{"entities":["a\n"]}`, -1)
	f.Fuzz(func(t *testing.T, other []byte, content string, tokens int) {
		read(string(other))
		if !utf8.ValidString(content) {
			return
		}
		var res openai.ChatCompletionResponse
		res.Choices = []openai.ChatCompletionChoice{{Message: openai.ChatCompletionMessage{Content: content}}}
		res.Usage.CompletionTokens = tokens
		body, err := json.Marshal(res)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := read(string(body)); !ok || got != (said{Content: content, Out: tokens}) {
			t.Errorf("%s says %+v", body, got)
		}
	})
}

func BenchmarkReadCompletion(b *testing.B) {
	token := `{"token":" the","logprob":-0.0123456,"bytes":[32,116,104,101],"top_logprobs":[]}`
	body := []byte(completionHead + `{"content":[` + strings.Repeat(token+",", 99) + token + `]}` + completionTail)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	var p fastjson.Parser
	for b.Loop() {
		if ReadCompletion(&p, body) == nil {
			b.Fatal("no completion")
		}
	}
}
