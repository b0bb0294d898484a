package folder

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"capgraph/store"
)

// FileHash is a file of the folder with its size and SHA-256.
type FileHash struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

// File is a temporary file that is hashed while it is written.
type File struct {
	folder Folder
	temp   store.Temp
	name   string
	sum    interface {
		io.Writer
		Sum([]byte) []byte
	}
	bytes int64
}

// storeWithin returns the folder's store, through which everything is written and removed. It
// refuses names outside the folder.
func (f Folder) storeWithin() store.Store { return store.Within(f.Store, f.Dir) }

// CreateFile creates a file of the folder, which gets its name when it is published.
func (f Folder) CreateFile(name string) (*File, error) {
	temp, err := f.storeWithin().Create(f.Path(name))
	if err != nil {
		return nil, err
	}
	return &File{folder: f, temp: temp, name: name, sum: sha256.New()}, nil
}

// Write implements io.Writer.
func (h *File) Write(p []byte) (int, error) {
	n, err := h.temp.Write(p)
	h.sum.Write(p[:n])
	h.bytes += int64(n)
	return n, err
}

// Discard removes the file, unless it was published.
func (h *File) Discard() { h.temp.Discard() }

// Publish makes the file visible under its name. It is no error if a file of the same content exists, from
// another process or from a run that was killed before it wrote its entry.
func (h *File) Publish() (FileHash, error) {
	mine := FileHash{h.name, hex.EncodeToString(h.sum.Sum(nil)), h.bytes}
	err := h.temp.Publish()
	if !errors.Is(err, store.ErrExists) {
		return mine, err
	}
	there, err := h.folder.HashFile(h.name)
	if err != nil {
		return mine, err
	}
	if there != mine {
		return mine, &OtherContentError{h.folder.Path(h.name), there, mine}
	}
	return mine, nil
}

// OtherContentError is the error of a name under which other bytes exist.
type OtherContentError struct {
	path        string
	there, mine FileHash
}

func (e *OtherContentError) Error() string {
	return fmt.Sprintf("%s exists with other content (SHA-256 %.12s…, ours is %.12s…): it was written by other settings or another version, or it is damaged; remove it, or choose another output.dir",
		e.path, e.there.SHA256, e.mine.SHA256)
}

// ReplaceFile writes a file of the folder, even if it exists.
func (f Folder) ReplaceFile(name string, data []byte) error {
	return store.ReplaceFile(f.storeWithin(), f.Path(name), data)
}

// RemoveFile removes a file of the folder, if it exists.
func (f Folder) RemoveFile(name string) error { return f.storeWithin().Remove(f.Path(name)) }

// HashFile reads a file of the folder and returns its hash.
func (f Folder) HashFile(name string) (FileHash, error) {
	file, err := f.Store.Open(f.Path(name))
	if err != nil {
		return FileHash{}, err
	}
	defer file.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, file)
	if err != nil {
		return FileHash{}, fmt.Errorf("read %s: %w", f.Path(name), err)
	}
	return FileHash{name, hex.EncodeToString(sum.Sum(nil)), n}, nil
}
