package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAudit writes the table and the page of two files.
func TestAudit(t *testing.T) {
	dir := t.TempDir()
	a, b, page := filepath.Join(dir, "a.csv"), filepath.Join(dir, "b.json"), filepath.Join(dir, "a.html")
	for name, content := range map[string]string{
		a: "filepath,caption,neg_caption\n1.jpg,A red dog <b>,\"['A blue dog <b>', 'A red puppy <b>']\"\n2.jpg,A cat,A cat .\n",
		b: `[{"image_path": "1.jpg", "caption": "A red dog", "adj_aug_caption": "A blue dog", "noun_aug_caption": "###"}]`,
	} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, errs := called(t, "audit", a, b, "--html", page)
	if errs != "" || !strings.Contains(out, "a.csv          3 ") || !strings.Contains(out, "b.json          1 ") || !strings.Contains(out, "less likely") {
		t.Errorf("%s%s", out, errs)
	}
	html := string(read(t, page))
	for _, want := range []string{"2 captions of 2 images", "equal to a true text", "may be true as well", "<mark>puppy</mark> &lt;b&gt;", "capgraph audit "} {
		if !strings.Contains(html, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	if strings.Contains(html, "<b>") {
		t.Error("the page has a tag of a caption")
	}
	if code, _, errs := command("", "audit", filepath.Join(dir, "none.csv")); code != 1 || !strings.Contains(errs, "no such file") {
		t.Errorf("exit %d, %s", code, errs)
	}
	if out, _ := called(t, "audit", b, "--json"); !strings.Contains(out, `"by_tables"`) || !strings.Contains(out, `"method: adj"`) {
		t.Error(out)
	}
}
