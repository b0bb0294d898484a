package pipeline

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"

	"capgraph/folder"
	"capgraph/sources"
	"capgraph/store"
)

// endBytes is the number of bytes that are hashed at each end of a file.
const endBytes = 64 << 10

// fingerprintFile returns the hash of the first and last 64 KiB of a file, or of the names and sizes
// in a folder that is read as a file.
func fingerprintFile(s store.Store, file sources.File) (string, error) {
	h, name := sha256.New(), file.Path
	if file.Describe(h) {
		return hex.EncodeToString(h.Sum(nil)), nil
	}
	f, err := s.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	for _, at := range []int64{0, max(endBytes, f.Size()-endBytes)} {
		if _, err := io.Copy(h, io.NewSectionReader(f, at, endBytes)); err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// checkUnchanged returns an error if a file has another size than when it was indexed.
func (c *Corpus) checkUnchanged(x *folder.Index) error {
	for i := range x.Files {
		if x.Files[i].Error != "" {
			continue
		}
		if _, err := c.locateFile(x, i); err != nil {
			return err
		}
	}
	return nil
}

// locateFile returns the corpus file of a file of the index, if it has the size that was indexed.
func (c *Corpus) locateFile(x *folder.Index, at int) (sources.File, error) {
	want := x.Files[at]
	if at >= len(c.Names) || c.Names[at] != want.Name {
		return sources.File{}, fmt.Errorf("%s, which was indexed, is not among source.paths any more: %w", want.Name, fs.ErrNotExist)
	}
	file := c.Files[at]
	if file.Size != want.Size {
		return sources.File{}, &changedError{file.Path, fmt.Sprintf("has %d bytes and had %d", file.Size, want.Size)}
	}
	return file, nil
}

// checkContent returns an error if the beginning or the end of a file is not as it was indexed.
func (c *Corpus) checkContent(file sources.File, want folder.SourceFile) error {
	ends, err := fingerprintFile(c.Store, file)
	if err == nil && want.Ends != "" && ends != want.Ends {
		err = &changedError{file.Path, "has another content than"}
	}
	return err
}

// changedError reports that a file has changed since it was indexed. It ends the run, since finished
// shards may have rows of the old file.
type changedError struct{ path, what string }

func (e *changedError) Error() string {
	return fmt.Sprintf("%s %s when it was indexed: put the file back, or index anew with --redo index", e.path, e.what)
}
