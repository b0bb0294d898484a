package archtest

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

var (
	markdownLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	markdownHead = regexp.MustCompile(`(?m)^#+ (.+)$`)
)

// TestLinksLeadSomewhere follows the relative links of the README, of the
// documents and of python/, to the heading where they name one.
func TestLinksLeadSomewhere(t *testing.T) {
	root := os.DirFS("../..")
	documents, err := fs.Glob(root, "*.md")
	if err != nil {
		t.Fatal(err)
	}
	documents = append(documents, "python/README.md", "ruleparse/tools/README.md")
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
			link, anchor, _ := strings.Cut(match[1], "#")
			if strings.Contains(link, "://") {
				continue
			}
			target := document
			if link != "" {
				target = path.Join(path.Dir(document), link)
			}
			if _, err := fs.Stat(root, target); err != nil {
				t.Errorf("%s: the link %s leads nowhere", document, match[1])
			} else if anchor != "" && !headed(t, root, target, anchor) {
				t.Errorf("%s: %s has no heading for the link %s", document, target, match[1])
			}
		}
	}
}

// headed tells whether a document has a heading that the anchor names.
func headed(t *testing.T, root fs.FS, document, anchor string) bool {
	t.Helper()
	text, err := fs.ReadFile(root, document)
	if err != nil {
		t.Fatal(err)
	}
	for _, heading := range markdownHead.FindAllStringSubmatch(string(text), -1) {
		if anchorOf(heading[1]) == anchor {
			return true
		}
	}
	return false
}

// anchorOf is how GitHub names a heading: in lower case, with hyphens for
// spaces, and without punctuation but for - and _.
func anchorOf(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', r == '_', unicode.IsLetter(r), unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}
