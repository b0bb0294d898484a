package sources

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"capgraph/schemas"
	"capgraph/store"
)

// TestNestedDocuments recognises rows in lists and objects in others, and refuses what has none, with
// its shape.
func TestNestedDocuments(t *testing.T) {
	for name, c := range map[string]struct{ data, want string }{
		"pairs":                      {`[["1.jpg", "a dog on a mat"], ["2.jpg", "a cat on a bed"]]`, "1.jpg a dog on a mat; 2.jpg a cat on a bed"},
		"pairs with lists":           {`[["1.jpg", ["a dog on a mat", "a dog"]]]`, "1.jpg a dog on a mat; 1.jpg a dog"},
		"lists with a header":        {`[["image", "caption"], ["1.jpg", "a dog on a mat"], ["2.jpg", "a cat on a bed"]]`, "1.jpg a dog on a mat; 2.jpg a cat on a bed"},
		"lists of captions":          {`[["a dog on a mat", "a dog"], ["a cat on a bed"]]`, "a dog on a mat; a dog; a cat on a bed"},
		"lists of objects":           {`[[{"image": "1.jpg", "caption": "a dog on a mat"}], [{"image": "2.jpg", "caption": "a cat on a bed"}]]`, "1.jpg a dog on a mat; 2.jpg a cat on a bed"},
		"objects of one name":        {`[{"1.jpg": "a dog on a mat"}, {"2.jpg": ["a cat on a bed", "a cat"]}]`, "1.jpg a dog on a mat; 2.jpg a cat on a bed; 2.jpg a cat"},
		"a table of pandas":          {`{"columns": ["image", "caption"], "index": [0, 1], "data": [["1.jpg", "a dog on a mat"], ["2.jpg", "a cat on a bed"]]}`, "1.jpg a dog on a mat; 2.jpg a cat on a bed"},
		"parts of a corpus":          {`{"train": {"1.jpg": "a dog on a mat"}, "val": {"2.jpg": ["a cat on a bed"]}}`, "1.jpg a dog on a mat (train); 2.jpg a cat on a bed (val)"},
		"lists below two names":      {`{"train": {"data": [{"image": "1.jpg", "caption": "a dog on a mat"}]}, "test": {"data": [{"image": "2.jpg", "caption": "a cat on a bed"}]}}`, "1.jpg a dog on a mat (train); 2.jpg a cat on a bed (test)"},
		"a list below two names":     {`{"version": 1, "dataset": {"samples": [{"image": "1.jpg", "caption": "a dog on a mat"}]}}`, "1.jpg a dog on a mat"},
		"columns below a name":       {`{"data": {"image": ["1.jpg", "2.jpg"], "caption": ["a dog on a mat", "a cat on a bed"]}}`, "1.jpg a dog on a mat; 2.jpg a cat on a bed"},
		"columns of lists":           {`{"image": ["1.jpg", "2.jpg"], "captions": [["a dog on a mat", "a dog"], ["a cat on a bed"]]}`, "1.jpg a dog on a mat; 1.jpg a dog; 2.jpg a cat on a bed"},
		"captions by image":          {`{"captions": {"1.jpg": "a dog on a mat", "2.jpg": "a cat on a bed"}}`, "1.jpg a dog on a mat; 2.jpg a cat on a bed"},
		"captions with scores":       {`{"1.jpg": [["a dog on a mat", 0.3], ["a dog", 0.2]]}`, "1.jpg a dog on a mat; 1.jpg a dog"},
		"lists two deep":             {`[{"image": "1.jpg", "caption": [["a dog on a mat", "a dog"], ["a brown dog"]]}]`, "1.jpg a dog on a mat; 1.jpg a dog; 1.jpg a brown dog"},
		"rows below results":         {`{"info": {"n": 1}, "results": [{"image_id": 1, "caption": "a dog on a mat"}, {"image_id": 2, "caption": "a cat on a bed"}]}`, "1 a dog on a mat; 2 a cat on a bed"},
		"images in lists":            {`[{"images": ["1.jpg"], "text": "a dog on a mat"}, {"images": ["2.jpg"], "text": "a cat on a bed"}]`, "1.jpg a dog on a mat; 2.jpg a cat on a bed"},
		"NaN":                        {`[["1.jpg", "a dog on a mat", NaN]]`, "1.jpg a dog on a mat"},
		"columns of several lengths": {`{"data": {"image": ["1.jpg", "2.jpg"], "caption": ["a dog on a mat"]}}`, "is read by columns, and image has 2 values and caption 1"},
		"a row of another length":    {`{"columns": ["image", "caption"], "data": [["1.jpg", "a dog on a mat"], ["2.jpg"]]}`, "is a table with the columns image, caption, and row 1 is"},
		"two tables":                 {`{"images": {"1": "a.jpg"}, "annotations": {"1": ["a dog on a mat"]}}`, "is JSON of another shape: an object of images (an object), annotations (an object)"},
		"lists of numbers":           {`[[1, 2], [3, 4]]`, "is JSON of another shape: a list whose element 0 is a number"},
		"lists of words":             {`[["dog", "mat"], ["cat", "bed"]]`, "is JSON of another shape: a list of lists of texts"},
		"an error of a server":       {`{"error": "rate limit reached", "code": 429}`, "is JSON of another shape: an object of error (a text), code (a number)"},
		"deep":                       {strings.Repeat("[", 12) + strings.Repeat("]", 12), "more than 8 deep"},
		"cut off":                    {`[["1.jpg", "a dog on a mat"], ["2.j`, "cut off"},
	} {
		path := filepath.Join(t.TempDir(), "a.json")
		put(t, path, []byte(c.data))
		found, err := Recognise(context.Background(), store.Local{}, path)
		if err != nil {
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %q", name, err, c.want)
			}
			continue
		}
		rows, _, err := read(t, found.Options, schemas.Position{})
		var got []string
		for _, r := range rows {
			s := strings.TrimSpace(r.Image + " " + r.Caption + " " + r.Reject)
			if r.Split != "" {
				s += " (" + r.Split + ")"
			}
			got = append(got, s)
		}
		if s := strings.Join(got, "; "); s != c.want || err != nil {
			t.Errorf("%s: %s %q, %v, want %q", name, found.Options.Format, s, err, c.want)
		}
		checkResume(t, found.Options)
	}
}
