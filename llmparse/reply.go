package llmparse

import (
	"cmp"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"capgraph/llmparse/replies"
)

// maxParts is the most entities, and the most relationships, of a reply.
const maxParts = 256

// statement is a relationship of a reply. Subject and Object are indices of entities, or −1 if the
// model gave none.
type statement struct {
	Subject, Object int
	Predicate       string
}

// reply is a decoded reply, not yet compared with its caption.
type reply struct {
	Entities   []string
	Statements []statement
}

// Usable reports whether a reply to the prompt PromptVersion can be decoded.
func Usable(r *replies.Record) bool {
	_, err := readReply(r.Content)
	return err == nil
}

// readReply decodes the content of a reply in either form. Numbers may be strings, and an entity
// may be an object with a name. The error is one of replies.Reasons.
func readReply(content string) (reply, error) {
	var raw struct {
		Entities      *[]entityName
		Relationships []*rawStatement
	}
	if err := replies.DecodeJSON(content, &raw); err != nil {
		return reply{}, err
	}
	if raw.Entities == nil || len(*raw.Entities) > maxParts || len(raw.Relationships) > maxParts {
		return reply{}, replies.ErrWrongSchema
	}
	r := reply{Entities: make([]string, len(*raw.Entities)), Statements: make([]statement, len(raw.Relationships))}
	for i, e := range *raw.Entities {
		r.Entities[i] = string(e)
	}
	for i, s := range raw.Relationships {
		if s == nil {
			return reply{}, replies.ErrWrongSchema
		}
		r.Statements[i] = s.statement()
	}
	return r, nil
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
	return replies.ErrWrongSchema
}

// rawStatement is a relationship as a reply writes it. Its predicate is "relationship" or
// "predicate".
type rawStatement struct {
	Subject, Object         position
	Relationship, Predicate string
}

func (s *rawStatement) statement() statement {
	return statement{Subject: s.Subject.index(), Object: s.Object.index(), Predicate: cmp.Or(s.Relationship, s.Predicate)}
}

// position is the index of an entity plus one, or 0 if there is none.
type position int

func (p position) index() int { return int(p) - 1 }

// UnmarshalJSON reads 1, 1.0 and "1". For anything else there is no index.
func (p *position) UnmarshalJSON(raw []byte) error {
	f, err := strconv.ParseFloat(strings.Trim(string(raw), `"`), 64)
	if err == nil && f == math.Trunc(f) && f >= 0 && f <= maxParts {
		*p = position(f) + 1
	}
	return nil
}
