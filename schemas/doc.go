// Package schemas defines the data of capgraph: the types that all packages share, and the columns
// of the Arrow batches that stages exchange and that files have.
//
// A caption is a line of text about an image; the image key says which one. A scene graph has the
// objects of a caption, their attributes and the relations between them. A positive text describes
// a sub-graph and is true of the image. A hard negative differs from a positive text in one thing
// and is false of the image.
//
//	view, err := schemas.NewGraphView(batch) // a batch of graphs/
//	…
//	var g schemas.SceneGraph
//	view.At(row, &g) // g.Objects[0].Name is "bus", say
//
// Names of columns are the constants Col…; the schemas of files are GraphsSchema, TextsSchema and
// so on.
package schemas
