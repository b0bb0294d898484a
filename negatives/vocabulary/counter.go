package vocabulary

import (
	"strings"

	"capgraph/internal/lexicon"
	"capgraph/negatives/grammar"
	"capgraph/negatives/truth"
	"capgraph/schemas"
)

// The kinds of counts, each with its key. Parts of a key are separated by tabs.
const (
	Object      = "object"       // name: "tennis racket"
	Attribute   = "attribute"    // attribute: "red"
	Relation    = "relation"     // relation: "sitting on"
	Quantity    = "quantity"     // quantity: "two"
	Action      = "action"       // tag, verb: "VBG\tsitting"
	Usage       = "usage"        // name, form: "a", "the", "bare" (no article), "plural", or "first" for no article at the beginning of a caption; also "name" for a proper name
	AttributeOf = "attribute_of" // head, attribute
	SubjectOf   = "subject_of"   // relation, name of its subject
	ObjectOf    = "object_of"    // relation, name of its object
	Between     = "between"      // head of the subject, head of the object, relation
	ActionOf    = "action_of"    // tag, noun before the verb, its complement, verb
	Context     = "context"      // tag, word before, word after, word
	Together    = "together"     // two attributes of one thing, in the order of bytes
	SideBySide  = "side_by_side" // two heads that a caption has as two things, in the order of bytes
)

// Counter counts the words of captions. It is not safe for concurrent use.
type Counter struct {
	inflect *lexicon.Inflector
	key     []byte
	names   []string
	lower   []string
	single  []bool
}

// NewCounter makes a counter.
func NewCounter() *Counter { return &Counter{inflect: lexicon.NewInflector()} }

// Count calls add with the counts of a caption that NewVocabulary needs, in pass 1.
func (c *Counter) Count(caption *grammar.Caption, add func(kind, key string, n int64)) {
	count := func(kind string, parts ...string) {
		c.key = c.key[:0]
		for i, p := range parts {
			if i > 0 {
				c.key = append(c.key, '\t')
			}
			c.key = append(c.key, p...)
		}
		add(kind, string(c.key), 1)
	}
	g := &caption.Graph
	c.names = c.names[:0]
	for i := range g.Objects {
		o := &g.Objects[i]
		name, plural := grammar.NounKey(c.inflect, o.Name, o.Head)
		c.names = append(c.names, name)
		if name == "" {
			continue
		}
		count(Object, name)
		count(Usage, name, usageOf(caption, o, plural))
		if grammar.TaggedName(caption, o) && !grammar.Titled(caption.Text, caption.Tokens) {
			count(Usage, name, "name")
		}
		if o.Quantity != "" {
			count(Quantity, o.Quantity)
		}
		for _, a := range o.Attributes {
			if verb, _ := grammar.Finite(caption, &a); a.Text != "" && verb == nil {
				count(Attribute, a.Text)
				count(AttributeOf, o.Head, a.Text)
			}
		}
		for j, a := range o.Attributes {
			for _, b := range o.Attributes[:j] {
				if a.Text != "" && b.Text != "" && a.Text != b.Text {
					count(Together, min(a.Text, b.Text), max(a.Text, b.Text))
				}
			}
		}
	}
	for i, r := range g.Relations {
		predicate, lemma := grammar.RelationWords(g, i)
		rel := grammar.Canonical(c.inflect, predicate, lemma)
		s, o := c.names[r.Subject], c.names[r.Object]
		if rel == "" || s == "" || o == "" {
			continue
		}
		count(Relation, rel)
		count(SubjectOf, rel, s)
		count(ObjectOf, rel, o)
		count(Between, g.Objects[r.Subject].Head, g.Objects[r.Object].Head, rel)
	}
	c.countSideBySide(caption, count)
	c.countTokens(caption, count)
}

