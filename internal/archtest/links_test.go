package archtest

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

var markdownLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// TestLinksLeadSomewhere follows the relative links of the README and the
// documents.
func TestLinksLeadSomewhere(t *testing.T) {
	root := os.DirFS("../..")
	documents, err := fs.Glob(root, "*.md")
	if err != nil {
		t.Fatal(err)
	}
	err = fs.WalkDir(root, "docs", func(p string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(p, ".md") {
			documents = append(documents, p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range documents {
		text, err := fs.ReadFile(root, document)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range markdownLink.FindAllStringSubmatch(string(text), -1) {
			link, _, _ := strings.Cut(match[1], "#")
			if link == "" || strings.Contains(link, "://") {
				continue
			}
			if _, err := fs.Stat(root, path.Join(path.Dir(document), link)); err != nil {
				t.Errorf("%s: the link %s leads nowhere", document, match[1])
			}
		}
	}
}
