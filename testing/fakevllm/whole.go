package fakevllm

import (
	"encoding/json"
	"hash/fnv"
	"slices"
	"strings"
)

// Good and bad ways to write a whole negative. A hash decides which one AnswerWhole uses.
const (
	WholeGood         = iota // the requested change
	WholeSame                // the caption unchanged
	WholeParaphrase          // only other articles
	WholeTwoChanges          // a further change
	WholeTwoSentences        // a further sentence
	WholeLong                // far too long
	WholeNone                // nothing
	wholeWays
)

// WholeWay returns the way in which AnswerWhole writes the negative of that type for a caption.
// Half of the ways are good.
func WholeWay(caption, kind string) int {
	h := fnv.New32a()
	h.Write([]byte(kind + "\n" + caption))
	return max(WholeGood, int(h.Sum32()>>8)%(2*wholeWays)-wholeWays)
}

// AnswerWhole returns whole negatives of the types in keys, made by simple rules in the WholeWay of each.
func AnswerWhole(caption string, keys []string) string {
	answer := map[string]string{}
	for _, key := range keys {
		good := changeCaption(caption, key)
		switch WholeWay(caption, key) {
		case WholeGood:
			answer[key] = good
		case WholeSame:
			answer[key] = caption
		case WholeParaphrase:
			answer[key] = replaceWords(caption, map[string]string{"a": "the", "an": "the", "the": "a"})
		case WholeTwoChanges:
			answer[key] = good + " in front of a volcano"
		case WholeTwoSentences:
			answer[key] = good + ". This is another photograph"
		case WholeLong:
			answer[key] = strings.Repeat(good+" and ", 40)
		case WholeNone:
			answer[key] = ""
		}
	}
	b, err := json.Marshal(answer)
	if err != nil {
		panic(err) // strings
	}
	return string(b)
}

// Replacements of words.
var (
	things = map[string]string{
		"cat": "zebra", "dog": "zebra", "bird": "kite", "horses": "zebras", "horse": "zebra", "man": "zebra", "woman": "zebra", "bus": "zebra",
	}
	traits = map[string]string{"red": "blue", "blue": "red", "green": "red", "two": "five", "wide": "narrow", "old": "new"}
	ties   = map[string]string{"on": "under", "near": "under", "over": "under", "by": "under", "in": "behind"}
)

// changeCaption returns a caption with a change of a type, or "" if no rule applies.
func changeCaption(caption, kind string) string {
	switch kind {
	case "replace_object":
		return replaceFirst(caption, things)
	case "replace_attribute":
		return replaceFirst(caption, traits)
	case "replace_relation":
		return replaceFirst(caption, ties)
	case "swap_objects":
		return swapFirstTwo(caption, findNouns(caption))
	case "swap_attributes":
		var attributes []string
		for _, w := range strings.Fields(caption) {
			if traits[w] != "" {
				attributes = append(attributes, w)
			}
		}
		return swapFirstTwo(caption, attributes)
	case "add_object":
		return caption + " beside a giraffe"
	case "add_attribute":
		if all := findNouns(caption); len(all) > 0 {
			return replaceFirst(caption, map[string]string{all[0]: "striped " + all[0]})
		}
	}
	return ""
}

// findNouns returns the entities of AnswerNouns.
func findNouns(caption string) []string {
	var graph struct{ Entities []string }
	if err := json.Unmarshal([]byte(AnswerNouns(caption)), &graph); err != nil {
		panic(err) // it was marshalled
	}
	return graph.Entities
}

// replaceFirst returns a caption with the first of the words replaced, or "" if it has none of them.
func replaceFirst(caption string, words map[string]string) string {
	all := strings.Fields(caption)
	i := slices.IndexFunc(all, func(w string) bool { return words[w] != "" })
	if i < 0 {
		return ""
	}
	all[i] = words[all[i]]
	return strings.Join(all, " ")
}

// swapFirstTwo returns a caption with the first two of the words swapped, or "".
func swapFirstTwo(caption string, words []string) string {
	if len(words) < 2 || words[0] == words[1] {
		return ""
	}
	return replaceWords(caption, map[string]string{words[0]: words[1], words[1]: words[0]})
}

// replaceWords returns a caption with all of the words replaced.
func replaceWords(caption string, words map[string]string) string {
	all := strings.Fields(caption)
	for i, w := range all {
		if other := words[w]; other != "" {
			all[i] = other
		}
	}
	return strings.Join(all, " ")
}
