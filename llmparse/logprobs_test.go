package llmparse

import (
	"encoding/json"
	"strings"
	"testing"

	openai "github.com/sashabaranov/go-openai"
)

const (
	completionHead = `{"id":"c","choices":[{"index":0,"message":{"content":"{\"logprob\": 1}"},"logprobs":`
	completionTail = `,"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2}}`
)

// The mean stands for the log-probabilities, whatever else a completion holds.
func TestMeanLogProbStandsForAll(t *testing.T) {
	for _, c := range []struct {
		name, logProbs string
		want           float64
	}{
		{"as vLLM writes it", `{"content":[{"token":"a","logprob":-0.5,"bytes":[97],"top_logprobs":[]},{"token":"b","logprob":-1.5,"bytes":[98],"top_logprobs":[]}]}`, -1},
		{"others than the tokens'", `{"content":[{"token":"a","top_logprobs":[{"token":"b","logprob":-9}],"logprob":-2}],"refusal":[{"logprob":-7}]}`, -2},
		{"tokens that look like names", `{"content":[{"token":"\"logprob\":","logprob":-3},{"token":"logprob","logprob":-3}]}`, -3},
		{"white space", "{ \"content\" : [ { \"token\" : \"}\" ,\n \"logprob\" : -25e-2 } ] }", -0.25},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := completionHead + c.logProbs + completionTail
			got := withMeanLogProb([]byte(body))
			if len(got) >= len(body) && strings.Contains(c.name, "vLLM") {
				t.Errorf("%d bytes have become %d", len(body), len(got))
			}
			var whole, short openai.ChatCompletionResponse
			if err := json.Unmarshal([]byte(body), &whole); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(got, &short); err != nil {
				t.Fatalf("%v: %s", err, got)
			}
			if p := meanLogProb(short.Choices[0].LogProbs); p == nil || *p != c.want {
				t.Errorf("mean of %s is not %g", got, c.want)
			}
			whole.Choices[0].LogProbs, short.Choices[0].LogProbs = nil, nil
			if a, b := marshal(t, whole), marshal(t, short); a != b {
				t.Errorf("completion has become %s", b)
			}
		})
	}
}

func marshal(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestOtherResponsesStayAsTheyAre(t *testing.T) {
	token := `{"content":[{"token":"a","logprob":-0.5}]}`
	for _, body := range []string{
		"", "<html>", `{"choices":[]}`, `{"logprobs":` + token + `}`, `{"error":{"message":"no"}}`,
		completionHead + `null` + completionTail,
		completionHead + `{"content":[]}` + completionTail,
		completionHead + `{"content":[{"token":"a","logprob":null}]}` + completionTail,
		completionHead + `{"content":[{"token":"a","logprob":-Infinity}]}` + completionTail,
		completionHead + token[:20],
		completionHead + token + `},{"logprobs":` + token + completionTail,
	} {
		if got := withMeanLogProb([]byte(body)); string(got) != body {
			t.Errorf("%s has become %s", body, got)
		}
	}
}

func FuzzMeanLogProb(f *testing.F) {
	f.Add([]byte(completionHead + `{"content":[{"token":"a","logprob":-0.5}]}` + completionTail))
	f.Add([]byte(`{"choices":[{"logprobs":{"content":[{"logprob":1`))
	f.Add([]byte(`]]}}{"a":"\`))
	f.Fuzz(func(t *testing.T, body []byte) {
		if got := withMeanLogProb(body); json.Valid(body) && !json.Valid(got) {
			t.Errorf("%s has become %s", body, got)
		}
	})
}

func BenchmarkMeanLogProb(b *testing.B) {
	token := `{"token":" the","logprob":-0.0123456,"bytes":[32,116,104,101],"top_logprobs":[]}`
	body := []byte(completionHead + `{"content":[` + strings.Repeat(token+",", 99) + token + `]}` + completionTail)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if out := withMeanLogProb(body); len(out) > 512 {
			b.Fatal(len(out))
		}
	}
}
