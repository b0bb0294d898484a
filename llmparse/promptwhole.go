package llmparse

import (
	"fmt"
	"slices"
	"strings"

	"capgraph/negatives/whole"
)

// WholeVersion names the task text of whole negatives below. It is part of the cache
// key: a change of the text needs a new version.
const WholeVersion = "caption-negatives/1"

const wholeTask = taskBegin + ` photograph and write captions that are false of that photograph. Each differs from the given caption in one thing only.

The answer is one JSON object. It has one string for each key that is asked for, which is the whole caption with that one change:
`

const wholeRules = `
For all of them:
- Every other word of the caption stays as it is, in its order. Only an article or the number of a verb may follow the change.
- The new caption is one that somebody could write under another real photograph: natural, grammatical, of one sentence where the given one is.
- It cannot be true of this photograph. What is new is no synonym, nothing more general or more special, and nothing that may well be there too, such as a wall, a shirt or the sky.
- Where the caption has nothing to change in that way, or the result would be silly or still true, the string is empty.
`

// wholeTasks say what each type is.
var wholeTasks = map[string]string{
	whole.ReplaceObject:    "one thing, animal, person or place becomes a different one.",
	whole.ReplaceAttribute: "one property of a thing becomes another of the same sort: a colour, material, number, size, age, pattern or state.",
	whole.ReplaceRelation:  "what one thing does to another, or where it is, becomes something that excludes it.",
	whole.SwapObjects:      "two things trade places, and no word comes or goes.",
	whole.SwapAttributes:   "two things trade one property each, and no word comes or goes.",
	whole.AddObject:        "one more thing that is not in the photograph, and how it stands to what is there.",
	whole.AddAttribute:     "one more property, which the thing does not have.",
}

// wholeExamples are worked captions, each with what it becomes by type.
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

// newWholeFrames are the frames of the requests for whole negatives of types.
func newWholeFrames(sampling string, types []string) frames {
	var keys strings.Builder
	for _, t := range types {
		fmt.Fprintf(&keys, "%q: %s\n", t, wholeTasks[t])
	}
	examples := make([]promptExample, len(wholeExamples))
	for i, e := range wholeExamples {
		parts := make([]string, len(types))
		for j, t := range types {
			parts[j] = fmt.Sprintf("%q:%q", t, e.becomes[t])
		}
		examples[i] = promptExample{e.caption, "{" + strings.Join(parts, ",") + "}"}
	}
	tail := func(caption string) string { return wholeTail(types, caption) }
	return newFrames(sampling, wholeTask+keys.String()+wholeRules, examples, tail, func(properties, required string) string {
		return wholeSchema(types, properties, required)
	})
}

// wholeTail is the end of a message: what is asked for and the caption.
func wholeTail(types []string, text string) string {
	return "Keys: " + strings.Join(types, ", ") + "\n" + captionTail(text)
}

// wholeSchema is the JSON schema of a reply, as replySchema is.
func wholeSchema(types []string, properties, required string) string {
	fields, names := make([]string, len(types)), make([]string, len(types))
	for i, t := range types {
		names[i] = `"` + t + `"`
		fields[i] = names[i] + `:{"type":"string"}`
	}
	return `{"type":"object","properties":{` + properties + strings.Join(fields, ",") + `},` +
		`"required":[` + required + strings.Join(names, ",") + `],"additionalProperties":false}`
}

// sortedTypes are types in the order in which they are asked for.
func sortedTypes(types []string) []string {
	return slices.DeleteFunc(whole.Types(), func(t string) bool { return !slices.Contains(types, t) })
}
