package join

import (
	"archive/tar"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"capgraph/export"
	"capgraph/internal/parquetio"
	"capgraph/store"
)

// sample is a sample of a tar: its key, and the value to join by, which may be empty.
type sample struct{ key, value string }

// listTars returns the tars in a folder, of a glob, or of one name, sorted.
func listTars(s store.Store, name string) ([]string, error) {
	info, err := s.Stat(name)
	var infos []store.Info
	switch {
	case err == nil && info.Dir:
		infos, err = s.List(name)
	case err == nil:
		infos = []store.Info{info}
	case store.IsGlob(name) && errors.Is(err, fs.ErrNotExist):
		infos, err = store.Glob(s, name)
	}
	if err != nil {
		return nil, err
	}
	var tars []string
	seen := map[string]string{}
	for _, i := range infos {
		if i.Dir || path.Ext(i.Name) != ".tar" {
			continue
		}
		if i.Special {
			return nil, fmt.Errorf("%s is a pipe, a socket or a device: a tar has to be a file", i.Name)
		}
		base := path.Base(i.Name)
		if other, twice := seen[base]; twice {
			return nil, fmt.Errorf("%s and %s have one name, which their texts would share: join them one by one", other, i.Name)
		}
		seen[base] = i.Name
		tars = append(tars, i.Name)
	}
	if len(tars) == 0 {
		return nil, fmt.Errorf("%s: no .tar in it: name the folder of the tars with images", name)
	}
	return tars, nil
}

// tarSamples yields the samples of a tar with their values to join by. They come from img2dataset's
// Parquet file beside the tar if that has the columns, else from the .json of each sample.
func tarSamples(s store.Store, name string, by By) iter.Seq2[sample, error] {
	return func(yield func(sample, error) bool) {
		sidecar := strings.TrimSuffix(name, ".tar") + ".parquet"
		done, err := sidecarSamples(s, sidecar, by, yield)
		if err != nil {
			yield(sample{}, fmt.Errorf("%s: %w", sidecar, err))
		}
		if done || err != nil {
			return
		}
		if err := memberSamples(s, name, by, yield); err != nil {
			yield(sample{}, fmt.Errorf("%s: %w", name, err))
		}
	}
}

// sidecarSamples yields the samples in the Parquet file of a tar, without those whose download failed.
// done is false if there is no such file or it lacks the columns.
func sidecarSamples(s store.Store, name string, by By, yield func(sample, error) bool) (done bool, err error) {
	f, err := s.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	file, err := parquetio.Open(f, f.Size(), parquetio.Limits{})
	if err != nil {
		return false, err
	}
	columns := []string{"key"}
	if by != ByKey {
		columns = append(columns, by.fieldName())
	}
	for _, c := range columns {
		if !file.Has(c) {
			return false, nil
		}
	}
	status := -1
	if file.Has("status") {
		status = len(columns)
		columns = append(columns, "status")
	}
	r, err := file.NewReader(parquetio.ReaderOptions{Columns: columns})
	if err != nil {
		return false, err
	}
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return true, nil
		}
		if err != nil {
			return true, err
		}
		for i := range int(rec.NumRows()) {
			if status >= 0 && textAt(rec.Column(status), i) != "success" {
				continue
			}
			key := textAt(rec.Column(0), i)
			value := key
			if by != ByKey {
				value = by.ofSample(textAt(rec.Column(1), i))
			}
			if key != "" && !yield(sample{key, value}, nil) {
				rec.Release()
				return true, nil
			}
		}
		rec.Release()
	}
}

// textAt returns the i-th cell of a column as text; "" if it is null. Binary cells are taken for text.
func textAt(column arrow.Array, i int) string {
	if column.IsNull(i) {
		return ""
	}
	if c, ok := column.(*array.Binary); ok {
		return string(c.Value(i))
	}
	return column.ValueStr(i)
}

// maxMember is the greatest size of a .json that is read, in bytes.
const maxMember = 16 << 20

// memberSamples yields the samples of a tar by reading its members. Each key comes once.
func memberSamples(s store.Store, name string, by By, yield func(sample, error) bool) error {
	f, err := s.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	current, hasValue := sample{}, false
	flush := func() bool { return current.key == "" || yield(current, nil) }
	file := &export.EndReader{Reader: f}
	for t := tar.NewReader(file); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			if !file.Ended {
				flush()
				return nil
			}
			err = errors.New("no end-of-archive blocks")
		}
		if err != nil {
			return fmt.Errorf("is cut off or damaged (%w): fetch or write the tar again", err)
		}
		dir, base := path.Split(strings.TrimPrefix(h.Name, "./"))
		stem, extension, _ := strings.Cut(base, ".")
		if h.Typeflag != tar.TypeReg || stem == "" {
			continue
		}
		if key := dir + stem; key != current.key {
			if !flush() {
				return nil
			}
			current, hasValue = sample{key: key}, false
			if by == ByKey {
				current.value = key
			}
		}
		if by == ByKey || hasValue || strings.ToLower(extension) != "json" {
			continue
		}
		if h.Size > maxMember {
			return fmt.Errorf("%s has %d bytes, more than the .json of a sample may have (%d)", h.Name, h.Size, maxMember)
		}
		data, err := io.ReadAll(t)
		if err != nil {
			return fmt.Errorf("is cut off or damaged in %s (%w): fetch or write the tar again", h.Name, err)
		}
		current.value, hasValue = by.ofSample(fieldOf(data, by.fieldName())), true
	}
}

// fieldOf returns the string field of that name in a JSON object; "" if there is none.
func fieldOf(data []byte, name string) string {
	var fields map[string]json.RawMessage
	text := ""
	if json.Unmarshal(data, &fields) != nil || json.Unmarshal(fields[name], &text) != nil {
		return ""
	}
	return text
}

// By is a kind of value by which texts and samples are joined.
type By string

// The kinds of values to join by.
const (
	ByURL       By = "url"        // the address of the image
	BySHA256    By = "sha256"     // the SHA-256 of the image's bytes, in hexadecimal
	ByURLSHA256 By = "url-sha256" // of the address
	ByKey       By = "key"        // the key of the sample
)

// fieldName returns the name of the field of a sample with the value.
func (b By) fieldName() string {
	if b == ByURLSHA256 {
		return string(ByURL)
	}
	return string(b)
}

// ofSample returns the value to join by, given the text in a sample's field.
func (b By) ofSample(text string) string {
	if b == ByURLSHA256 && text != "" {
		sum := sha256.Sum256([]byte(text))
		return hex.EncodeToString(sum[:])
	}
	return b.ofText(text)
}

// ofText returns the value to join by, given the text in a text's column.
func (b By) ofText(text string) string {
	text = strings.TrimSpace(text)
	if b == BySHA256 || b == ByURLSHA256 {
		return strings.ToLower(text)
	}
	return text
}

// usualColumns returns usual names of the texts' column with the value, the most likely first.
func (b By) usualColumns() []string {
	switch b {
	case ByURL:
		return []string{"url", "URL", "image_url", "Image Path", "image"}
	case BySHA256:
		return []string{"sha256", "image_sha256", "hash"}
	case ByURLSHA256:
		return []string{"url_sha256", "hash", "sha256"}
	}
	return []string{"key", "__key__"}
}
