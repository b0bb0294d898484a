package llm

import (
	"context"
	"fmt"
	"strings"

	"capgraph/llmparse/client"
	"capgraph/llmparse/replies"
	"capgraph/negatives/slots"
)

// FillVersion is the version of the prompt for replacements. It is part of the cache key.
const FillVersion = "caption-fill/2"

// maxProposals is how many replacements the model is asked for.
const maxProposals = 8

const fillTask = `A phrase from an image caption has one part in brackets. Suggest other words for that part, so that the phrase stays natural and could be said of a real photograph, but says something clearly different: not a synonym, nor something more general or more special, nor something that could be true along with it.
Keep the grammatical form: a plural stays plural, "running" becomes another word in -ing. Suggest at most 8, the most natural first, and no word that stands elsewhere in the phrase.
Answer with a JSON object on one line, between [ANS] and [/ANS], and nothing else.

Part: attribute
Phrase: [red] umbrella
[ANS]{"fillings":["black","yellow","blue","white","green","pink","orange","purple"]}[/ANS]

Part: relation
Phrase: boy [sitting on] bench
[ANS]{"fillings":["standing behind","jumping over","lying under","walking past","leaning against"]}[/ANS]

Part: object
Phrase: woman holding [tennis racket]
[ANS]{"fillings":["umbrella","baby","camera","surfboard","sandwich","suitcase","guitar","bottle"]}[/ANS]

`

var slotKinds = map[slots.Kind]string{
	slots.Object: "object", slots.Attribute: "attribute", slots.Relation: "relation",
	slots.Quantity: "quantity", slots.Action: "action",
}

// Proposer asks a model for words that fit a slot between its neighbours: "black" for "[red]
// umbrella". It implements slots.Proposer. Replies are cached, so that each slot is asked about
// once.
type Proposer struct {
	client *client.Client
	frame  *client.Frame
}

// NewProposer returns a proposer that asks through c, which stays open.
func NewProposer(c *client.Client) *Proposer {
	return &Proposer{c, c.NewFrame(fillTask, "")}
}

// Propose implements slots.Proposer. A slot without a usable reply gets no candidates.
func (p *Proposer) Propose(ctx context.Context, all []slots.Slot, out [][]slots.Candidate) error {
	questions := make([]client.Question, len(all))
	for i := range all {
		questions[i] = p.newQuestion(&all[i])
	}
	clear(out)
	return p.client.AskAndRead(ctx, questions, func(i int, r *replies.Record) (err error) {
		out[i], err = readFillings(r.Content, all[i].Text)
		return err
	})
}

// newQuestion returns the question for replacements in a slot.
func (p *Proposer) newQuestion(s *slots.Slot) client.Question {
	text := fmt.Sprintf("Part: %s\nPhrase: %s", slotKinds[s.Kind], phraseAround(s))
	return client.Question{
		Key: p.client.KeyOf(FillVersion, text), Prompt: FillVersion, Text: text, Form: client.ReplyPlain,
		Frame: p.frame, TrialFrame: p.frame, Tail: text + "\n", MaxTokens: min(128, p.client.Options().MaxTokens),
		IsUsable: func(r *replies.Record) bool { _, err := readFillings(r.Content, s.Text); return err == nil },
	}
}

// phraseAround returns the slot in brackets with the words around it, such as "boy [sitting on]
// bench". The nearest words are from the caption, the others from the graph.
func phraseAround(s *slots.Slot) string {
	var before, after string
	switch s.Kind {
	case slots.Action:
		before = s.Head
	case slots.Relation:
		before, after = s.Subject, s.Object
	case slots.Object:
		if s.Subject != "" {
			before = s.Subject + " " + s.Relation
		} else {
			after = s.Relation + " " + s.Object
		}
	default:
		after = s.Head
	}
	// "<" and ">" are the ends of the caption.
	if s.Left != "<" && before != s.Left && !strings.HasSuffix(before, " "+s.Left) {
		before += " " + s.Left
	}
	if s.Right != ">" && after != s.Right && !strings.HasPrefix(after, s.Right+" ") {
		after = s.Right + " " + after
	}
	return strings.Join(strings.Fields(before+" ["+s.Text+"] "+after), " ")
}

// readFillings returns the replacements in a reply: each once, in lower case, without original, the
// first with the largest weight. The error is one of replies.Reasons.
func readFillings(content, original string) ([]slots.Candidate, error) {
	var raw struct {
		Fillings []string `json:"fillings"`
	}
	if err := replies.DecodeJSON(content, &raw); err != nil {
		return nil, err
	}
	var out []slots.Candidate
	seen := map[string]bool{strings.ToLower(original): true}
	cum := uint64(0)
	for i, f := range raw.Fillings {
		f = strings.Join(strings.Fields(strings.ToLower(f)), " ")
		if i >= maxProposals || f == "" || len(f) > 64 || seen[f] || strings.ContainsAny(f, "[]{}\n") {
			continue
		}
		seen[f] = true
		cum += uint64(maxProposals - i)
		out = append(out, slots.Candidate{Text: f, Cum: cum})
	}
	if len(out) == 0 {
		return nil, replies.ErrWrongSchema
	}
	return out, nil
}

// Usable reports whether a reply to prompt FillVersion or WholeVersion can be read.
func Usable(r *replies.Record) bool {
	if r.Prompt == WholeVersion {
		return IsWhole(r.Content)
	}
	_, within, _ := strings.Cut(r.Text, "[")
	original, _, _ := strings.Cut(within, "]")
	_, err := readFillings(r.Content, original)
	return err == nil
}
