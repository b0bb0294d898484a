package folder

import (
	"encoding/json"
	"testing"
)

func TestSettingsAreJSON(t *testing.T) {
	type settings struct {
		Paths []string `yaml:"paths"`
	}
	for _, path := range []string{
		"", "a.tsv", `a"b\c.tsv`, `\x1b`, `a\\x1b`, "tab\tand\nline", "\a\b\v\f\x00\x1b\x7f", "\U0001fae9", "🏴\U000e0067\U000e0062\U000e007f", "e\u0301\u2028", "<&>", "日本語",
	} {
		text, err := settingsJSON(settings{[]string{path}})
		if err != nil {
			t.Errorf("%q: %v", path, err)
			continue
		}
		var read struct{ Paths []string }
		if err := json.Unmarshal(text, &read); err != nil || len(read.Paths) != 1 || read.Paths[0] != path {
			t.Errorf("%q is written %s and read %q, %v", path, text, read.Paths, err)
		}
	}
	if text, err := settingsJSON(settings{[]string{"\xff"}}); err != nil || !json.Valid(text) {
		t.Errorf("a name in no encoding: %s, %v", text, err)
	}
}
