package llm

import (
	"context"
	"encoding/json"
	"strings"

	"capgraph/llmparse/client"
	"capgraph/llmparse/replies"
	"capgraph/negatives/whole"
)

// Author asks a model for whole negatives of captions, of all its types in one question. It
// implements whole.Author. Replies are cached, so that each caption is asked about once.
type Author struct {
	client *client.Client
	types  []string
	frames client.Frames
	form   *client.FormProbe
}

// NewAuthor returns an author for some of whole.Types that asks through c, which stays open.
func NewAuthor(c *client.Client, types []string) *Author {
	a := &Author{client: c, types: sortedTypes(types)}
	a.frames = c.NewFrames(wholeTask(a.types))
	a.form = c.NewFormProbe(a.frames, a.newQuestion)
	return a
}

// Write implements whole.Author. A caption without a usable reply gets no negatives.
func (a *Author) Write(ctx context.Context, captions []string, out [][]whole.Negative) error {
	form, err := a.chooseForm(ctx, captions)
	if err != nil {
		return err
	}
	questions := make([]client.Question, len(captions))
	for i, text := range captions {
		questions[i] = a.newQuestion(text, form)
	}
	clear(out)
	err = a.client.AskAndRead(ctx, questions, func(i int, r *replies.Record) error {
		texts, err := readWhole(r.Content)
		for _, t := range a.types {
			if texts[t] != "" {
				out[i] = append(out[i], whole.Negative{Type: t, Text: texts[t]})
			}
		}
		return err
	})
	if err == nil {
		a.client.CountWhole(len(captions))
	}
	return err
}

// chooseForm returns the form of replies to ask for. It depends on the server if some of the
// captions have no cached reply.
func (a *Author) chooseForm(ctx context.Context, captions []string) (string, error) {
	if form, settled := a.form.Chosen(); settled {
		return form, nil
	}
	questions, rest := make([]client.Question, len(captions)), make([]int, 0, len(captions))
	for i, text := range captions {
		questions[i] = client.Question{Key: a.keyOf(text), Prompt: WholeVersion, Text: text}
	}
	err := a.client.EachCached(questions, func(i int, r *replies.Record) error {
		if !r.IsSufficient(a.replyTokens(captions[i]), a.client.Options().MaxTokens) {
			rest = append(rest, i)
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	if len(rest) == 0 {
		return client.ReplyPlain, nil // no question will be sent
	}
	return a.form.ChooseForm(ctx, captions, rest)
}

func (a *Author) keyOf(text string) replies.Key {
	return a.client.KeyOf(WholeVersion, wholeTail(a.types, text))
}

// replyTokens returns the most tokens that a reply may have: a caption and the type's name for each
// type.
func (a *Author) replyTokens(text string) int {
	return min(32+len(a.types)*(24+len(text)/3), a.client.Options().MaxTokens)
}

// Question returns the question for whole negatives of a caption, in the form that the settings
// name.
func (a *Author) Question(text string) client.Question {
	form, _ := a.form.Chosen()
	return a.newQuestion(text, form)
}

// newQuestion returns the question for whole negatives of a caption, with a form of reply.
func (a *Author) newQuestion(text, form string) client.Question {
	return client.Question{
		Key: a.keyOf(text), Prompt: WholeVersion, Text: text, Form: form,
		Frame: a.frames.ForForm(form), TrialFrame: a.frames.ForForm(client.ReplyPlain), Tail: wholeTail(a.types, text),
		MaxTokens: a.replyTokens(text), IsUsable: func(r *replies.Record) bool { return IsWhole(r.Content) },
	}
}

// IsWhole reports whether the content of a reply can be read as whole negatives.
func IsWhole(content string) bool {
	_, err := readWhole(content)
	return err == nil
}

// maxWhole is the most bytes of a whole negative.
const maxWhole = 8 << 10

// readWhole returns the text that a reply has for each type, on one line; "" if the model found
// none. The error is one of replies.Reasons.
func readWhole(content string) (map[string]string, error) {
	var raw map[string]json.RawMessage
	if err := replies.DecodeJSON(content, &raw); err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for _, t := range whole.Types() {
		written, there := raw[t]
		if !there {
			continue
		}
		var text *string // null is none
		if err := json.Unmarshal(written, &text); err != nil {
			return nil, replies.ErrWrongSchema
		}
		if texts[t] = ""; text != nil && len(*text) <= maxWhole {
			texts[t] = strings.Join(strings.Fields(strings.ToValidUTF8(*text, "")), " ")
		}
	}
	if len(texts) == 0 {
		return nil, replies.ErrWrongSchema
	}
	return texts, nil
}
