package ruleparse

import (
	"slices"
	"strings"

	"capgraph/clean"
	"capgraph/schemas"
)

// cutTags removes from the graph of a list of tags, such as "1girl, long hair, dog, running", what joins different
// tags: relations, and attributes from another tag than their object.
func cutTags(text string, g *schemas.SceneGraph) {
	if strings.IndexByte(text, ',') < 0 || !clean.IsTagList(text) {
		return
	}
	apart := func(a, b int32) bool {
		a, b = max(min(a, b), 0), min(max(a, b), int32(len(text)))
		return a < b && strings.IndexByte(text[a:b], ',') >= 0
	}
	for i := range g.Objects {
		o := &g.Objects[i]
		o.Attributes = slices.DeleteFunc(o.Attributes, func(a schemas.Attribute) bool { return apart(a.Begin, o.Begin) })
	}
	g.Relations = slices.DeleteFunc(g.Relations, func(r schemas.Relation) bool {
		subject, object := g.Objects[r.Subject].Begin, g.Objects[r.Object].Begin
		return apart(subject, object) || apart(subject, r.Begin)
	})
}
