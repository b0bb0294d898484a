package sources

import (
	"reflect"
	"testing"

	"capgraph/schemas"
)

// A column image of whole numbers says which image it is, whether columns names
// it or not: the captions of one image are siblings.
func TestNumbersInAColumnThatNobodyNamed(t *testing.T) {
	type signed struct {
		Image   int64  `parquet:"image"`
		Caption string `parquet:"caption"`
	}
	type unsigned struct {
		Image   uint64  `parquet:"image,optional"`
		URL     *string `parquet:"url"`
		Caption string  `parquet:"caption"`
	}
	type float struct {
		Image   float64 `parquet:"image"`
		URL     int32   `parquet:"url"`
		Caption string  `parquet:"caption"`
	}
	seven := "7.jpg"
	for name, c := range map[string]struct {
		opts  Options
		named bool // gives the same where columns names it
		want  []string
	}{
		"JSON lines":                {write(t, "jsonl", []byte("{\"image\": 42, \"caption\": \"a\"}\n{\"image\": 42, \"caption\": \"b\"}\n")), true, []string{"42", "42"}},
		"text and numbers":          {write(t, "jsonl", []byte("{\"image\": \"42\", \"caption\": \"a\"}\n{\"image\": 42, \"caption\": \"b\"}\n")), true, []string{"42", "42"}},
		"JSON that is no image":     {write(t, "jsonl", []byte("{\"image\": {\"bytes\": 1}, \"url\": 42, \"caption\": \"a\"}\n{\"image\": 1.5, \"caption\": \"b\"}\n")), false, []string{"42", ""}},
		"Parquet, int64":            {write(t, "parquet", parquetOf(t, []signed{{42, "a"}, {-1, "b"}})), true, []string{"42", "-1"}},
		"Parquet, uint64 and nulls": {write(t, "parquet", parquetOf(t, []unsigned{{1<<63 + 1, nil, "a"}, {0, &seven, "b"}})), false, []string{"9223372036854775809", "7.jpg"}},
		"Parquet, floats":           {write(t, "parquet", parquetOf(t, []float{{1, 42, "a"}, {1, 42, "b"}})), false, []string{"42", "42"}},
	} {
		images := func(opts Options) (got []string) {
			rows, _, err := read(t, opts, schemas.Position{})
			if err != nil {
				t.Fatal(name, err)
			}
			for _, r := range rows {
				if r.Image != "" && r.ImageKey != r.Image {
					t.Errorf("%s: the image is %q and the image key %q", name, r.Image, r.ImageKey)
				}
				got = append(got, r.Image)
			}
			return got
		}
		if got := images(c.opts); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: images %q, want %q", name, got, c.want)
		}
		if c.named {
			c.opts.Columns = map[string][]string{Image: {Image}}
			if got := images(c.opts); !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s, named: images %q, want %q", name, got, c.want)
			}
		}
	}
}
