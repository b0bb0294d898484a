package negatives

import (
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
)

// decoders are the formats by file extension; name is the file's name in errors.
var decoders = map[string]func(f *os.File, name string) iter.Seq2[Row, error]{
	".parquet": decodeTexts,
	".tsv":     func(f *os.File, name string) iter.Seq2[Row, error] { return decodeNegCLIP(f, name) },
	".json":    func(f *os.File, name string) iter.Seq2[Row, error] { return decodeSugarCrepe(f, name) },
}

// Read reads a file, or all files of a folder in the order of their names: a run or its texts/
// (.parquet), NegCLIP's TSV (.tsv) or SugarCrepe's JSON (.json). It skips entries whose name begins
// with a dot or an underscore. It ends at the first error, which names the file and the row.
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
		return nil, fmt.Errorf("%s: no .parquet file of texts/, no NegCLIP .tsv and no SugarCrepe .json", path)
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
