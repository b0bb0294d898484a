package llmparse

import (
	"encoding/json"
	"strings"
	"testing"

	openai "github.com/sashabaranov/go-openai"
)

const (
	completionHead = `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"content":"{\"logprob\": 1}"},"logprobs":`
	completionTail = `,"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"total_tokens":5,"completion_tokens":2,"prompt_tokens_details":null}}`
)

// said is what the client reads of a completion.
type said struct {
	Content, Finish string
	LogProb         float64 // their mean; 0 for none
	In, Out         int
}

func saidBy(t testing.TB, body []byte) (s said) {
	t.Helper()
	var res openai.ChatCompletionResponse
	if err := json.Unmarshal(body, &res); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	c := res.Choices[0]
	s = said{Content: c.Message.Content, Finish: string(c.FinishReason), In: res.Usage.PromptTokens, Out: res.Usage.CompletionTokens}
	if p := meanLogProb(c.LogProbs); p != nil {
		s.LogProb = *p
	}
	return s
}

// A lean completion says what the whole one does.
func TestLeanSaysTheSame(t *testing.T) {
	const content = `{"logprob": 1}`
	for _, c := range []struct {
		name, logProbs string
		want           float64
	}{
		{"as vLLM writes it", `{"content":[{"token":"a","logprob":-0.5,"bytes":[97],"top_logprobs":[]},{"token":"b","logprob":-1.5,"bytes":[98],"top_logprobs":[]}]}`, -1},
		{"others than the tokens'", `{"content":[{"token":"a","top_logprobs":[{"token":"b","logprob":-9}],"logprob":-2}],"refusal":[{"logprob":-7}]}`, -2},
		{"tokens that look like names", `{"content":[{"token":"\"logprob\":","logprob":-3},{"token":"logprob","logprob":-3}]}`, -3},
		{"white space", "{ \"content\" : [ { \"token\" : \"}\" ,\n \"logprob\" : -25e-2 } ] }", -0.25},
		{"without", "null", 0},
		{"without any", `{"content":[]}`, 0},
		{"two choices", `null},{"message":{"content":"b"},"finish_reason":"length","logprobs":{"content":[{"logprob":-1}]}`, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := []byte(completionHead + c.logProbs + completionTail)
			short := lean(body)
			if len(short) >= len(body) {
				t.Errorf("%d bytes have become %d", len(body), len(short))
			}
			got, whole := saidBy(t, short), saidBy(t, body)
			if got != whole || got.Content != content || got.LogProb != c.want || got.In != 3 || got.Out != 2 {
				t.Errorf("says %+v, the whole %+v", got, whole)
			}
		})
	}
	refused := []byte(`{"choices":[{"message":{"role":"assistant","content":null},"finish_reason":"content_filter"}]}`)
	if got := saidBy(t, lean(refused)); got != (said{Finish: "content_filter"}) {
		t.Errorf("a refusal says %+v", got)
	}
}

func TestOtherResponsesStayAsTheyAre(t *testing.T) {
	token := `{"content":[{"token":"a","logprob":-0.5}]}`
	for _, body := range []string{
		"", "<html>", "null", `{"choices":[]}`, `{"logprobs":` + token + `}`, `{"error":{"message":"no"}}`,
		completionHead + `{"content":[{"token":"a","logprob":null}]}` + completionTail,
		completionHead + `{"content":[{"token":"a","logprob":-Infinity}]}` + completionTail,
		completionHead + token[:20],
		completionHead + token + completionTail[:len(completionTail)-1],
		completionHead + token + completionTail + "{}",
	} {
		if got := lean([]byte(body)); string(got) != body {
			t.Errorf("%s has become %s", body, got)
		}
	}
}

func FuzzLean(f *testing.F) {
	f.Add([]byte(completionHead + `{"content":[{"token":"a","logprob":-0.5}]}` + completionTail))
	f.Add([]byte(`{"choices":[{"logprobs":{"content":[{"logprob":1`))
	f.Add([]byte(`]]}}{"a":"\`))
	f.Add([]byte(`{"choices":[{"message":{"content":},"finish_reason":,"logprobs":{"content":[,,]}}]`))
	f.Fuzz(func(t *testing.T, body []byte) {
		if got := lean(body); json.Valid(body) && !json.Valid(got) {
			t.Errorf("%s has become %s", body, got)
		}
	})
}

func BenchmarkLean(b *testing.B) {
	token := `{"token":" the","logprob":-0.0123456,"bytes":[32,116,104,101],"top_logprobs":[]}`
	body := []byte(completionHead + `{"content":[` + strings.Repeat(token+",", 99) + token + `]}` + completionTail)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if out := lean(body); len(out) > 512 {
			b.Fatal(len(out))
		}
	}
}
