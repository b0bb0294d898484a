package replies

import (
	"encoding/json"
	"errors"
	"strings"
)

// The marks around the answer in a reply that need not match a schema.
const (
	AnswerBegin = "[ANS]"
	AnswerEnd   = "[/ANS]"
)

// TaskBegin is the begin of every prompt.
const TaskBegin = "You read a caption of a"

// CaptionTail returns the end of a message, which has the caption.
func CaptionTail(text string) string { return "Caption: " + text }

// The marks around a model's reasoning, before its answer.
const (
	thoughtBegin = "<think>"
	thoughtEnd   = "</think>"
)

// IsReasoning reports whether the content of a reply begins with a model's reasoning.
func IsReasoning(content string) bool {
	return strings.HasPrefix(strings.TrimSpace(content), thoughtBegin)
}

// ExtractJSON returns the JSON object in the content of a reply: between [ANS] and [/ANS] (the last
// such pair), in a code fence, or bare among other words, after any reasoning. The error is one of
// Reasons.
func ExtractJSON(content string) (string, error) {
	switch i := strings.LastIndex(content, thoughtEnd); {
	case i >= 0 && strings.Contains(content[i:], "{"):
		content = content[i:]
	case i < 0 && IsReasoning(content):
		return "", ErrOnlyThought
	}
	if strings.Contains(content, TaskBegin) {
		return "", ErrEchoed
	}
	// A base model may continue with captions of its own.
	if answer, _, more := strings.Cut(content, "\n"+CaptionTail("")); more && strings.Contains(answer, "{") {
		content = answer
	}
	if i := strings.LastIndex(content, AnswerBegin); i >= 0 {
		content = content[i+len(AnswerBegin):]
		content, _, _ = strings.Cut(content, AnswerEnd)
	}
	i := strings.IndexByte(content, '{')
	if i < 0 {
		return "", ErrNoAnswer
	}
	return content[i:], nil
}

// DecodeJSON decodes the JSON object in the content of a reply into v. The error is one of Reasons.
func DecodeJSON(content string, v any) error {
	body, err := ExtractJSON(content)
	if err != nil {
		return err
	}
	err = json.NewDecoder(strings.NewReader(body)).Decode(v)
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrong), errors.Is(err, ErrWrongSchema):
		return ErrWrongSchema
	}
	return ErrNotJSON
}
