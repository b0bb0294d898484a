package pipeline

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"

	"capgraph/store"
)

// meta is the folder of what is not data. Its name begins with a dot, so that
// readers of the data skip it.
const meta = ".capgraph"

// maxMeta bounds what is read of a manifest file, in bytes.
const maxMeta = 1 << 30

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
func (f Folder) Meta() string { return f.Path(meta) }

// Data is the name of the Parquet file of a shard, relative to the folder.
func Data(output, shard string) string { return path.Join(output, shard+".parquet") }

// Rejects is the name of the Parquet file of the rows that a pass left out.
func Rejects(pass, shard string) string { return path.Join(meta, "rejects", pass, shard+".parquet") }

// Counts is the name of the exact counts of a shard.
func Counts(pass, shard string) string { return path.Join(meta, "counts", pass, shard+".parquet") }

// Reduced is the name of a file that a pass makes of the whole folder.
func Reduced(name string) string { return path.Join(meta, name+".parquet") }

// EntryFile is the name of the entry of a shard; a pass over the whole folder
// has one shard, "all".
func EntryFile(pass, shard string) string   { return path.Join(entriesDir, pass, shard+".json") }
func failureName(pass, shard string) string { return path.Join(meta, "failed", pass, shard+".json") }
func planName(pass string) string           { return path.Join(plansDir, pass+".json") }

const (
	indexName  = meta + "/index.json"
	partsName  = meta + "/parts.json"
	plansDir   = meta + "/plans"
	entriesDir = meta + "/entries"
	tempDir    = meta + "/tmp"
)

// readJSON fills v from a file of the folder. The error wraps fs.ErrNotExist
// where there is none.
func (f Folder) readJSON(name string, v any) error {
	data, err := store.ReadFile(f.Store, f.Path(name), maxMeta)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return f.damaged(name, err)
	}
	return nil
}

// damaged says that a file of bookkeeping does not hold what it should. Another
// index may not be that of what is there.
func (f Folder) damaged(name string, err error) error {
	remedy := "remove it and run again"
	if name == indexName {
		remedy = "run again with --redo index"
	}
	return fmt.Errorf("%s is damaged: %w (%s)", f.Path(name), err, remedy)
}

// publishJSON writes v under name. Where the name is taken by the same bytes
// it is content; by others, that is an error.
func (f Folder) publishJSON(name string, v any) error {
	data, err := indented(v)
	if err != nil {
		return err
	}
	t, err := f.create(name)
	if err != nil {
		return err
	}
	defer t.discard()
	if _, err := t.Write(data); err != nil {
		return err
	}
	_, err = t.publish()
	return err
}

// replaceJSON makes v what is under name.
func (f Folder) replaceJSON(name string, v any) error {
	data, err := indented(v)
	if err != nil {
		return err
	}
	return store.ReplaceFile(f.Store, f.Path(name), data)
}

func indented(v any) ([]byte, error) {
	data, err := json.MarshalIndent(v, "", "  ")
	return append(data, '\n'), err
}

// FileHash names a file of the folder by its content.
type FileHash struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

// hashed is a temporary file that is hashed while it is written.
type hashed struct {
	folder Folder
	temp   store.Temp
	name   string
	sum    interface {
		io.Writer
		Sum([]byte) []byte
	}
	bytes int64
}

func (f Folder) create(name string) (*hashed, error) {
	temp, err := f.Store.Create(f.Path(name))
	if err != nil {
		return nil, err
	}
	return &hashed{folder: f, temp: temp, name: name, sum: sha256.New()}, nil
}

func (h *hashed) Write(p []byte) (int, error) {
	n, err := h.temp.Write(p)
	h.sum.Write(p[:n])
	h.bytes += int64(n)
	return n, err
}

func (h *hashed) discard() { h.temp.Discard() }

// publish gives the file its name. Where another process was first, or a run
// that was killed before it wrote its entry, equal content is fine.
func (h *hashed) publish() (FileHash, error) {
	mine := FileHash{h.name, hex.EncodeToString(h.sum.Sum(nil)), h.bytes}
	err := h.temp.Publish()
	if !errors.Is(err, store.ErrExists) {
		return mine, err
	}
	there, err := h.folder.Hash(h.name)
	if err != nil {
		return mine, err
	}
	if there != mine {
		return mine, &otherContentError{h.folder.Path(h.name), there, mine}
	}
	return mine, nil
}

// otherContentError says that a name is taken by other bytes.
type otherContentError struct {
	path        string
	there, mine FileHash
}

func (e *otherContentError) Error() string {
	return fmt.Sprintf("%s exists with other content (SHA-256 %.12s…, ours is %.12s…): it was written by other settings or another version, or it is damaged; remove it, or choose another output.dir",
		e.path, e.there.SHA256, e.mine.SHA256)
}

// Hash reads a file of the folder and returns its hash.
func (f Folder) Hash(name string) (FileHash, error) {
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

// names lists the base names, without their extension, of the files in a
// folder below; none where it is not there.
func (f Folder) names(dir string) (map[string]bool, error) {
	infos, err := f.Store.List(f.Path(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	names := make(map[string]bool, len(infos))
	for _, info := range infos {
		base := path.Base(info.Name)
		names[base[:len(base)-len(path.Ext(base))]] = true
	}
	return names, nil
}

// exists tells whether the folder has a file of that name.
func (f Folder) exists(name string) (bool, error) {
	_, err := f.Store.Stat(f.Path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
