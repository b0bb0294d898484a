package clean

import (
	"regexp"
	"strings"
)

// modelMarks matches special tokens and tags in the prompts and answers of models: placeholders of
// images, marks of turns and ends, and <think> passages.
var modelMarks = regexp.MustCompile(`(?is)<think>.*?</think>|<\|[a-z0-9_ ]{1,40}\|>|<(?:image|im|img|video)[-_ ]?(?:start|end|patch|pad|token|placeholder|here|[0-9]{1,3})?>|</?(?:bos|eos|pad|unk|start_of_turn|end_of_turn|answer|caption|description)>|\[/?(?:INST|SYS|IMG|IMAGE)\]|<<?/?SYS>>?`)

// stripMarks removes what modelMarks matches.
func stripMarks(s string, _ Options, found *findings) string {
	if !strings.ContainsAny(s, "<[") || !modelMarks.MatchString(s) {
		return s
	}
	found.Noise |= NoiseMarks
	return strings.Trim(modelMarks.ReplaceAllString(s, " "), " ")
}

// jsonBegin matches the begin of a JSON object or a list of objects, or of a dictionary as Python prints it.
var jsonBegin = regexp.MustCompile(`^(?:\[ ?)?\{ ?["'][^"']{1,64}["'] ?:`)

// isJSON reports whether a clean text is JSON with named fields.
func isJSON(text string) bool {
	return text != "" && (text[0] == '{' || text[0] == '[') && jsonBegin.MatchString(text)
}
