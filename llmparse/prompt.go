package llmparse

import (
	"strings"

	"capgraph/llmparse/client"
	"capgraph/llmparse/replies"
)

// PromptVersion names the task text below. It is part of the cache key: a
// change of the text needs a new version.
const PromptVersion = "caption-graph/2"

const task = replies.TaskBegin + `n image and write down its scene graph: the things it names and how they stand to each other.

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

// promptExamples are captions with the replies that are wanted: descriptions, captions of news and stock photos, and
// web titles.
var promptExamples = []client.Example{
	// A verb with an object and a place; "red shirt" is an entity of its own.
	{Caption: "A man in a red shirt is riding a brown horse on the beach",
		Answer: `{"entities":["man","red shirt","brown horse","beach"],"relationships":[{"subject":0,"relationship":"in","object":1},{"subject":0,"relationship":"riding","object":2},{"subject":0,"relationship":"riding on","object":3}]}`},
	// One predicate of two subjects.
	{Caption: "Two young girls and a woman sitting on a wooden bench.",
		Answer: `{"entities":["two young girls","woman","wooden bench"],"relationships":[{"subject":0,"relationship":"sitting on","object":2},{"subject":1,"relationship":"sitting on","object":2}]}`},
	// A list of objects after "with".
	{Caption: "a small kitchen with a stove, white cabinets and a sink",
		Answer: `{"entities":["small kitchen","stove","white cabinets","sink"],"relationships":[{"subject":0,"relationship":"with","object":1},{"subject":0,"relationship":"with","object":2},{"subject":0,"relationship":"with","object":3}]}`},
	// Prepositions of several words; "it" refers back.
	{Caption: "The old church stands to the right of a narrow canal, with a stone bridge behind it.",
		Answer: `{"entities":["old church","narrow canal","stone bridge"],"relationships":[{"subject":0,"relationship":"stands to the right of","object":1},{"subject":2,"relationship":"behind","object":0}]}`},
	// News, with people named by their roles; two verbs of one subject.
	{Caption: "football player celebrates with his team mates after scoring against sports team",
		Answer: `{"entities":["football player","team mates","sports team"],"relationships":[{"subject":0,"relationship":"celebrates with","object":1},{"subject":0,"relationship":"scoring against","object":2}]}`},
	// A picture and what it shows.
	{Caption: "portrait of a smiling bride holding a bouquet of white roses",
		Answer: `{"entities":["portrait","smiling bride","bouquet","white roses"],"relationships":[{"subject":0,"relationship":"of","object":1},{"subject":1,"relationship":"holding","object":2},{"subject":2,"relationship":"of","object":3}]}`},
	// A product, without the advertising.
	{Caption: "Handmade Leather Wallet for Men with Coin Pocket - Free Shipping",
		Answer: `{"entities":["Handmade Leather Wallet for Men","Coin Pocket"],"relationships":[{"subject":0,"relationship":"with","object":1}]}`},
	// A caption that names nothing visible.
	{Caption: "Happy new year!", Answer: `{"entities":[],"relationships":[]}`},
}

// captionTask is the prompt that asks for the graph of a caption.
var captionTask = client.Task{Instructions: task, Examples: promptExamples, Tail: replies.CaptionTail, Schema: replySchema}

// replySchema returns the JSON schema of a reply. properties are further properties, and required further names of
// required ones.
func replySchema(properties, required string) string {
	return `{"type":"object","properties":{` + properties + `"entities":{"type":"array","items":{"type":"string"}},` +
		`"relationships":{"type":"array","items":{"type":"object","properties":{` +
		`"subject":{"type":"integer"},"relationship":{"type":"string"},"object":{"type":"integer"}},` +
		`"required":["subject","relationship","object"],"additionalProperties":false}}},` +
		`"required":[` + required + `"entities","relationships"],"additionalProperties":false}`
}

// replyTokens returns the limit of tokens for a reply about text, at most most: a caption of n words has at most about
// n/2 entities and as many relationships of a dozen tokens each.
func replyTokens(text string, most int) int {
	words := strings.Count(text, " ") + 1
	return min(96+16*words+len(text)/4, most)
}
