package sources

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocumented finds every format and every reason in docs/inputs.md.
func TestDocumented(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "docs", "inputs.md"))
	if err != nil {
		t.Fatal(err)
	}
	names := []string{
		RejectMalformed, RejectLineTooLong, RejectRowTooLarge, RejectInvalidUTF8, RejectWrongType, RejectMissingCaption, RejectMissingKey,
		RejectMissingImage, RejectDuplicateKey, RejectNotSelected, RejectMissingGraph, RejectMalformedGraph, RejectMalformedPhrases,
	}
	for _, f := range Formats() {
		names = append(names, f.Name)
	}
	for _, name := range names {
		if !strings.Contains(string(doc), "| `"+name+"` |") && !strings.Contains(string(doc), "| `tsv`, `"+name+"` |") && name != "tsv" {
			t.Errorf("docs/inputs.md has no row for %s", name)
		}
	}
}

// TestCheck refuses options that a format cannot have.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		opts Options
		want string
	}{
		{Options{Format: "cc12m"}, ""},
		{Options{Format: "cc12m", Keep: []string{"url"}, Where: map[string]string{"caption": "a"}}, ""},
		{Options{Format: "jsonl", Keep: []string{"anything"}, Columns: map[string][]string{Key: {"id"}}}, ""},
		{Options{}, `source.format: no format "": there are cc12m, `},
		{Options{Format: "cc12m", Keep: []string{"sha256"}}, `source.keep: cc12m has no column "sha256": it has url, caption`},
		{Options{Format: "cc12m", Where: map[string]string{"x": ""}}, `source.where: cc12m has no column "x"`},
		{Options{Format: "jsonl", Where: map[string]string{"split": "in (train"}}, `source.where: split: "in (train" does not close: write it between quotation marks`},
		{Options{Format: "jsonl", Columns: map[string][]string{Image: {"a", "b"}}}, "source.columns: image has 2 columns: name one"},
		{Options{Format: "csv", Columns: map[string][]string{Caption: {"a", "b"}}}, ""},
		{Options{Format: "coco", Columns: map[string][]string{Caption: {"x"}}}, "source.columns: the columns of coco are fixed"},
		{Options{Format: "parquet", Columns: map[string][]string{Graph: {"x"}}}, `source.columns: parquet has no "graph"`},
		{Options{Format: "jsonl", Keep: []string{"image"}}, `source.keep: "image" is the name of a column that is written anyway`},
		{Options{Format: "jsonl", Keep: []string{"a", "a"}}, `source.keep: "a" is named twice`},
	} {
		err := c.opts.Check()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v, want %q", c.opts, err, c.want)
		}
	}
}
