package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"capgraph/llmparse/replies"
)

// The two forms of a reply.
const (
	ReplySchema = "schema" // bare JSON, held to a schema by the server (response_format)
	ReplyPlain  = "plain"  // JSON between [ANS] and [/ANS]
)

// Frame is the part of a request that all questions of one kind have in common, encoded once.
type Frame struct {
	fields []byte // of the request, the inside of a JSON object; never empty
	head   []byte // of its message, the inside of a JSON string
}

// NewFrame returns the frame of questions whose message begins with head and whose replies are held to
// a JSON schema, unless that is empty. The fields of Options.Sampling are put in front as they are:
// go-openai has no name for some (top_k), and leaves out a temperature of 0.
func (c *Client) NewFrame(head, schema string) *Frame {
	fields := c.sampling[1 : len(c.sampling)-1]
	if schema != "" {
		fields += `,"response_format":{"type":"json_schema","json_schema":{"name":"reply","strict":true,"schema":` + schema + `}}`
	}
	text, _ := json.Marshal(head) // of a string, which never fails
	return &Frame{fields: []byte(fields), head: text[1 : len(text)-1]}
}

// messageBegin precedes the text of a request's only message. It occurs nowhere else in a request, since
// quotation marks in strings are escaped.
var messageBegin = []byte(`"content":"`)

// wrap returns a request with the fields of its frame. request is as go-openai encodes it.
func (f *Frame) wrap(request []byte) ([]byte, error) {
	at := bytes.Index(request, messageBegin)
	if at < 0 || request[0] != '{' {
		return nil, errors.New("request has no message")
	}
	at += len(messageBegin)
	out := make([]byte, 0, len(request)+len(f.fields)+len(f.head)+1)
	out = append(append(append(out, '{'), f.fields...), ',')
	out = append(append(out, request[1:at]...), f.head...)
	return append(out, request[at:]...), nil
}

// Task is a prompt: instructions, and worked captions with their answers.
type Task struct {
	Instructions string
	Examples     []Example
	// Tail returns the end of the message that asks about a caption.
	Tail func(caption string) string
	// Schema returns the JSON schema of a reply with further properties, and with further names in
	// its list of required ones.
	Schema func(properties, required string) string
}

// Example is a worked caption of a prompt.
type Example struct{ Caption, Answer string }

// Frames has the frames of requests of one kind, one for each form of reply. The caption comes last,
// so that a server's prefix cache has the task and the examples before it.
type Frames struct {
	schema, plain *Frame
	marked        *Frame // schema with a property that no prompt names: a reply that has it was held to the schema
}

// schemaMark is the property that only the schema of Frames.marked names.
const schemaMark = "form"

// NewFrames returns the frames of a task.
func (c *Client) NewFrames(t *Task) Frames {
	head := func(begin, end, how string) string {
		var b strings.Builder
		b.WriteString(t.Instructions)
		b.WriteString(how)
		for _, e := range t.Examples {
			b.WriteString("\n" + t.Tail(e.Caption) + "\n" + begin + e.Answer + end + "\n")
		}
		b.WriteString("\n")
		return b.String()
	}
	bare := head("", "", "\nAnswer with the JSON object alone, on one line.\n")
	plain := head(replies.AnswerBegin, replies.AnswerEnd,
		"\nAnswer with the JSON object on one line, between "+replies.AnswerBegin+" and "+replies.AnswerEnd+", and nothing else.\n")
	return Frames{
		schema: c.NewFrame(bare, t.Schema("", "")),
		plain:  c.NewFrame(plain, ""),
		marked: c.NewFrame(bare, t.Schema(`"`+schemaMark+`":{"type":"string","enum":["kept"]},`, `"`+schemaMark+`",`)),
	}
}

// ForForm returns the frame for a form of reply.
func (f *Frames) ForForm(form string) *Frame {
	if form == ReplySchema {
		return f.schema
	}
	return f.plain
}
