package sources

import (
	"capgraph/store"
)

// Format is one form of input. Roles are the keys that Options.Columns may have. Fields are the
// columns that Where and Keep may name, nil if they depend on the file. Where is the default of
// Options.Where.
type Format struct {
	Name   string
	Roles  []string
	Fields []string
	Where  map[string]string
	// hasSame is set if rows may have Same.
	hasSame bool
	// hasLists is set if a record may have several captions, which are rows of their own.
	hasLists bool
	// isTyped is set if files declare the types of their columns.
	isTyped bool
	// isSharded is set if files are shards already: see Options.HasShards.
	isSharded bool
	// hasGraphs is set if rows may have graphs: see Options.HasGraphs.
	hasGraphs bool
	// hasPhrases is set if rows may have Phrases whatever the columns.
	hasPhrases bool
	// licence is the licence of the published corpus of the form, by its card.
	licence string
	// isText is set if files are text, in Options.Encoding.
	isText bool
	// isSample is set if files beside an image are its captions: see webdataset.
	isSample bool
	// listFiles returns the files that a path leads to; if nil, the path is the file.
	listFiles func(s store.Store, info store.Info) ([]File, error)
	open      func(in *input) (rowReader, error)
	// listColumns returns the columns of a file that may be the caption; nil if the
	// caption column is known.
	listColumns func(in *input) ([]string, error)
}

// Formats returns all forms of input.
func Formats() []Format {
	return []Format{
		{
			Name:   "cc12m",
			isText: true,
			Fields: []string{"url", "caption"},
			open:   func(in *input) (rowReader, error) { return openTSV(in, 0, 1) },
		},
		{
			Name:   "cc3m",
			isText: true,
			Fields: []string{"caption", "url"},
			open:   func(in *input) (rowReader, error) { return openTSV(in, 1, 0) },
		},
		{
			Name:   "coco",
			isText: true,
			open:   openCOCO,
		},
		{
			Name:   "karpathy",
			isText: true,
			open:   openKarpathy,
		},
		{
			Name:      "img2dataset",
			Roles:     []string{Caption, Image, Key, Phrases},
			Where:     map[string]string{"status": "success"},
			listFiles: listSidecars,
			hasSame:   true, hasLists: true, isTyped: true, isSharded: true,
			open: openImg2dataset,
		},
		{
			Name:      "webdataset",
			Roles:     []string{Caption, Image, ImageKey, Phrases},
			listFiles: listTars,
			hasSame:   true, hasLists: true, isSharded: true,
			open: openWebDataset, isSample: true, listColumns: sampleColumns,
		},
		{
			Name:      "folder",
			Roles:     []string{Caption, Image, ImageKey, Phrases},
			listFiles: listFolders,
			hasSame:   true, hasLists: true,
			open: openFolder, isSample: true, listColumns: sampleColumns,
		},
		{
			Name:        "parquet",
			Roles:       []string{Caption, Image, Key, ImageKey, Phrases},
			hasSame:     true,
			hasLists:    true,
			isTyped:     true,
			open:        openParquet,
			listColumns: parquetColumns,
		},
		{
			Name:        "tsv",
			isText:      true,
			Roles:       []string{Caption, Image, Key, ImageKey, Phrases},
			hasSame:     true,
			hasLists:    true,
			open:        func(in *input) (rowReader, error) { return openCSV(in, "\t") },
			listColumns: func(in *input) ([]string, error) { return csvColumns(in, "\t") },
		},
		{
			Name:        "csv",
			isText:      true,
			Roles:       []string{Caption, Image, Key, ImageKey, Phrases},
			hasSame:     true,
			hasLists:    true,
			open:        func(in *input) (rowReader, error) { return openCSV(in, csvDelimiters) },
			listColumns: func(in *input) ([]string, error) { return csvColumns(in, csvDelimiters) },
		},
		{
			Name:        "jsonl",
			isText:      true,
			Roles:       []string{Caption, Image, Key, ImageKey, Phrases},
			hasSame:     true,
			hasLists:    true,
			open:        openJSONL,
			listColumns: jsonColumns,
		},
		{
			Name:        "json",
			isText:      true,
			Roles:       []string{Caption, Image, Key, ImageKey, Phrases},
			hasSame:     true,
			hasLists:    true,
			open:        openJSONTable,
			listColumns: jsonTableColumns,
		},
		{
			Name:      "visualgenome",
			isText:    true,
			hasGraphs: true,
			open:      openVisualGenome,
		},
		{
			Name:      "gqa",
			isText:    true,
			hasGraphs: true,
			open:      openGQA,
		},
		{
			Name:      "gbc",
			hasGraphs: true, hasPhrases: true, licence: "cc-by-nc-4.0",
			open: openGBC,
		},
		{
			Name:      "laion-sg",
			hasGraphs: true, hasSame: true, licence: "mit",
			open: openLAIONSG,
		},
		{
			Name:      "csclip",
			hasGraphs: true,
			open:      openUnits,
		},
		{
			Name:      "triplets",
			hasGraphs: true,
			open:      openTriplets,
		},
		{
			Name:    "graphs",
			Roles:   []string{Caption, Graph, Image, Key, ImageKey},
			hasSame: true, isTyped: true, hasGraphs: true,
			open: openGraphs,
		},
	}
}

// LicenceOf returns the licence of the published corpus of a format, by its card; "" if it is not known.
func LicenceOf(format string) string {
	f, _ := Options{Format: format}.formatByName()
	return f.licence
}
