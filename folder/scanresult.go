package folder

import (
	"errors"
	"io/fs"
	"path"

	"capgraph/store"
)

// ScanResult is the result of an unfinished index for a source file: its rows, and its shards, which
// have no names yet. Plan is a hash of the settings that it depends on.
type ScanResult struct {
	Plan   string     `json:"plan"`
	File   SourceFile `json:"file"`
	Shards []Shard    `json:"shards"`
}

const scannedDir = MetaDir + "/scanned"

func scanResultFile(key string) string { return path.Join(scannedDir, key+".json") }

// ReadScanResult reads the kept result of a file; nil if there is none, or if it cannot be read.
func (f Folder) ReadScanResult(key string) (*ScanResult, error) {
	var s ScanResult
	err := f.ReadJSON(scanResultFile(key), &s)
	if errors.Is(err, fs.ErrNotExist) || err != nil && !store.IsEnvironmentError(err) {
		return nil, nil
	}
	return &s, err
}

// WriteScanResult keeps the result of a file until the index is published.
func (f Folder) WriteScanResult(key string, s *ScanResult) error {
	return f.ReplaceJSON(scanResultFile(key), s)
}

// RemoveScanResults removes the kept results of all files.
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
