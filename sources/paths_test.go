package sources

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"capgraph/schemas"
)

// TestValueAt reaches into objects, lists and texts that are JSON.
func TestValueAt(t *testing.T) {
	for _, c := range []struct{ json, path, want string }{
		{`{"a": {"b": "x"}}`, "a.b", `"x"`},
		{`{"a.b": {"c": 1}}`, "a.b.c", `1`},
		{`{"a": {"b.c": 1}}`, "a.b.c", `1`},
		{`{"a": "{\"b\": \"x\"}"}`, "a.b", `"x"`},
		{`"[{\"b\": \"x\"}, {\"b\": \"é\"}]"`, "b", `["x","é"]`},
		{`{"a": [{"b": "x"}, {"c": 1}, {"b": null}, 5]}`, "a.b", `["x",null]`},
		{`{"a": [{"b": "x"}, {"b": "y"}]}`, "a.1.b", `"y"`},
		{`{"a": ["x", "y"]}`, "a.1", `"y"`},
		{`{"a": ["x", "y"]}`, "a.2", ``},
		{`{"a": ["x", "y"]}`, "a.-1", ``},
		{`{"a": []}`, "a.b", ``},
		{`{"a": "no JSON"}`, "a.b", ``},
		{`{"a": "{no JSON"}`, "a.b", ``},
		{`{"a": 5}`, "a.b", ``},
		{`{"a": {"b": 1}, "a": 2}`, "a.b", ``},
		{`{"a": {"b": 1}}`, "a.", ``},
		{`{"a": {"b": 1}}`, ".b", ``},
		{`{"": {"b": 1}}`, "", `{"b": 1}`},
		{``, "a", ``},
	} {
		if got := string(valueAt(jsontext.Value(c.json), c.path)); got != c.want {
			t.Errorf("%s of %s is %q, want %q", c.path, c.json, got, c.want)
		}
	}
}

// TestColumnsReachIntoValues names fields of values as columns, in each format with any columns.
func TestColumnsReachIntoValues(t *testing.T) {
	for format, data := range map[string]string{
		"jsonl": `{"meta": {"id": "1.jpg", "n": 5, "said": [{"text": "a dog on a mat"}, {"text": "a dog"}]}}` + "\n",
		"csv":   "meta\n\"{\"\"id\"\": \"\"1.jpg\"\", \"\"n\"\": 5, \"\"said\"\": [{\"\"text\"\": \"\"a dog on a mat\"\"}, {\"\"text\"\": \"\"a dog\"\"}]}\"\n",
		"json":  `[{"meta": "{\"id\": \"1.jpg\", \"n\": 5, \"said\": [{\"text\": \"a dog on a mat\"}, {\"text\": \"a dog\"}]}"}]`,
	} {
		path := t.TempDir() + "/in"
		put(t, path, []byte(data))
		rows, _, err := read(t, Options{
			Format: format, Paths: []string{path}, Keep: []string{"meta.n"}, Where: map[string]string{"meta.n": "> 4"},
			Columns: map[string][]string{Caption: {"meta.said.text"}, Image: {"meta.id"}},
		}, schemas.Position{})
		if err != nil || len(rows) != 2 || rows[0].Caption != "a dog on a mat" || rows[1].Caption != "a dog" || rows[1].ImageKey != "1.jpg" || rows[1].Keep[0].Text != "5" {
			t.Errorf("%s: %+v, %v", format, rows, err)
		}
	}
}

func FuzzValueAt(f *testing.F) {
	f.Add(`{"a": [{"b": "{\\"c\\": 1}"}]}`, "a.0.b.c")
	f.Add(`[[[]]]`, "0.0.0")
	f.Fuzz(func(t *testing.T, json, path string) {
		if v := valueAt(jsontext.Value(json), path); v != nil && !v.IsValid() && jsontext.Value(json).IsValid() {
			t.Errorf("%s of %s is %s", path, json, v)
		}
	})
}
