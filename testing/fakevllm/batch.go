package fakevllm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// RunBatch answers a batch file as vLLM's run-batch might: in reverse order, with the first request
// missing, the second failed, and a line that is cut off at the end. A reply is truncated if its
// request allows fewer tokens than least.
func RunBatch(requests []byte, least int) ([]byte, error) {
	var out bytes.Buffer
	lines := bytes.Split(bytes.TrimSpace(requests), []byte("\n"))
	for i := len(lines) - 1; i > 0; i-- {
		var request struct {
			CustomID string `json:"custom_id"`
			Method   string
			URL      string
			Body     struct {
				Model     string
				Messages  []struct{ Content string }
				MaxTokens int `json:"max_tokens"`
			}
		}
		if err := json.Unmarshal(lines[i], &request); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		if request.Method != "POST" || !strings.HasSuffix(request.URL, "/chat/completions") || len(request.Body.Messages) == 0 {
			return nil, fmt.Errorf("line %d is not a completion request", i+1)
		}
		if i == 1 {
			fmt.Fprintf(&out, `{"id":"x%d","custom_id":%q,"response":null,"error":{"message":"engine died"}}`+"\n", i, request.CustomID)
			continue
		}
		caption := extractCaption(request.Body.Messages[0].Content)
		content, finish, tokens := Answer(caption), "stop", meanTokens
		if request.Body.MaxTokens < least {
			tokens = request.Body.MaxTokens
			Fault{Kind: Truncated}.spoilReply(&content, &finish)
		}
		body := completionBody(request.Body.Model, content, finish, tokens, 1, true)
		fmt.Fprintf(&out, `{"id":"x%d","custom_id":%q,"response":{"status_code":200,"request_id":"r","body":%s},"error":null}`+"\n", i, request.CustomID, body)
	}
	out.WriteString(`{"id":"cut off","custom_` + "\n")
	return out.Bytes(), nil
}
