package sources

import "capgraph/store"

// Format is one form of input. Roles are the keys that Options.Columns may
// have. Fields are the columns that Where and Keep may name, or nil where the
// file says which there are. Where is what Options.Where is where it is not
// given.
type Format struct {
	Name, About string
	Roles       []string
	Fields      []string
	Where       map[string]string
	// typed says that files say the types of their columns.
	typed bool
	// files are the inputs that a path leads to; nil takes the path for one.
	files func(s store.Store, info store.Info) ([]File, error)
	open  func(in *input) (rows, error)
}

// Formats is the list of all forms of input.
func Formats() []Format {
	return []Format{
		{
			Name: "cc12m", About: "CC12M's TSV: url⇥caption, no header, no quoting",
			Fields: []string{"url", "caption"},
			open:   func(in *input) (rows, error) { return openTSV(in, 0, 1) },
		},
		{
			Name: "cc3m", About: "Conceptual Captions' TSV: caption⇥url, no header, no quoting",
			Fields: []string{"caption", "url"},
			open:   func(in *input) (rows, error) { return openTSV(in, 1, 0) },
		},
		{
			Name: "coco", About: "COCO's captions JSON, grouped by image",
			open: openCOCO,
		},
		{
			Name: "karpathy", About: `Karpathy's splits: a list of {"image", "caption": […]}, or dataset_coco.json`,
			open: openKarpathy,
		},
		{
			Name: "img2dataset", About: "a folder of tars with Parquet sidecars, of which the sidecars are read",
			Roles: []string{Caption, Image, Key},
			Where: map[string]string{"status": "success"},
			files: sidecars,
			typed: true,
			open:  openImg2dataset,
		},
		{
			Name: "parquet", About: "Parquet with columns of any names",
			Roles: []string{Caption, Image, Key, ImageKey},
			typed: true,
			open:  openParquet,
		},
		{
			Name: "jsonl", About: "JSON lines: one object a line, columns of any names",
			Roles: []string{Caption, Image, Key, ImageKey},
			open:  openJSONL,
		},
		{
			Name: "graphs", About: "graphs that were parsed elsewhere: FACTUAL's CSV, or the Parquet of capgraph's own graphs",
			Roles: []string{Caption, Graph, Image, Key, ImageKey},
			typed: true,
			open:  openGraphs,
		},
	}
}
