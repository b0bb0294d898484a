package sources

import (
	"slices"
	"testing"

	"capgraph/schemas"
)

// Captions come image by image in the order of "images", whichever section is
// first in the file.
func TestCOCOIsGrouped(t *testing.T) {
	const images = `"images": [{"id": 20, "file_name": "20.jpg"}, {"id": 10, "file_name": "10.jpg"}]`
	const annotations = `"annotations": [{"id": 1, "image_id": 10, "caption": "a"}, {"id": 2, "image_id": 20, "caption": "b"},
		{"id": 3, "image_id": 30, "caption": "c"}, {"id": 4, "image_id": 10, "caption": "d"}, {"id": 5, "image_id": 20, "caption": "e"}]`
	for _, document := range []string{"{" + images + "," + annotations + "}", "{" + annotations + "," + images + "}"} {
		rows, _, err := read(t, write(t, "coco", []byte(document)), schemas.Position{})
		if err != nil {
			t.Fatal(err)
		}
		var keys []string
		for _, r := range rows {
			keys = append(keys, r.Key)
		}
		if want := []string{"2", "5", "1", "4", "3"}; !slices.Equal(keys, want) {
			t.Errorf("%s gives the keys %v, want %v", document, keys, want)
		}
	}
}
