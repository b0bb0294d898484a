package sources

import (
	"io"

	"capgraph/schemas"
	"capgraph/store"
)

// Options says what to read, and which columns.
type Options struct {
	// Format is the name of one of Formats.
	Format string `yaml:"format" doc:"the form of the input: cc12m, cc3m, coco, karpathy, img2dataset, webdataset, folder, parquet, tsv, csv, jsonl, json, visualgenome, gqa, gbc, laion-sg, csclip, triplets or graphs"`
	// Paths are files, folders of tars, or globs.
	Paths []string `yaml:"paths" doc:"files, folders of tars, or globs of them: one or a list"`
	// Columns maps a role (Caption, Image, Key, ImageKey, Graph, Phrases) to the names of its columns,
	// for formats whose columns may have any names. Only captions may be in several columns.
	Columns map[string][]string `yaml:"columns" doc:"which column plays which role: caption (one or a list), image, key, image_key, graph, phrases (the objects of the caption)"`
	// Where selects the rows whose columns have these values; others are rejected as not_selected. A
	// value may be a comparison: see newCondition. nil stands for the format's default, for
	// img2dataset status: success; an empty map selects all rows.
	Where map[string]string `yaml:"where" doc:"keep the rows whose columns have these values: a value, < <= > >= a number, or in (a, b)"`
	// Encoding is the encoding of texts that are not UTF-8, such as windows-1252.
	Encoding string `yaml:"encoding" doc:"how text is encoded, such as windows-1252, gbk or utf-16le; empty for UTF-8"`
	// Lines says how the lines of a text file beside an image, and the parts of a cell, are split into
	// captions: LinesAuto, LinesEach or LinesOne.
	Lines string `yaml:"lines" doc:"whether each line of a .txt beside an image, and each part of a cell, is a caption (each), or all are one (one); empty: each if they look so"`
	// Keep has the columns that are carried through to graphs/.
	Keep []string `yaml:"keep" doc:"columns that are carried through to graphs/"`
}

// The roles of columns in Options.Columns.
const (
	Caption  = "caption"
	Image    = "image"
	Key      = "key"
	ImageKey = "image_key"
	Graph    = "graph"
	Phrases  = "phrases"
)

// File is one input file. Size is its size in bytes when it was found. Key is the prefix of default
// keys: those of rows without a key of their own.
type File struct {
	Path string
	Size int64
	Key  string

	direct bool // as store.Info has it
	// root is the folder to which the names of images are relative. members are the files of a folder
	// that is read as a File: see listFolders.
	root    string
	members []store.Info
	// badLinks maps the names of members that are links to the reasons why they are not followed.
	badLinks map[string]string
	// imageDir is set if the images of a sidecar are files in a folder, not members of a tar.
	imageDir string
}

// Row is one caption as the source has it, or a rejected one.
type Row struct {
	// Key identifies the row. It is the source's own key, unique in its shard, or made from the file's
	// key and the row's number.
	Key string
	// ImageKey identifies the image of the caption. Image is its URL, path or tar member, and may be
	// empty.
	ImageKey, Image string
	Caption         string
	// SourceRow is the number of the row in its file, from 0: of the line in a text file, the row in a
	// Parquet file, or the annotation in a JSON file.
	SourceRow int64
	// Same has the XXH64 hashes of values that identify the image besides ImageKey: the URL, and the
	// columns url, sha256 and uid of formats whose columns may have any names. Rows with a common hash
	// or ImageKey have the same image. It is empty in a reject.
	Same []uint64
	// Keep has the values of the columns in Options.Keep, in the same order. It is empty in a reject.
	Keep []Kept
	// Graph, Text, Parser and Confidence are set if the source has a graph for the row, which is then
	// not parsed. Parser names what made the graph. The offsets of Graph refer to Text, which is empty
	// if there are none.
	Graph      *schemas.SceneGraph
	Text       string
	Parser     string
	Confidence float32
	// Phrases are the objects of the caption, in a form that package phrases reads. They are only valid if
	// HasPhrases is set.
	Phrases    string
	HasPhrases bool
	// Kind is the name of the column with the caption.
	Kind string
	// Reject is the reason why the row is rejected, or "". Detail explains it. The other fields of a
	// reject are what could be read.
	Reject, Detail string
	// Split is the split of the row, such as test, if the source has one.
	Split string

	// captions are the captions of a record with several: see checkedReader.
	captions []cell
	// lines is LinesEach or LinesOne if the text with the caption has several lines: how they were read.
	lines string
	// parts is the number of captions that this text was split into. sentences is set if each is a
	// sentence with an upper-case letter and a full stop.
	parts     int
	sentences bool
	// unread is the extension of a text file beside the caption's that is not read.
	unread string
}

// Size returns the approximate memory of the row in bytes.
func (row *Row) Size() int {
	n := rowBytes + len(row.Key) + len(row.ImageKey) + len(row.Image) + len(row.Caption) + len(row.Text) + len(row.Detail) + len(row.Phrases)
	for _, k := range row.Keep {
		n += len(k.Text)
	}
	for _, c := range row.captions {
		n += cellBytes + len(c.Text)
	}
	if row.Graph == nil {
		return n
	}
	for t := range graphTexts(row.Graph) {
		n += partBytes + len(t)
	}
	return n
}

// The estimated memory, in bytes, of a row, of a part of its graph and of a caption's cell, without their texts.
const (
	rowBytes  = 256
	partBytes = 32
	cellBytes = 96
)

// Reader returns the rows of one file from a position on.
type Reader interface {
	// Next fills row and reuses its memory, except for strings. It returns io.EOF after the last row,
	// and a *FileError if the file is malformed.
	Next(row *Row) error
	// Position returns the position after the last row. A reader opened there returns the next row.
	Position() schemas.Position
	// KeptTypes returns the types that the columns in Options.Keep have in this file, in the same order.
	KeptTypes() []schemas.KeptType
	io.Closer
}
