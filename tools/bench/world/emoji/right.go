package emoji

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"

	"capgraph/export"
	"capgraph/schemas"
	"capgraph/store"
	"capgraph/train/loader"
)

// rightFile returns the file with the right texts of each caption, in JSON lines.
func rightFile(dir string) string { return filepath.Join(dir, "right.jsonl") }

// WriteRightTexts writes the texts of a run on a corpus into the folder texts/ below out, replaced
// with the right texts: those that a faultless parser and fair negatives would give. They show the
// best that texts can achieve.
func WriteRightTexts(dir, run, out string) error {
	right, err := readRightTexts(rightFile(dir))
	if err != nil {
		return err
	}
	folder := filepath.Join(out, "texts")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	f, err := store.Local{}.Create(filepath.Join(folder, "00000.parquet"))
	if err != nil {
		return err
	}
	defer f.Discard()
	rows, err := export.NewParquet(f)
	if err != nil {
		return err
	}
	for row, err := range loader.Rows(store.Local{}, run) {
		if err != nil {
			return err
		}
		if pool, ok := right[row.Key]; ok {
			row.Pool = pool
		}
		if err := rows.Write(row); err != nil {
			return err
		}
	}
	if err := rows.Close(); err != nil {
		return err
	}
	return f.Replace()
}

func readRightTexts(name string) (map[string]schemas.Pool, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all := map[string]schemas.Pool{}
	lines := json.NewDecoder(bufio.NewReader(f))
	for {
		var line rightTexts
		if err := lines.Decode(&line); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all[line.Key] = line.Pool
	}
}
