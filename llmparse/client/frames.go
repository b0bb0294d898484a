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

// Frame is the part of a request that is the same for all questions of one kind, encoded once.
type Frame struct {
	fields []byte // fields of the request's JSON object, without its braces; never empty
	head   []byte // begin of the request's message, JSON without its quotation marks
}

// NewFrame returns the frame of questions whose message begins with head and whose replies must match the JSON schema,
// unless that is empty. The fields of Options.Sampling come first, unchanged: go-openai does not know some of them
// (top_k) and leaves out a temperature of 0.
func (c *Client) NewFrame(head, schema string) *Frame {
	fields := c.sampling[1 : len(c.sampling)-1]
	if schema != "" {
		fields += `,"response_format":{"type":"json_schema","json_schema":{"name":"reply","strict":true,"schema":` + schema + `}}`
	}
	text, _ := json.Marshal(head) // encoding a string never fails
	return &Frame{fields: []byte(fields), head: text[1 : len(text)-1]}
}

// messageBegin precedes the text of a request's only message. It occurs nowhere else in a request, since
// quotation marks in strings are escaped.
var messageBegin = []byte(`"content":"`)

// wrap returns request, as go-openai encodes it, with the fields of the frame.
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

// Task is a prompt: instructions, and captions with their answers as examples.
type Task struct {
	Instructions string
	Examples     []Example
	// Tail returns the end of the message, which has the caption.
	Tail func(caption string) string
	// Schema returns the JSON schema of a reply. properties are further properties, and required further names of
	// required ones.
	Schema func(properties, required string) string
}

// Example is a caption of a prompt with its answer.
type Example struct{ Caption, Answer string }

// Frames are the frames of the questions of one kind, one for each form of reply. The caption comes last in a message,
// so that a server's prefix cache holds the task and the examples before it.
type Frames struct {
	schema, plain *Frame
	marked        *Frame // schema with schemaMark added, by which ChooseForm sees whether a server obeys a schema
}

// schemaMark is a property that only the schema of Frames.marked names.
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

// ForForm returns the frame of requests for a form of reply.
func (f *Frames) ForForm(form string) *Frame {
	if form == ReplySchema {
		return f.schema
	}
	return f.plain
}
