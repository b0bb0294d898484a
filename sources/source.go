package sources

import (
	"io"

	"capgraph/schemas"
	"capgraph/store"
)

// Options says what to read and which columns of it.
type Options struct {
	// Format is the name of one of Formats.
	Format string `yaml:"format" doc:"the form of the input: cc12m, cc3m, coco, karpathy, img2dataset, webdataset, folder, parquet, tsv, csv, jsonl, json, visualgenome, gqa, gbc, laion-sg, csclip, triplets or graphs"`
	// Paths are files, folders of tars, or globs of them.
	Paths []string `yaml:"paths" doc:"files, folders of tars, or globs of them: one or a list"`
	// Columns maps a role (Caption, Image, Key, ImageKey, Graph, Phrases) to the name
	// of the column that plays it, for formats whose columns have any names. Captions may be in
	// several columns.
	Columns map[string][]string `yaml:"columns" doc:"which column plays which role: caption (one or a list), image, key, image_key, graph, phrases (the objects of the caption)"`
	// Where keeps the rows whose columns have these values; the others are
	// rejected as not_selected. A value may be a comparison: see newCondition. For img2dataset nil
	// means status: success, and an empty map keeps all.
	Where map[string]string `yaml:"where" doc:"keep the rows whose columns have these values: a value, < <= > >= a number, or in (a, b)"`
	// Encoding is the encoding of texts that are not UTF-8, such as windows-1252.
	Encoding string `yaml:"encoding" doc:"how text is encoded, such as windows-1252, gbk or utf-16le; empty for UTF-8"`
	// Lines says how the lines of a text beside an image, and the parts of a cell, are read: LinesAuto,
	// LinesEach or LinesOne.
	Lines string `yaml:"lines" doc:"what the lines of a .txt beside an image, and the parts of a cell, are: each a caption (each), or all one caption (one); empty: captions if they look so"`
	// Keep names the columns that are carried through.
	Keep []string `yaml:"keep" doc:"columns that are carried through to graphs/"`
}

// The roles that a column can play in Options.Columns.
const (
	Caption  = "caption"
	Image    = "image"
	Key      = "key"
	ImageKey = "image_key"
	Graph    = "graph"
	Phrases  = "phrases"
)

// File is one input file. Size is in bytes, as it was found. Key begins the keys of rows that have
// none of their own.
type File struct {
	Path string
	Size int64
	Key  string

	direct bool // as store.Info has it
	// root is the folder that images are named below, and members are the files of a folder that is
	// read as a file: see listFolders.
	root    string
	members []store.Info
	// badLinks are the members that are links and not read, by name, with the reason.
	badLinks map[string]string
	// imageDir is set if the images of a sidecar are files in that folder, and not in a tar.
	imageDir string
}

// Row is one caption as it came, or the reject of one.
type Row struct {
	// Key says which caption the row is: the source's own, unique in its shard, or
	// the key of the file and the number of the row.
	Key string
	// ImageKey says which image the caption belongs to; Image is its URL, path
	// or tar member and may be empty.
	ImageKey, Image string
	Caption         string
	// SourceRow is the place of the row in its file, from 0: the line of a text file, the row of a
	// Parquet file, the annotation of a JSON file.
	SourceRow int64
	// Same holds the XXH64 hashes of what identifies the image beside ImageKey: the URL, and the
	// columns url, sha256 and uid of formats whose columns have any names. Rows that share a hash,
	// or the ImageKey, belong to one image. It is empty in a reject.
	Same []uint64
	// Keep holds the values of Options.Keep, in that order; it is empty in a
	// reject.
	Keep []Kept
	// Graph, Text, Parser and Confidence are set if the row brings a graph, so that no parser is
	// asked for one. Parser says what made it. The offsets of Graph index Text; it is empty
	// if no object or relation has any.
	Graph      *schemas.SceneGraph
	Text       string
	Parser     string
	Confidence float32
	// Phrases, if HasPhrases is set, are the objects of the caption, as package phrases reads them.
	Phrases    string
	HasPhrases bool
	// Kind is the column that the caption is from.
	Kind string
	// Reject, if not empty, is the reason why the row is rejected; Detail says more in words. The
	// other fields are then what could be read.
	Reject, Detail string
	// Split is the part of the corpus that the row is of, such as test, if the source says so.
	Split string

	// captions are the captions of a record that has several: see checkedReader.
	captions []cell
	// lines is LinesEach or LinesOne if the text of the caption has several lines, as they were read.
	lines string
	// parts is how many captions that text was divided into. sentences is set if each is a sentence with
	// an upper-case letter and a full stop.
	parts     int
	sentences bool
	// unread is the extension of a text beside the caption's that is not read.
	unread string
}

// Size returns about how many bytes the row has in memory: its texts, and a few for each part of
// its graph.
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

// The memory beside its texts of a row, of a part of its graph and of a cell.
const (
	rowBytes  = 256
	partBytes = 32
	cellBytes = 96
)

// Reader returns the rows of one file from a position on.
type Reader interface {
	// Next fills row, whose memory it reuses except for strings. It returns io.EOF after the last
	// row and a *FileError if the file is malformed.
	Next(row *Row) error
	// Position is the place after the row that Next returned last: a reader opened there returns
	// the next row.
	Position() schemas.Position
	// KeptTypes are the types of Options.Keep in this file, in that order.
	KeptTypes() []schemas.KeptType
	io.Closer
}
