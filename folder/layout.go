package folder

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"capgraph/store"
)

// Whole is the shard name of a pass over the whole folder.
const Whole = "all"

// MetaDir is the folder of files that are not data. Its name begins with a dot, so that readers of
// the data skip it.
const MetaDir = ".capgraph"

// Folder is an output folder.
type Folder struct {
	Store store.Store
	Dir   string
}

// IsShardName reports whether a shard may have that name. Files are named after it, so it is one
// part of a path, without an extension.
func IsShardName(name string) bool {
	return name != "" && utf8.ValidString(name) && !strings.ContainsAny(name, `./\`) && !strings.ContainsFunc(name, unicode.IsControl)
}

// Path returns the path of a file in the folder.
func (f Folder) Path(parts ...string) string {
	return store.Join(f.Dir, parts...)
}

// MetaPath returns the path of the bookkeeping folder.
func (f Folder) MetaPath() string { return f.Path(MetaDir) }

// DataFile returns the name of the Parquet file that a pass writes for a shard, relative to the
// folder, as are the names below.
func DataFile(pass Pass, shard string) string { return path.Join(pass.Output(), shard+".parquet") }

// RejectsFile returns the name of the Parquet file of the rows that a pass rejected.
func RejectsFile(pass Pass, shard string) string { return passFile("rejects", pass, shard+".parquet") }

// CountsFile returns the name of the counts of a shard.
func CountsFile(pass Pass, shard string) string { return passFile("counts", pass, shard+".parquet") }

// RunFile returns the name of a file of counts that tasks of a pass over the whole folder exchange.
// It is removed when the pass is done.
func RunFile(pass Pass, name string) string { return passFile("runs", pass, name+".parquet") }

// ReducedFile returns the name of a file that a pass writes for the whole folder.
func ReducedFile(name string) string { return path.Join(MetaDir, name+".parquet") }

// EntryFile returns the name of the entry of a shard. A pass over the whole folder has one shard,
// "all".
func EntryFile(pass Pass, shard string) string { return passFile("entries", pass, shard+".json") }

func failureFile(pass Pass, shard string) string { return passFile("failed", pass, shard+".json") }

// mayOwnFile reports whether a pass, or a task of it, may write that file for a shard.
func (p Pass) mayOwnFile(shard, file string) bool {
	if !p.IsByShard() {
		run, isParquet := strings.CutSuffix(path.Base(file), ".parquet")
		return p.HasOutputFile(file) || isParquet && IsShardName(run) && file == RunFile(p, run)
	}
	return file == CountsFile(p, shard) || file == SampleFile(p, shard) || p.Output() != "" && (file == DataFile(p, shard) || file == RejectsFile(p, shard))
}

// PlanFile returns the name of the plan of a pass.
func PlanFile(pass Pass) string { return path.Join(plansDir, string(pass)+".json") }

// perPass are the names of folders that have a subfolder for each pass.
var perPass = []string{"entries", "failed", "rejects", "counts", "sample", "runs", "compact", buildsDir}

func passFile(dir string, pass Pass, file string) string {
	return path.Join(MetaDir, dir, string(pass), file)
}

// The names of files and folders that belong to no single pass.
const (
	IndexFile = MetaDir + "/index.json"

	plansDir   = MetaDir + "/plans"
	entriesDir = MetaDir + "/entries"
	buildsDir  = "builds" // of each pass
	tempDir    = MetaDir + "/tmp"
)

// FormatVersion is the version of the layout of a folder. It increases if a reader of the previous
// version would misread the new layout.
const FormatVersion = "4"
