// Package scenegraph is the algebra of scene graphs: which sub-graphs a graph
// falls into, how it is edited into another one, and when two texts say the same.
//
// A sub-graph is one object with some of its attributes, or two objects with
// their attributes and the relation between them (MosaiCLIP §3.3, App. B).
package scenegraph
