package clean

import (
	"regexp"
	"strings"
)

// modelMarks are marks in the prompts and answers of models: of the image, of turns, of ends, and what
// they thought before.
var modelMarks = regexp.MustCompile(`(?is)<think>.*?</think>|<\|[a-z0-9_ ]{1,40}\|>|<(?:image|im|img|video)[-_ ]?(?:start|end|patch|pad|token|placeholder|here|[0-9]{1,3})?>|</?(?:bos|eos|pad|unk|start_of_turn|end_of_turn|answer|caption|description)>|\[/?(?:INST|SYS|IMG|IMAGE)\]|<<?/?SYS>>?`)

// stripMarks removes the marks of models.
func stripMarks(s string, _ Options, found *findings) string {
	if !strings.ContainsAny(s, "<[") || !modelMarks.MatchString(s) {
		return s
	}
	found.Noise |= NoiseMarks
	return strings.Trim(modelMarks.ReplaceAllString(s, " "), " ")
}

// jsonBegin is how a JSON object, a list of them, or what Python prints for one begins.
var jsonBegin = regexp.MustCompile(`^(?:\[ ?)?\{ ?["'][^"']{1,64}["'] ?:`)

// isJSON reports whether a cleaned text is JSON with fields.
func isJSON(text string) bool {
	return text != "" && (text[0] == '{' || text[0] == '[') && jsonBegin.MatchString(text)
}
