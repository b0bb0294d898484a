package llmparse

import (
	"cmp"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
)

// maxParts bounds the entities and the relationships of a reply.
const maxParts = 256

// statement is a relationship as the model wrote it. Subject and Object are −1
// where it wrote no index.
type statement struct {
	Subject, Object int
	Predicate       string
}

// reply is what a model wrote, read but not yet held against the caption.
type reply struct {
	Entities   []string
	Statements []statement
}

// isReadable reports whether the graph of a caption can be made of r, and keeps what
// it has read.
func (r *Record) isReadable() bool {
	if r.read == nil {
		if rep, err := readReply(r.Content); err == nil {
			r.read = &rep
		}
	}
	return r.read != nil
}

// decodeReply returns the decoded content of r.
func (r *Record) decodeReply() (reply, error) {
	if r.read != nil {
		return *r.read, nil
	}
	return readReply(r.Content)
}

// readReply reads the content of a reply in either form: JSON between [ANS]
// and [/ANS] (the last such pair), in a code fence, or bare among other words,
// behind what the model thought.
// Numbers may be strings, and an entity an object with a name. The error is one
// of the reasons above.
func readReply(content string) (reply, error) {
	body, err := extractJSON(content)
	if err != nil {
		return reply{}, err
	}
	var raw struct {
		Entities      *[]entityName
		Relationships []*rawStatement
	}
	if err := json.NewDecoder(strings.NewReader(body)).Decode(&raw); err != nil {
		return reply{}, unreadableError(err)
	}
	if raw.Entities == nil || len(*raw.Entities) > maxParts || len(raw.Relationships) > maxParts {
		return reply{}, errWrongSchema
	}
	r := reply{Entities: make([]string, len(*raw.Entities)), Statements: make([]statement, len(raw.Relationships))}
	for i, e := range *raw.Entities {
		r.Entities[i] = string(e)
	}
	for i, s := range raw.Relationships {
		if s == nil {
			return reply{}, errWrongSchema
		}
		r.Statements[i] = s.statement()
	}
	return r, nil
}

// unreadableError is the reason why a reply cannot be read that decoding gave err for.
func unreadableError(err error) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) || errors.Is(err, errWrongSchema) {
		return errWrongSchema
	}
	return errNotJSON
}

// What encloses a model's reasoning, before its answer.
const (
	thoughtBegin = "<think>"
	thoughtEnd   = "</think>"
)

// extractJSON returns the JSON object in the content of a reply.
func extractJSON(content string) (string, error) {
	switch i := strings.LastIndex(content, thoughtEnd); {
	case i >= 0 && strings.Contains(content[i:], "{"):
		content = content[i:]
	case i < 0 && strings.HasPrefix(strings.TrimSpace(content), thoughtBegin):
		return "", errOnlyThought
	}
	if strings.Contains(content, taskBegin) {
		return "", errEchoed
	}
	// A model that is not made for chats may go on with captions of its own.
	if answer, _, more := strings.Cut(content, "\n"+captionTail("")); more && strings.Contains(answer, "{") {
		content = answer
	}
	if i := strings.LastIndex(content, answerBegin); i >= 0 {
		content = content[i+len(answerBegin):]
		content, _, _ = strings.Cut(content, answerEnd)
	}
	i := strings.IndexByte(content, '{')
	if i < 0 {
		return "", errNoAnswer
	}
	return content[i:], nil
}

// entityName is an entity as a reply writes it: a string, or an object with a name.
type entityName string

// UnmarshalJSON implements json.Unmarshaler.
func (e *entityName) UnmarshalJSON(raw []byte) error {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		*e = entityName(s)
		return nil
	}
	var o struct {
		Name, Entity string
	}
	if raw[0] == '{' && json.Unmarshal(raw, &o) == nil && o.Name+o.Entity != "" {
		*e = entityName(cmp.Or(o.Name, o.Entity))
		return nil
	}
	return errWrongSchema
}

// rawStatement is a relationship as a reply writes it; its words are "relationship" or "predicate".
type rawStatement struct {
	Subject, Object         position
	Relationship, Predicate string
}

func (s *rawStatement) statement() statement {
	return statement{Subject: s.Subject.index(), Object: s.Object.index(), Predicate: cmp.Or(s.Relationship, s.Predicate)}
}

// position is one more than the index of an entity, 0 for none.
type position int

func (p position) index() int { return int(p) - 1 }

// UnmarshalJSON reads 1, 1.0 and "1"; anything else is no index.
func (p *position) UnmarshalJSON(raw []byte) error {
	f, err := strconv.ParseFloat(strings.Trim(string(raw), `"`), 64)
	if err == nil && f == math.Trunc(f) && f >= 0 && f <= maxParts {
		*p = position(f) + 1
	}
	return nil
}
