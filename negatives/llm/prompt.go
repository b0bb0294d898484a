package llm

import (
	"fmt"
	"slices"
	"strings"

	"capgraph/llmparse/client"
	"capgraph/llmparse/replies"
	"capgraph/negatives/whole"
)

// WholeVersion is the version of the prompt for whole negatives below. It is part of the cache key: a
// changed prompt needs a new version.
const WholeVersion = "caption-negatives/1"

const wholeBegin = replies.TaskBegin + ` photograph and write captions that are false of that photograph. Each differs from the given caption in one thing only.

The answer is one JSON object. It has one string for each key that is asked for, which is the whole caption with that one change:
`

const wholeRules = `
For all of them:
- Every other word of the caption stays as it is, in its order. Only an article or the number of a verb may follow the change.
- The new caption is one that somebody could write under another real photograph: natural, grammatical, of one sentence where the given one is.
- It cannot be true of this photograph. What is new is no synonym, nothing more general or more special, and nothing that may well be there too, such as a wall, a shirt or the sky.
- Where the caption has nothing to change in that way, or the result would be silly or still true, the string is empty.
`

// wholeTasks has the description of each type for the model.
var wholeTasks = map[string]string{
	whole.ReplaceObject:    "one thing, animal, person or place becomes a different one.",
	whole.ReplaceAttribute: "one property of a thing becomes another of the same sort: a colour, material, number, size, age, pattern or state.",
	whole.ReplaceRelation:  "what one thing does to another, or where it is, becomes something that excludes it.",
	whole.SwapObjects:      "two things trade places, and no word comes or goes.",
	whole.SwapAttributes:   "two things trade one property each, and no word comes or goes.",
	whole.AddObject:        "one more thing that is not in the photograph, and how it stands to what is there.",
	whole.AddAttribute:     "one more property, which the thing does not have.",
}

// wholeExamples are examples for the model: captions with their negatives by type.
var wholeExamples = []struct {
	caption string
	becomes map[string]string
}{
	{"A black dog follows a brown horse along the fence.", map[string]string{
		whole.ReplaceObject:    "A black dog follows a brown sheep along the fence.",
		whole.ReplaceAttribute: "A black dog follows a white horse along the fence.",
		whole.ReplaceRelation:  "A black dog leads a brown horse along the fence.",
		whole.SwapObjects:      "A brown horse follows a black dog along the fence.",
		whole.SwapAttributes:   "A brown dog follows a black horse along the fence.",
		whole.AddObject:        "A black dog follows a brown horse past a tractor along the fence.",
		whole.AddAttribute:     "A black dog follows a brown horse along the pink fence.",
	}},
	{"two cups on a kitchen table", map[string]string{
		whole.ReplaceObject:    "two candles on a kitchen table",
		whole.ReplaceAttribute: "five cups on a kitchen table",
		whole.ReplaceRelation:  "two cups under a kitchen table",
		whole.AddObject:        "two cups beside a parrot on a kitchen table",
		whole.AddAttribute:     "two striped cups on a kitchen table",
	}},
	{"Happy new year!", nil},
}

// wholeTask returns the task to write whole negatives of the types.
func wholeTask(types []string) *client.Task {
	var keys strings.Builder
	for _, t := range types {
		fmt.Fprintf(&keys, "%q: %s\n", t, wholeTasks[t])
	}
	examples := make([]client.Example, len(wholeExamples))
	for i, e := range wholeExamples {
		parts := make([]string, len(types))
		for j, t := range types {
			parts[j] = fmt.Sprintf("%q:%q", t, e.becomes[t])
		}
		examples[i] = client.Example{Caption: e.caption, Answer: "{" + strings.Join(parts, ",") + "}"}
	}
	return &client.Task{
		Instructions: wholeBegin + keys.String() + wholeRules, Examples: examples,
		Tail:   func(caption string) string { return wholeTail(types, caption) },
		Schema: func(properties, required string) string { return wholeSchema(types, properties, required) },
	}
}

// wholeTail returns the end of the message to the model: the types and the caption.
func wholeTail(types []string, text string) string {
	return "Keys: " + strings.Join(types, ", ") + "\n" + replies.CaptionTail(text)
}

// wholeSchema returns the JSON schema of a reply. properties and required are inserted before its
// own.
func wholeSchema(types []string, properties, required string) string {
	fields, names := make([]string, len(types)), make([]string, len(types))
	for i, t := range types {
		names[i] = `"` + t + `"`
		fields[i] = names[i] + `:{"type":"string"}`
	}
	return `{"type":"object","properties":{` + properties + strings.Join(fields, ",") + `},` +
		`"required":[` + required + strings.Join(names, ",") + `],"additionalProperties":false}`
}

// sortedTypes returns types in the order of whole.Types.
func sortedTypes(types []string) []string {
	return slices.DeleteFunc(whole.Types(), func(t string) bool { return !slices.Contains(types, t) })
}
