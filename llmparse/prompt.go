package llmparse

import "strings"

// PromptVersion names the task text below. It is part of the cache key: a
// change of the text needs a new version.
const PromptVersion = "caption-graph/2"

// The two forms of a reply.
const (
	ReplySchema = "schema" // bare JSON, held to a schema by the server (response_format)
	ReplyPlain  = "plain"  // JSON between [ANS] and [/ANS]
)

const (
	answerBegin = "[ANS]"
	answerEnd   = "[/ANS]"
)

// taskBegin begins every prompt.
const taskBegin = "You read a caption of a"

const task = taskBegin + `n image and write down its scene graph: the things it names and how they stand to each other.

The graph is one JSON object with two keys.
"entities" lists noun phrases, one for each thing that could be seen in the image.
"relationships" lists objects with the keys "subject", "relationship" and "object"; subject and object are positions in "entities", counted from 0.

Entities:
- Copy the caption's words. Keep adjectives, colours, materials and numbers with their noun; leave out articles. Neither shorten a phrase to a vaguer one nor add what is not said.
- Things that the caption keeps apart are entities of their own, even if they share a name. So are a plate and what is on it, a picture and what it shows.
- A colour or a garment that only tells someone apart ("a boy in green") stays inside that entity.
- Pronouns are not entities: use the entity they stand for.
- Advertising, prices, site names and what no picture can show are not entities.

Relationships:
- Each joins two different entities and has a direction, from subject to object. The subject is what does it or is there, not the nearest noun.
- Copy the words that say it, whole and in their form: "leaning against", not "against" or "leans against"; "to the right of", not "right"; "with", not "has".
- Words about where things are count as much as verbs: in, on, under, behind, with, of, next to. A verb with an object and a place gives two relationships.
- Where two things do the same, each has its own relationship.
- What is said of one thing alone, or of things of one entity among themselves, is no relationship. Neither is "and".
- In "an X with a Y beside it", "it" is the X.
- Leave none out.
`

// promptExample is one worked caption of a prompt.
type promptExample struct{ caption, answer string }

// promptExamples are the worked captions: descriptions, captions of news and stock photos, and web
// titles, each for some points of the task.
var promptExamples = []promptExample{
	// A verb with its object and its place; a garment of a colour is a thing.
	{"A man in a red shirt is riding a brown horse on the beach",
		`{"entities":["man","red shirt","brown horse","beach"],"relationships":[{"subject":0,"relationship":"in","object":1},{"subject":0,"relationship":"riding","object":2},{"subject":0,"relationship":"riding on","object":3}]}`},
	// Two who do the same.
	{"Two young girls and a woman sitting on a wooden bench.",
		`{"entities":["two young girls","woman","wooden bench"],"relationships":[{"subject":0,"relationship":"sitting on","object":2},{"subject":1,"relationship":"sitting on","object":2}]}`},
	// A list of what something has.
	{"a small kitchen with a stove, white cabinets and a sink",
		`{"entities":["small kitchen","stove","white cabinets","sink"],"relationships":[{"subject":0,"relationship":"with","object":1},{"subject":0,"relationship":"with","object":2},{"subject":0,"relationship":"with","object":3}]}`},
	// Where things are, in so many words; "it" refers back.
	{"The old church stands to the right of a narrow canal, with a stone bridge behind it.",
		`{"entities":["old church","narrow canal","stone bridge"],"relationships":[{"subject":0,"relationship":"stands to the right of","object":1},{"subject":2,"relationship":"behind","object":0}]}`},
	// News, with people named by what they are; two verbs of one subject.
	{"football player celebrates with his team mates after scoring against sports team",
		`{"entities":["football player","team mates","sports team"],"relationships":[{"subject":0,"relationship":"celebrates with","object":1},{"subject":0,"relationship":"scoring against","object":2}]}`},
	// A picture and what it shows.
	{"portrait of a smiling bride holding a bouquet of white roses",
		`{"entities":["portrait","smiling bride","bouquet","white roses"],"relationships":[{"subject":0,"relationship":"of","object":1},{"subject":1,"relationship":"holding","object":2},{"subject":2,"relationship":"of","object":3}]}`},
	// A product, without the advertising.
	{"Handmade Leather Wallet for Men with Coin Pocket - Free Shipping",
		`{"entities":["Handmade Leather Wallet for Men","Coin Pocket"],"relationships":[{"subject":0,"relationship":"with","object":1}]}`},
	// Nothing that could be seen.
	{"Happy new year!", `{"entities":[],"relationships":[]}`},
}

// frames has the frames of requests of one kind, one for each form of reply. The caption comes
// last, so that a server's prefix cache has the task and the examples before it.
type frames struct {
	schema, plain *frame
	marked        *frame // schema with a property that no prompt speaks of: a reply that has it was held to the schema
}

// newFrames makes frames of a task, worked captions with the end of the message that
// asks for each, and the schema of a reply, with further properties and the names of
// those that a reply must have.
func newFrames(sampling, task string, examples []promptExample, tail func(caption string) string, schema func(properties, required string) string) frames {
	head := func(begin, end, how string) string {
		var b strings.Builder
		b.WriteString(task)
		b.WriteString(how)
		for _, e := range examples {
			b.WriteString("\n" + tail(e.caption) + "\n" + begin + e.answer + end + "\n")
		}
		b.WriteString("\n")
		return b.String()
	}
	bare := head("", "", "\nAnswer with the JSON object alone, on one line.\n")
	plain := head(answerBegin, answerEnd, "\nAnswer with the JSON object on one line, between "+answerBegin+" and "+answerEnd+", and nothing else.\n")
	return frames{
		schema: newFrame(sampling, bare, schema("", "")),
		plain:  newFrame(sampling, plain, ""),
		marked: newFrame(sampling, bare, schema(`"`+schemaMark+`":{"type":"string","enum":["kept"]},`, `"`+schemaMark+`",`)),
	}
}

// newCaptionFrames are the frames of the requests for the graph of a caption.
func newCaptionFrames(sampling string) frames {
	return newFrames(sampling, task, promptExamples, captionTail, replySchema)
}

// forForm is the frame for a form of reply.
func (f *frames) forForm(form string) *frame {
	if form == ReplySchema {
		return f.schema
	}
	return f.plain
}

// captionTail is the end of a message: the caption that is asked for.
func captionTail(text string) string { return "Caption: " + text }

// replySchema is the JSON schema of a reply, with further properties and the
// names of those that a reply must have.
func replySchema(properties, required string) string {
	return `{"type":"object","properties":{` + properties + `"entities":{"type":"array","items":{"type":"string"}},` +
		`"relationships":{"type":"array","items":{"type":"object","properties":{` +
		`"subject":{"type":"integer"},"relationship":{"type":"string"},"object":{"type":"integer"}},` +
		`"required":["subject","relationship","object"],"additionalProperties":false}}},` +
		`"required":[` + required + `"entities","relationships"],"additionalProperties":false}`
}

const schemaMark = "form"

// replyTokens bounds the tokens of a reply by the length of its text: a
// caption of n words has at most about n/2 entities and as many relationships
// of a dozen tokens each.
func replyTokens(text string, most int) int {
	words := strings.Count(text, " ") + 1
	return min(96+16*words+len(text)/4, most)
}
