package replies

import (
	"strings"

	"github.com/valyala/fastjson"
)

// Completion is the first choice of a response, with the response's token counts.
type Completion struct {
	Content string
	Finish  string   // why the model stopped
	LogProb *float64 // mean over the tokens; nil if the server has none
	In, Out int      // tokens
}

// ReadCompletion returns the completion in the body of a response, or nil if it has no choice.
func ReadCompletion(p *fastjson.Parser, body []byte) *Completion {
	v, err := p.ParseBytes(body)
	if err != nil {
		return nil
	}
	choice, usage := v.Get("choices", "0"), v.Get("usage")
	if choice == nil || choice.Type() != fastjson.TypeObject {
		return nil
	}
	return &Completion{
		Content: messageContent(choice), Finish: stringAt(choice, "finish_reason"),
		LogProb: meanLogProb(choice.GetArray("logprobs", "content")),
		In:      usage.GetInt("prompt_tokens"), Out: usage.GetInt("completion_tokens"),
	}
}

// messageContent returns the text of a choice. A server that returns a model's reasoning apart puts the whole reply
// there if the reasoning never ends; then that is the text, since it may be the answer itself.
func messageContent(choice *fastjson.Value) string {
	content := stringAt(choice, "message", "content")
	if content != "" {
		return content
	}
	for _, name := range []string{"reasoning_content", "reasoning"} {
		reasoning := stringAt(choice, "message", name)
		switch start := strings.TrimSpace(reasoning); {
		case strings.HasPrefix(start, "{"), strings.HasPrefix(start, AnswerBegin):
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

// meanLogProb returns the mean log-probability of the tokens of a reply, or nil if the server has none.
func meanLogProb(tokens []*fastjson.Value) *float64 {
	sum := 0.0
	for _, t := range tokens {
		sum += t.GetFloat64("logprob")
	}
	mean := sum / float64(len(tokens))
	if !(mean <= 0 && mean > -1e6) { // no tokens, or no valid log-probability
		return nil
	}
	return &mean
}
