package folder

import (
	"errors"
	"io/fs"
	"path"

	"capgraph/store"
)

// ScanResult is what an index that is under way found in a source file: its rows and where it
// is cut, into shards that have no names yet. Plan is a hash of what that depends on beside the file.
type ScanResult struct {
	Plan   string     `json:"plan"`
	File   SourceFile `json:"file"`
	Shards []Shard    `json:"shards"`
}

const scannedDir = MetaDir + "/scanned"

func scanResultFile(key string) string { return path.Join(scannedDir, key+".json") }

// ReadScanResult reads what was kept of a file; nil where nothing is, or what cannot be read.
func (f Folder) ReadScanResult(key string) (*ScanResult, error) {
	var s ScanResult
	err := f.ReadJSON(scanResultFile(key), &s)
	if errors.Is(err, fs.ErrNotExist) || err != nil && !store.IsEnvironmentError(err) {
		return nil, nil
	}
	return &s, err
}

// WriteScanResult keeps what was found in a file until the index is published.
func (f Folder) WriteScanResult(key string, s *ScanResult) error {
	return f.ReplaceJSON(scanResultFile(key), s)
}

// RemoveScanResults removes what was kept of all files.
func (f Folder) RemoveScanResults() error {
	infos, err := f.Store.List(f.Path(scannedDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, info := range infos {
		err = errors.Join(err, f.storeWithin().Remove(info.Name))
	}
	return err
}
