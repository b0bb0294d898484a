package sources

import (
	"capgraph/store"
)

// Format is an input format. Roles are the valid keys of Options.Columns. Fields are the columns
// that Where and Keep may name; nil if they depend on the file. Where is the default of
// Options.Where.
type Format struct {
	Name   string
	Roles  []string
	Fields []string
	Where  map[string]string
	// hasSame is set if rows may have a value in Same.
	hasSame bool
	// hasLists is set if a record may have several captions, each of which becomes a row.
	hasLists bool
	// isTyped is set if the files declare column types.
	isTyped bool
	// isSharded is set if each file is a shard: see Options.HasShards.
	isSharded bool
	// hasGraphs is set if rows may have graphs: see Options.HasGraphs.
	hasGraphs bool
	// hasPhrases is set if rows may have Phrases even if no column has that role.
	hasPhrases bool
	// licence is the licence of the corpus that is published in this format, as stated in its dataset card.
	licence string
	// isText is set if files are text in Options.Encoding.
	isText bool
	// isSample is set if captions are files beside the images: see webdataset.
	isSample bool
	// listFiles returns the files for a path; if it is nil, the path itself is the file.
	listFiles func(s store.Store, info store.Info) ([]File, error)
	open      func(in *input) (rowReader, error)
	// listColumns returns the columns of a file that may have the captions. It is nil if that column
	// is known.
	listColumns func(in *input) ([]string, error)
}

// Formats returns all input formats.
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

// LicenceOf returns the licence of the corpus that is published in that format, as stated in its dataset
// card; "" if it is not known.
func LicenceOf(format string) string {
	f, _ := Options{Format: format}.formatByName()
	return f.licence
}
