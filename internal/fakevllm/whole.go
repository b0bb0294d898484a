package fakevllm

import (
	"encoding/json"
	"hash/fnv"
	"slices"
	"strings"
)

// Good and bad ways to write a whole negative, in the order in which AnswerWhole's hash
// chooses among them.
const (
	WholeGood         = iota // the one change that was asked for
	WholeSame                // the caption as it is
	WholeParaphrase          // other articles, and nothing else
	WholeTwoChanges          // a further change
	WholeTwoSentences        // a further sentence
	WholeLong                // far too long
	WholeNone                // nothing
	wholeWays
)

// WholeWay is the way in which AnswerWhole writes the negative of a type of a caption: half of
// all are good.
func WholeWay(caption, kind string) int {
	h := fnv.New32a()
	h.Write([]byte(kind + "\n" + caption))
	return max(WholeGood, int(h.Sum32()>>8)%(2*wholeWays)-wholeWays)
}

// AnswerWhole writes whole negatives by rule: keys are the types that are asked for. Of each it makes
// a good or a bad one, as WholeWay says.
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

// Words that a rule puts in the place of others.
var (
	things = map[string]string{
		"cat": "zebra", "dog": "zebra", "bird": "kite", "horses": "zebras", "horse": "zebra", "man": "zebra", "woman": "zebra", "bus": "zebra",
	}
	traits = map[string]string{"red": "blue", "blue": "red", "green": "red", "two": "five", "wide": "narrow", "old": "new"}
	ties   = map[string]string{"on": "under", "near": "under", "over": "under", "by": "under", "in": "behind"}
)

// changeCaption is a caption with a change of a type; empty where no rule makes one.
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
		var said []string
		for _, w := range strings.Fields(caption) {
			if traits[w] != "" {
				said = append(said, w)
			}
		}
		return swapFirstTwo(caption, said)
	case "add_object":
		return caption + " beside a giraffe"
	case "add_attribute":
		if all := findNouns(caption); len(all) > 0 {
			return replaceFirst(caption, map[string]string{all[0]: "striped " + all[0]})
		}
	}
	return ""
}

// findNouns are the entities of AnswerNouns.
func findNouns(caption string) []string {
	var graph struct{ Entities []string }
	if err := json.Unmarshal([]byte(AnswerNouns(caption)), &graph); err != nil {
		panic(err) // it was marshalled
	}
	return graph.Entities
}

// replaceFirst is a caption with the first of the words replaced; empty where it has none.
func replaceFirst(caption string, words map[string]string) string {
	all := strings.Fields(caption)
	i := slices.IndexFunc(all, func(w string) bool { return words[w] != "" })
	if i < 0 {
		return ""
	}
	all[i] = words[all[i]]
	return strings.Join(all, " ")
}

// swapFirstTwo is a caption with the first two of the words at each other's place.
func swapFirstTwo(caption string, words []string) string {
	if len(words) < 2 || words[0] == words[1] {
		return ""
	}
	return replaceWords(caption, map[string]string{words[0]: words[1], words[1]: words[0]})
}

// replaceWords is a caption with all of the words replaced.
func replaceWords(caption string, words map[string]string) string {
	all := strings.Fields(caption)
	for i, w := range all {
		if other := words[w]; other != "" {
			all[i] = other
		}
	}
	return strings.Join(all, " ")
}
