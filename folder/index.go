package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"capgraph/schemas"
)

// Index lists the shards of a corpus. It fixes their names and bounds, which depend on the data and
// on the settings of its plan, not on workers or parts.
type Index struct {
	Format string             `json:"format,omitempty"`
	Plan   string             `json:"plan"`
	Files  []SourceFile       `json:"files"`
	Shards []Shard            `json:"shards"`
	Keep   []schemas.KeptType `json:"keep,omitempty"`

	// Generations is how often files were appended to the first index.
	Generations int    `json:"-"`
	grown       string // the plan of the newest generation
}

// SourceFile is a source file: its name below the common folder of all files, its size in bytes, a
// fingerprint, its rows, and why it could not be read.
type SourceFile struct {
	Name  string `json:"name"`
	Size  int64  `json:"size"`
	Ends  string `json:"ends,omitempty"`
	Rows  int64  `json:"rows"`
	Error string `json:"error,omitempty"`

	// Generation is 0 for the files of the first index, and n for those that were appended the n-th
	// time.
	Generation int `json:"-"`
}

// Shard is a block of rows of one file.
type Shard struct {
	Name  string           `json:"name"`
	File  int              `json:"file"`
	First schemas.Position `json:"first"`
	Rows  int64            `json:"rows"`
}

// Rows returns how many rows the files have that could be read.
func (x *Index) Rows() int64 {
	n := int64(0)
	for _, f := range x.Files {
		n += f.Rows
	}
	return n
}

// EmptyFiles reports whether all files could be read and have no rows. names has the first of them
// and the number of others.
func (x *Index) EmptyFiles() (names string, nothing bool) {
	for _, f := range x.Files {
		if f.Rows > 0 || f.Error != "" {
			return "", false
		}
	}
	switch n := len(x.Files); n {
	case 0:
		return "", false
	case 1:
		return x.Files[0].Name, true
	default:
		return fmt.Sprintf("%s and %d more", x.Files[0].Name, n-1), true
	}
}

// IsBroken reports whether the file of a shard could not be read to its end.
func (x *Index) IsBroken(s Shard) bool { return x.Files[s.File].Error != "" }

// ReadIndex reads the list of shards. The error wraps fs.ErrNotExist if the corpus has no index
// yet.
func (f Folder) ReadIndex() (*Index, error) {
	var x Index
	err := f.ReadJSON(IndexFile, &x)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, fmt.Errorf("%s is not a folder that 'capgraph run' wrote: %w", f.Dir, err)
	}
	if err != nil {
		return nil, err
	}
	if x.Plan == "" {
		return nil, f.damagedError(IndexFile, errors.New("it has no plan"))
	}
	for {
		var part Index
		name := indexFile(x.Generations + 1)
		err := f.ReadJSON(name, &part)
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err == nil {
			err = x.addGeneration(&part)
			if err != nil {
				err = f.damagedError(name, err)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	for _, s := range x.Shards {
		if !IsShardName(s.Name) {
			return nil, f.damagedError(IndexFile, fmt.Errorf("no shard can have the name %q", s.Name))
		}
		if s.File < 0 || s.File >= len(x.Files) {
			return nil, f.damagedError(IndexFile, fmt.Errorf("shard %s is of file %d of %d", s.Name, s.File, len(x.Files)))
		}
	}
	for _, t := range x.Keep {
		if t < schemas.KeptText || t > schemas.KeptBool {
			return nil, f.damagedError(IndexFile, fmt.Errorf("no type %d of a kept column", int(t)))
		}
	}
	return &x, nil
}
