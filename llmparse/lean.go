package llmparse

import (
	"math"
	"strconv"

	"github.com/tidwall/gjson"
)

// lean is a completion with what the client reads of it and no more, so that
// the rest need not be decoded: the content of the first choice, why it ended,
// the tokens used, and for the log-probabilities of all tokens, which are most
// of the bytes, one token with their mean. Anything but a completion with a
// choice is returned as it is.
func lean(body []byte) []byte {
	if !gjson.ValidBytes(body) {
		return body
	}
	all := gjson.ParseBytes(body)
	choice := all.Get("choices.0")
	var sum float64
	tokens, numbers := 0, true
	choice.Get("logprobs.content").ForEach(func(_, token gjson.Result) bool {
		p := token.Get("logprob")
		numbers = p.Type == gjson.Number
		sum += p.Num
		tokens++
		return numbers
	})
	mean := sum / float64(tokens)
	if !choice.IsObject() || !numbers || tokens > 0 && (math.IsInf(mean, 0) || math.IsNaN(mean)) {
		return body
	}
	content, usage := choice.Get("message.content").Raw, all.Get("usage")
	short := append(make([]byte, 0, len(content)+256), `{"choices":[{"message":{"content":`...)
	short = append(short, orNull(content)...)
	short = append(append(short, `},"finish_reason":`...), orNull(choice.Get("finish_reason").Raw)...)
	if tokens > 0 {
		short = strconv.AppendFloat(append(short, `,"logprobs":{"content":[{"logprob":`...), mean, 'g', -1, 64)
		short = append(short, `}]}`...)
	}
	short = append(append(short, `}],"usage":{"prompt_tokens":`...), orNull(usage.Get("prompt_tokens").Raw)...)
	short = append(append(short, `,"completion_tokens":`...), orNull(usage.Get("completion_tokens").Raw)...)
	return append(short, `}}`...)
}

// orNull is a JSON value, or null where it is missing.
func orNull(value string) string {
	if value == "" {
		return "null"
	}
	return value
}
