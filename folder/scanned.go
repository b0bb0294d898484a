package folder

import (
	"errors"
	"io/fs"
	"path"

	"capgraph/store"
)

// Scanned is what an index that is under way found in a source file: its rows and where it
// is cut, into shards that have no names yet. Plan is a hash of what that depends on beside the file.
type Scanned struct {
	Plan   string     `json:"plan"`
	File   SourceFile `json:"file"`
	Shards []Shard    `json:"shards"`
}

const scannedDir = MetaDir + "/scanned"

func scannedFile(key string) string { return path.Join(scannedDir, key+".json") }

// Scanned reads what was kept of a file; nil where nothing is, or what cannot be read.
func (f Folder) Scanned(key string) (*Scanned, error) {
	var s Scanned
	err := f.ReadJSON(scannedFile(key), &s)
	if errors.Is(err, fs.ErrNotExist) || err != nil && !store.IsEnvironmentError(err) {
		return nil, nil
	}
	return &s, err
}

// KeepScanned keeps what was found in a file until the index is published.
func (f Folder) KeepScanned(key string, s *Scanned) error { return f.ReplaceJSON(scannedFile(key), s) }

// RemoveScanned removes what was kept of all files.
func (f Folder) RemoveScanned() error {
	infos, err := f.Store.List(f.Path(scannedDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, info := range infos {
		err = errors.Join(err, f.inside().Remove(info.Name))
	}
	return err
}
