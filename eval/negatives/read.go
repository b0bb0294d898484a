// Package negatives measures hard negatives: how many have flaws on their face, how many are likely
// true of the image after all, and how well a classifier tells them from their positives without
// the image. docs/evaluation.md defines every measure.
//
// Read reads the files of capgraph and of others; Evaluate measures them; Rejudge
// compares today's filters with the verdicts of a reader.
package negatives

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"capgraph/schemas"
)

// decoders are the formats by file extension; name is the file's name in errors.
var decoders = map[string]func(f *os.File, name string) iter.Seq2[Row, error]{
	".parquet": decodeTexts,
	".tsv":     func(f *os.File, name string) iter.Seq2[Row, error] { return decodeTable(f, name, '\t') },
	".csv":     func(f *os.File, name string) iter.Seq2[Row, error] { return decodeTable(f, name, ',') },
	".json":    func(f *os.File, name string) iter.Seq2[Row, error] { return decodeJSON(f, name) },
	".jsonl":   func(f *os.File, name string) iter.Seq2[Row, error] { return decodeJSONLines(f, name) },
}

// Read reads a file, or all files of a folder in the order of their names: a run or its texts/
// (.parquet), a table as NegCLIP's (.tsv, .csv), SugarCrepe's JSON, or objects as CE-CLIP, DeGLA and
// CS-CLIP have them (.json, .jsonl). It skips entries whose name begins with a dot or an underscore. It
// ends at the first error, which names the file and the row.
func Read(path string) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		files, err := listFiles(path)
		if err != nil {
			yield(Row{}, err)
			return
		}
		for _, file := range files {
			for row, err := range readFile(file) {
				if !yield(row, err) || err != nil {
					return
				}
			}
		}
	}
}

func readFile(path string) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		f, err := os.Open(path)
		if err != nil {
			yield(Row{}, err)
			return
		}
		defer f.Close()
		for row, err := range decoders[filepath.Ext(path)](f, filepath.Base(path)) {
			if !yield(row, err) {
				return
			}
		}
	}
}

// listFiles returns the files below path with a known format, which must be the same for all.
func listFiles(path string) ([]string, error) {
	switch texts := filepath.Join(path, "texts"); {
	case isFolder(texts):
		path = texts
	case isFolder(filepath.Join(path, "graphs")):
		return nil, fmt.Errorf("%s has no texts/: finish 'capgraph run' with output.dir %s first", path, path)
	}
	var files []string
	err := filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := file != path && strings.ContainsAny(d.Name()[:1], "._")
		switch {
		case d.IsDir() && hidden:
			return fs.SkipDir
		case d.IsDir() || hidden || decoders[filepath.Ext(file)] == nil:
			return nil
		}
		files = append(files, file)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: no .parquet file of texts/ and no .tsv, .csv, .json or .jsonl of negatives", path)
	}
	for _, file := range files {
		if filepath.Ext(file) != filepath.Ext(files[0]) {
			return nil, fmt.Errorf("%s holds %s and %s files: name the file or folder to measure",
				path, filepath.Ext(files[0]), filepath.Ext(file))
		}
	}
	return files, nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Row is one caption of an image with its positive texts and hard negatives.
type Row struct {
	// Image is the key of the image; rows of one image have one key.
	Image string
	// Positives are true of the image; Positives[0] is the caption.
	Positives []string
	Negatives []Negative
}

// Negative is a text that should be false of the image. Of is the index of its positive. Method and
// Changed are empty if the source does not have them.
type Negative struct {
	Text            string
	Of              int
	Method, Changed string
}

// decodeTexts reads one Parquet file of texts/.
func decodeTexts(f *os.File, name string) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		if err := readTexts(f, yield); err != nil {
			yield(Row{}, fmt.Errorf("%s: %w", name, err))
		}
	}
}

func readTexts(f *os.File, yield func(Row, error) bool) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	n := 0
	for row, err := range schemas.ReadTexts(f, info.Size()) {
		if err != nil {
			return err
		}
		if len(row.Positives) == 0 {
			return fmt.Errorf("row %d (key %q): no positive; the caption itself should be the first", n, row.Key)
		}
		n++
		if !yield(copyRow(row), nil) {
			return nil
		}
	}
	return nil
}

// copyRow copies the fields that are measured, since r is valid only within its batch.
func copyRow(r *schemas.TextsRow) Row {
	row := Row{Image: strings.Clone(r.ImageKey), Positives: make([]string, len(r.Positives)), Negatives: make([]Negative, len(r.Negatives))}
	for i, p := range r.Positives {
		row.Positives[i] = strings.Clone(p.Text)
	}
	for i, n := range r.Negatives {
		row.Negatives[i] = Negative{Text: strings.Clone(n.Text), Of: int(n.Of), Method: strings.Clone(n.Method), Changed: strings.Clone(n.Changed)}
	}
	return row
}

// decodeSugarCrepe reads a file of SugarCrepe: one JSON object from an id to filename, caption and
// negative_caption. The name of the file ("swap_att") is the method.
func decodeSugarCrepe(r io.Reader, name string) iter.Seq2[Row, error] {
	method := strings.TrimSuffix(name, ".json")
	return func(yield func(Row, error) bool) {
		d := json.NewDecoder(r)
		if t, err := d.Token(); err != nil || t != json.Delim('{') {
			yield(Row{}, fmt.Errorf("%s: not a JSON object of negatives by id", name))
			return
		}
		for d.More() {
			id, err := d.Token()
			if err != nil {
				yield(Row{}, fmt.Errorf("%s: %w", name, err))
				return
			}
			place := fmt.Sprintf("%s, id %v", name, id)
			var entry struct {
				Filename string `json:"filename"`
				Caption  string `json:"caption"`
				Negative string `json:"negative_caption"`
			}
			if err := d.Decode(&entry); err != nil {
				yield(Row{}, fmt.Errorf("%s: %w", place, err))
				return
			}
			if entry.Filename == "" || entry.Caption == "" || entry.Negative == "" {
				yield(Row{}, fmt.Errorf("%s: filename, caption or negative_caption is missing", place))
				return
			}
			row := Row{
				Image: entry.Filename, Positives: []string{entry.Caption},
				Negatives: []Negative{{Text: entry.Negative, Method: method}},
			}
			if !yield(row, nil) {
				return
			}
		}
		if _, err := d.Token(); err != nil {
			yield(Row{}, fmt.Errorf("%s: cut off: %w", name, err))
		}
	}
}
