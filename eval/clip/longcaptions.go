package clip

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"capgraph/store"
)

const (
	negBenchRetrievalForm = "a CSV file with the columns filepath or image_path, and captions as lists of Python"
	docciForm             = `lines of {"image_file", "description", "split"}`
)

// addNegBench adds the captions of NegBench's retrieval (Alhamoud et al. 2025), which negate what the image
// does not show. Images are named by the end of their path.
func (c *captionCollector) addNegBench(data []byte) (struct{}, error) {
	return struct{}{}, eachRow(data, []string{"captions"}, func(_ int, value func(string) string) error {
		image := value("filepath")
		if image == "" {
			image = value("image_path")
		}
		captions, err := parsePythonList(value("captions"))
		if err != nil {
			return fmt.Errorf("captions: %w", err)
		}
		for _, caption := range captions {
			if c.split == "" && caption != "" {
				c.add("", "", path.Base(image), caption)
			}
		}
		return requireFields("filepath", image)
	})
}

// addDOCCI adds the descriptions of docci_descriptions.jsonlines of DOCCI (Onoe et al. 2024).
func (c *captionCollector) addDOCCI(data []byte) (struct{}, error) {
	type entry struct {
		Image       string `json:"image_file"`
		Description string `json:"description"`
		Split       string `json:"split"`
	}
	return struct{}{}, eachLine(data, func(_ int, e entry) error {
		if e.Split != "" {
			c.splits[e.Split] = true
		}
		if c.split == "" || e.Split == c.split {
			c.add("", "", e.Image, e.Description)
		}
		return requireFields("image_file", e.Image, "description", e.Description)
	})
}

// readCaptionFiles adds the captions of Urban-1k (Zhang et al. 2024): the first line of each NAME.txt of
// a folder, of the image NAME.jpg. found is false if the folder does not exist.
func (c *captionCollector) readCaptionFiles(ctx context.Context, files store.Store, dir string) (found bool, err error) {
	infos, err := files.List(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	for _, f := range infos {
		base := path.Base(f.Name)
		name, isText := strings.CutSuffix(base, ".txt")
		if f.Dir || !isText {
			continue
		}
		data, err := store.ReadFile(files, store.Join(dir, base), maxFile)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return true, err
		}
		line, _, _ := strings.Cut(strings.TrimPrefix(string(data), "\ufeff"), "\n")
		if line = strings.TrimSpace(line); line != "" {
			c.add("", "", name+".jpg", line)
		}
	}
	return len(infos) > 0, err
}
