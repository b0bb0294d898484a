package llmparse

import (
	"strings"

	"github.com/valyala/fastjson"
)

// completion is what the client reads of a response.
type completion struct {
	content string
	finish  string   // why the model stopped
	logProb *float64 // mean over the tokens; nil if the server gives none
	in, out int      // tokens
}

// readCompletion reads a response, or returns nil if it is no completion with
// a choice.
func readCompletion(p *fastjson.Parser, body []byte) *completion {
	v, err := p.ParseBytes(body)
	if err != nil {
		return nil
	}
	choice, usage := v.Get("choices", "0"), v.Get("usage")
	if choice == nil || choice.Type() != fastjson.TypeObject {
		return nil
	}
	return &completion{
		content: messageContent(choice), finish: stringAt(choice, "finish_reason"),
		logProb: meanLogProb(choice.GetArray("logprobs", "content")),
		in:      usage.GetInt("prompt_tokens"), out: usage.GetInt("completion_tokens"),
	}
}

// messageContent returns the text of a choice. Servers that separate a model's reasoning put all of
// a reply there if it never ends; it may then be the answer itself.
func messageContent(choice *fastjson.Value) string {
	content := stringAt(choice, "message", "content")
	if content != "" {
		return content
	}
	for _, name := range []string{"reasoning_content", "reasoning"} {
		reasoning := stringAt(choice, "message", name)
		switch start := strings.TrimSpace(reasoning); {
		case strings.HasPrefix(start, "{"), strings.HasPrefix(start, answerBegin):
			return reasoning
		case start != "":
			return thoughtBegin + reasoning
		}
	}
	return ""
}

// stringAt returns a string of v, as valid UTF-8, so that it comes back from the cache unchanged.
func stringAt(v *fastjson.Value, keys ...string) string {
	return strings.ToValidUTF8(string(v.GetStringBytes(keys...)), "\uFFFD")
}

// meanLogProb is the length-normalised log-probability of a reply, given its
// tokens, or nil if the server gives none.
func meanLogProb(tokens []*fastjson.Value) *float64 {
	sum := 0.0
	for _, t := range tokens {
		sum += t.GetFloat64("logprob")
	}
	mean := sum / float64(len(tokens))
	if !(mean <= 0 && mean > -1e6) { // no tokens, or nothing a probability can be
		return nil
	}
	return &mean
}
