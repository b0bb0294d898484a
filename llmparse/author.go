package llmparse

import (
	"context"
	"encoding/json"
	"strings"

	"capgraph/negatives/whole"
)

// Author asks a model for whole negatives of captions, of all its types with one
// question. It implements whole.Author; each caption is asked for once and cached as
// those are whose graphs are asked for.
type Author struct {
	client *Client
	types  []string
	frames frames
	form   *formatProbe
}

// NewAuthor makes an author of some of whole.Types that asks through client,
// which stays open.
func NewAuthor(client *Client, types []string) *Author {
	a := &Author{client: client, types: sortedTypes(types)}
	a.frames = newWholeFrames(client.sampling, a.types)
	a.form = newFormatProbe(client, a.frames, a.newQuestion)
	return a
}

// Write implements whole.Author. A caption that the model has no usable reply for
// gets no negatives.
func (a *Author) Write(ctx context.Context, captions []string, out [][]whole.Negative) error {
	form, err := a.chooseForm(ctx, captions)
	if err != nil {
		return err
	}
	questions := make([]question, len(captions))
	for i, text := range captions {
		questions[i] = a.newQuestion(text, form)
	}
	clear(out)
	err = a.client.askAndRead(ctx, questions, func(i int, r *Record) error {
		texts, err := readWhole(r.Content)
		for _, t := range a.types {
			if texts[t] != "" {
				out[i] = append(out[i], whole.Negative{Type: t, Text: texts[t]})
			}
		}
		return err
	})
	if err == nil {
		a.client.meter.whole.Add(int64(len(captions)))
	}
	return err
}

// chooseForm returns the form of replies to ask for. Some of the captions may have no reply yet.
func (a *Author) chooseForm(ctx context.Context, captions []string) (string, error) {
	if form, settled := a.form.chosenForm(); settled {
		return form, nil
	}
	questions, rest := make([]question, len(captions)), make([]int, 0, len(captions))
	for i, text := range captions {
		questions[i] = question{key: a.keyOf(text), prompt: WholeVersion, text: text}
	}
	err := a.client.eachCached(questions, func(i int, r *Record) error {
		if !r.isSufficient(a.replyTokens(captions[i]), a.client.opts.MaxTokens) {
			rest = append(rest, i)
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	if len(rest) == 0 {
		return ReplyPlain, nil // nobody is asked
	}
	return a.form.chooseForm(ctx, captions, rest)
}

func (a *Author) keyOf(text string) Key {
	return newKey(a.client.opts.Model, WholeVersion, a.client.sampling, wholeTail(a.types, text))
}

// replyTokens bounds the tokens of a reply: a caption for each type, and its name.
func (a *Author) replyTokens(text string) int {
	return min(32+len(a.types)*(24+len(text)/3), a.client.opts.MaxTokens)
}

// newQuestion asks for whole negatives of a caption.
func (a *Author) newQuestion(text, form string) question {
	return question{
		key: a.keyOf(text), prompt: WholeVersion, text: text, form: form,
		frame: a.frames.forForm(form), safe: a.frames.plain, tail: wholeTail(a.types, text), room: a.replyTokens(text),
		valid: (*Record).isUsableWhole,
	}
}

// isUsableWhole reports whether a reply to a question of this prompt can be read.
func (r *Record) isUsableWhole() bool {
	_, err := readWhole(r.Content)
	return err == nil
}

// maxWhole bounds the bytes of a whole negative.
const maxWhole = 8 << 10

// readWhole reads a reply: the text of each type, on one line; what is empty the caption does not
// allow. The error is the reason why it cannot be read.
func readWhole(content string) (map[string]string, error) {
	body, err := extractJSON(content)
	if err != nil {
		return nil, err
	}
	var raw map[string]json.RawMessage
	if err := json.NewDecoder(strings.NewReader(body)).Decode(&raw); err != nil {
		return nil, unreadableError(err)
	}
	texts := map[string]string{}
	for _, t := range whole.Types() {
		written, there := raw[t]
		if !there {
			continue
		}
		var text *string // null is none
		if err := json.Unmarshal(written, &text); err != nil {
			return nil, errWrongSchema
		}
		if texts[t] = ""; text != nil && len(*text) <= maxWhole {
			texts[t] = strings.Join(strings.Fields(strings.ToValidUTF8(*text, "")), " ")
		}
	}
	if len(texts) == 0 {
		return nil, errWrongSchema
	}
	return texts, nil
}
