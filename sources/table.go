package sources

import "capgraph/store"

// Format is one form of input. Roles are the keys that Options.Columns may
// have. Fields are the columns that Where and Keep may name, or nil where the
// file says which there are. Where is what Options.Where is where it is not
// given.
type Format struct {
	Name   string
	Roles  []string
	Fields []string
	Where  map[string]string
	// same says that rows may have Same.
	same bool
	// typed says that files say the types of their columns.
	typed bool
	// sharded says that files are shards already: see Options.Sharded.
	sharded bool
	// given says that rows bring graphs along: see Options.BringsGraphs.
	given bool
	// files are the inputs that a path leads to; nil takes the path for one.
	files func(s store.Store, info store.Info) ([]File, error)
	open  func(in *input) (rows, error)
	// columns are those of a file, where they have any names and the caption may be
	// any of them; nil where it is known which it is.
	columns func(in *input) ([]string, error)
}

// Formats is the list of all forms of input.
func Formats() []Format {
	return []Format{
		{
			Name:   "cc12m",
			Fields: []string{"url", "caption"},
			open:   func(in *input) (rows, error) { return openTSV(in, 0, 1) },
		},
		{
			Name:   "cc3m",
			Fields: []string{"caption", "url"},
			open:   func(in *input) (rows, error) { return openTSV(in, 1, 0) },
		},
		{
			Name: "coco",
			open: openCOCO,
		},
		{
			Name: "karpathy",
			open: openKarpathy,
		},
		{
			Name:  "img2dataset",
			Roles: []string{Caption, Image, Key},
			Where: map[string]string{"status": "success"},
			files: sidecars,
			same:  true, typed: true, sharded: true,
			open: openImg2dataset,
		},
		{
			Name:  "webdataset",
			Roles: []string{Caption, Image, ImageKey},
			files: tars,
			same:  true, sharded: true,
			open: openWebDataset,
		},
		{
			Name:    "parquet",
			Roles:   []string{Caption, Image, Key, ImageKey},
			same:    true,
			typed:   true,
			open:    openParquet,
			columns: parquetColumns,
		},
		{
			Name:    "jsonl",
			Roles:   []string{Caption, Image, Key, ImageKey},
			same:    true,
			open:    openJSONL,
			columns: jsonColumns,
		},
		{
			Name:  "visualgenome",
			given: true,
			open:  openVisualGenome,
		},
		{
			Name:  "gqa",
			given: true,
			open:  openGQA,
		},
		{
			Name:  "graphs",
			Roles: []string{Caption, Graph, Image, Key, ImageKey},
			same:  true, typed: true, given: true,
			open: openGraphs,
		},
	}
}
