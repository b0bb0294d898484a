package folder

import (
	"path"

	"capgraph/store"
)

// Whole is the shard name of a pass over the whole folder.
const Whole = "all"

// meta is the folder of what is not data. Its name begins with a dot, so that
// readers of the data skip it.
const MetaDir = ".capgraph"

// Folder is an output folder.
type Folder struct {
	Store store.Store
	Dir   string
}

// Path returns the whole name of a file in the folder.
func (f Folder) Path(parts ...string) string {
	return path.Join(append([]string{f.Dir}, parts...)...)
}

// Meta is the folder of what is not data.
func (f Folder) Meta() string { return f.Path(MetaDir) }

// Data is the name of the Parquet file of a shard, relative to the folder.
func Data(output, shard string) string { return path.Join(output, shard+".parquet") }

// Rejects is the name of the Parquet file of the rows that a pass left out.
func Rejects(pass, shard string) string { return path.Join(MetaDir, "rejects", pass, shard+".parquet") }

// Counts is the name of the exact counts of a shard.
func Counts(pass, shard string) string { return path.Join(MetaDir, "counts", pass, shard+".parquet") }

// Reduced is the name of a file that a pass makes of the whole folder.
func Reduced(name string) string { return path.Join(MetaDir, name+".parquet") }

// EntryFile is the name of the entry of a shard; a pass over the whole folder
// has one shard, "all".
func EntryFile(pass, shard string) string { return path.Join(entriesDir, pass, shard+".json") }

func failureName(pass, shard string) string { return path.Join(MetaDir, "failed", pass, shard+".json") }

func PlanFile(pass string) string { return path.Join(PlansDir, pass+".json") }

const (
	IndexFileName = MetaDir + "/index.json"
	PartsFileName = MetaDir + "/parts.json"
	PlansDir      = MetaDir + "/plans"
	entriesDir    = MetaDir + "/entries"
	TempDir       = MetaDir + "/tmp"
)

// FormatVersion is the version of what a folder holds. It rises when a reader
// of the version before would misread it.
const FormatVersion = "1"

// readableFormats are the versions of the format that can be gone on from.
var readableFormats = []string{"1"}

// The pass that makes the list of shards.
const PassIndex = "index"