// CountImage calls add with the counts of the captions of an image. If each caption names at most
// one thing with a head, all are taken for the same thing, so that their attributes count as
// together: "a wii controller", "a video game controller".
func (c *Counter) CountImage(captions []grammar.Caption, add func(kind, key string, n int64)) {
	for i := range captions {
		c.Count(&captions[i], add)
	}
	if len(captions) < 2 {
		return
	}
	type use struct{ caption, object int }
	uses := map[string][]use{}
	var heads []string
	for i := range captions {
		objects := captions[i].Graph.Objects
		for j := range objects {
			head := objects[j].Head
			if uses[head] == nil {
				heads = append(heads, head)
			}
			uses[head] = append(uses[head], use{i, j})
		}
	}
	said := map[string]bool{}
	for _, head := range heads {
		clear(said)
		one, list := true, uses[head]
		for i := 1; i < len(list) && one; i++ {
			one = list[i].caption != list[i-1].caption
		}
		for i := 1; i < len(list) && one; i++ {
			for _, a := range captions[list[i].caption].Graph.Objects[list[i].object].Attributes {
				for _, before := range list[:i] {
					for _, b := range captions[before.caption].Graph.Objects[before.object].Attributes {
						key := min(a.Text, b.Text) + "\t" + max(a.Text, b.Text)
						if a.Text != "" && b.Text != "" && a.Text != b.Text && !said[key] {
							said[key] = true
							add(Together, key, 1)
						}
					}
				}
			}
		}
	}
}

// countSideBySide counts pairs of things, both with "a", that are joined by "and" or next to each
// other.
func (c *Counter) countSideBySide(caption *grammar.Caption, count func(kind string, parts ...string)) {
	g := &caption.Graph
	c.single = c.single[:0]
	for i := range g.Objects {
		determiner := grammar.Determiner(caption, &g.Objects[i])
		c.single = append(c.single, determiner == "a" || determiner == "an")
	}
	for j := range g.Objects {
		if !c.single[j] {
			continue
		}
		joined := grammar.FollowsAnd(caption, &g.Objects[j])
		for i := range g.Objects {
			a, b := &g.Objects[i], &g.Objects[j]
			if !c.single[i] || a.End > b.Begin || a.Head == b.Head || a.Head == "" || b.Head == "" {
				continue
			}
			if joined || c.areBeside(g, int32(i), int32(j)) {
				count(SideBySide, min(a.Head, b.Head), max(a.Head, b.Head))
			}
		}
	}
}

// areBeside reports whether a relation puts object a beside, behind or in front of object b.
func (c *Counter) areBeside(g *schemas.SceneGraph, a, b int32) bool {
	for i, r := range g.Relations {
		if r.Subject != a || r.Object != b {
			continue
		}
		switch _, lemma := grammar.RelationWords(g, i); truth.PlaceOf(lemma) {
		case truth.Beside, truth.Nearby, truth.Left, truth.Right, truth.Behind, truth.Before:
			return true
		}
	}
	return false
}

// countTokens counts actions with their contexts, and nouns, adjectives and verbs with their
// neighbours.
func (c *Counter) countTokens(caption *grammar.Caption, count func(kind string, parts ...string)) {
	c.lower = c.lower[:0]
	for _, t := range caption.Tokens {
		c.lower = append(c.lower, strings.ToLower(caption.Text[t.Begin:t.End]))
	}
	noun := ""
	for i, t := range caption.Tokens {
		if grammar.IsNounTag(t.Tag) {
			noun = t.Lemma
		}
		if grammar.IsAction(&t) {
			count(Action, t.Tag, c.lower[i])
			if noun != "" {
				count(ActionOf, t.Tag, noun, grammar.Complement(caption.Tokens, c.lower, i), c.lower[i])
			}
		}
		if grammar.IsAction(&t) || grammar.IsNounTag(t.Tag) || t.Tag == "JJ" {
			count(Context, t.Tag, grammar.WordBefore(c.lower, i), grammar.WordAfter(c.lower, i), c.lower[i])
		}
	}
}

// usageOf returns the form of an object in its caption, as a count of kind Usage has it. "first" is
// a form of its own, since captions omit articles at their beginning: "Silhouette of a man".
func usageOf(c *grammar.Caption, o *schemas.Object, plural bool) string {
	if plural {
		return "plural"
	}
	if o.Quantity != "" {
		return "a"
	}
	switch grammar.Determiner(c, o) {
	case "a", "an", "another", "one":
		return "a"
	case "":
		if grammar.FirstOf(o) <= 0 {
			return "first"
		}
		return "bare"
	}
	return "the"
}
