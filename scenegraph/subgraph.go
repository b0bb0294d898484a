// Package scenegraph splits scene graphs into sub-graphs, and compares texts by a normal form.
//
// A sub-graph is one object with some of its attributes, or two objects with their attributes and
// the relation between them (MosaiCLIP §3.3, App. B). Decompose lists a graph's sub-graphs; TextID
// identifies a text.
package scenegraph

import "capgraph/schemas"

// NoRelation is the Relation of a sub-graph with one object.
const NoRelation int32 = -1

// SubGraph is a part of a scene graph: a relation with its two objects, or one object. One object
// is the Subject; then Relation is NoRelation and Object equals Subject. Bit i of SubjectAttributes
// and ObjectAttributes selects attribute i. Attributes after the 64th cannot be selected.
type SubGraph struct {
	Relation, Subject, Object           int32
	SubjectAttributes, ObjectAttributes uint64
}

// Decompose appends the sub-graphs of g with one or two objects (MosaiCLIP §3.3) to dst, each once.
// The most informative come first: relations with all attributes, objects with all attributes,
// objects with one of several attributes, relations without attributes, objects without attributes.
func Decompose(g *schemas.SceneGraph, dst []SubGraph) []SubGraph {
	all := func(object int32) uint64 {
		n := len(g.Objects[object].Attributes)
		if n >= 64 {
			return ^uint64(0)
		}
		return 1<<n - 1
	}
	for i, r := range g.Relations {
		dst = append(dst, SubGraph{int32(i), r.Subject, r.Object, all(r.Subject), all(r.Object)})
	}
	for i := range g.Objects {
		if a := all(int32(i)); a != 0 {
			dst = append(dst, SubGraph{NoRelation, int32(i), int32(i), a, 0})
		}
	}
	for i := range g.Objects {
		if n := min(len(g.Objects[i].Attributes), 64); n > 1 {
			for a := range n {
				dst = append(dst, SubGraph{NoRelation, int32(i), int32(i), 1 << a, 0})
			}
		}
	}
	for i, r := range g.Relations {
		if all(r.Subject)|all(r.Object) != 0 {
			dst = append(dst, SubGraph{int32(i), r.Subject, r.Object, 0, 0})
		}
	}
	for i := range g.Objects {
		dst = append(dst, SubGraph{NoRelation, int32(i), int32(i), 0, 0})
	}
	return dst
}
