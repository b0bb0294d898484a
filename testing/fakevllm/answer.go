package fakevllm

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// extractCaption returns the text after the last "Caption: " of a message. For a request for whole
// negatives it also returns the line of keys.
func extractCaption(message string) string {
	i := strings.LastIndex(message, "Caption: ")
	if i < 0 {
		return message
	}
	if k := strings.LastIndex(message[:i], "\n"+keysPrefix); k >= 0 && strings.Count(message[k:i], "\n") == 2 {
		return message[k+1:]
	}
	return message[i+len("Caption: "):]
}

// keysPrefix begins the line of keys before the caption in a request for whole negatives.
const keysPrefix = "Keys: "

// Answer returns AnswerWhole for a request for whole negatives, else AnswerNouns.
func Answer(caption string) string {
	keys, whole := strings.CutPrefix(caption, keysPrefix)
	if !whole {
		return AnswerNouns(caption)
	}
	keys, caption, _ = strings.Cut(keys, "\nCaption: ")
	return AnswerWhole(caption, strings.Split(keys, ", "))
}

// AnswerNouns returns a graph by rule: a word after "a", "an", "the" or "two" is an entity, and the
// words between two entities are their relation.
func AnswerNouns(caption string) string {
	var graph struct {
		Entities      []string         `json:"entities"`
		Relationships []map[string]any `json:"relationships"`
	}
	graph.Entities, graph.Relationships = []string{}, []map[string]any{}
	var between []string
	words := strings.Fields(caption)
	for i := 0; i < len(words); i++ {
		switch strings.ToLower(words[i]) {
		case "a", "an", "the", "two":
			if i+1 == len(words) {
				break
			}
			i++
			graph.Entities = append(graph.Entities, strings.Trim(words[i], ".,!?"))
			if n := len(graph.Entities); n > 1 && between != nil {
				graph.Relationships = append(graph.Relationships, map[string]any{
					"subject": n - 2, "relationship": strings.Join(between, " "), "object": n - 1,
				})
			}
			between = nil
		default:
			between = append(between, words[i])
		}
	}
	b, err := json.Marshal(graph)
	if err != nil {
		panic(err) // strings and integers
	}
	return string(b)
}

// completionBody returns a response in vLLM's form.
func completionBody(model, content, finish string, tokens, promptTokens int, logProbs bool) []byte {
	choice := map[string]any{
		"index": 0, "finish_reason": finish, "stop_reason": nil,
		"message": map[string]any{"role": "assistant", "content": content, "reasoning_content": nil, "tool_calls": []any{}},
	}
	if logProbs {
		choice["logprobs"] = logProbsOf(content, tokens)
	}
	b, err := json.Marshal(map[string]any{
		"id": "chatcmpl-fake", "object": "chat.completion", "created": 1, "model": model, "choices": []any{choice},
		"usage": map[string]any{"prompt_tokens": promptTokens, "completion_tokens": tokens, "total_tokens": promptTokens + tokens, "prompt_tokens_details": nil},
	})
	if err != nil {
		panic(err)
	}
	return b
}

// logProbsOf returns log-probabilities of tokens of content, −0.1 and −0.3 in turn.
func logProbsOf(content string, tokens int) map[string]any {
	list := make([]map[string]any, tokens)
	for i := range list {
		c := byte(' ')
		if content != "" {
			c = content[i%len(content)]
		}
		list[i] = map[string]any{"token": string(rune(c)), "logprob": -0.1 - 0.2*float64(i%2), "bytes": []int{int(c)}, "top_logprobs": []any{}}
	}
	return map[string]any{"content": list}
}

// writeError writes an error in vLLM's form.
func writeError(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"error":{"message":%q,"type":"%s","param":null,"code":%d}}`, message, http.StatusText(status), status)
}
