// Package scenegraph splits scene graphs into sub-graphs, puts them in words, draws texts from
// pools, and compares texts by a normal form.
//
// A sub-graph is one object with some of its attributes, or two objects with their attributes and
// the relation between them (MosaiCLIP §3.3, App. B). Decompose lists those of a graph; TextID
// identifies a text; Draw chooses what an epoch sees.
package scenegraph
