package export

import (
	"context"
	"encoding/csv"
	"io"
)

// writeCSV writes what open_clip's --dataset-type csv reads with no further
// option: a header, the image's path and its caption, separated by tabs.
func writeCSV(ctx context.Context, o Options) (s Summary, err error) {
	shards, err := listShards(o.Store, o.Dir)
	if err != nil {
		return s, err
	}
	return s, writeFile(o, func(w io.Writer) error {
		out := csv.NewWriter(w)
		out.Comma = '\t'
		if err := out.Write([]string{"filepath", "title"}); err != nil {
			return err
		}
		for r, err := range readRows(o.Store, shards) {
			if err := firstError(err, ctx.Err()); err != nil {
				return err
			}
			s.Rows++
			image, reason := placeOf(o, r)
			if reason != "" {
				s.leaveOut(reason)
				continue
			}
			s.Written++
			if err := out.Write([]string{image, r.Text}); err != nil {
				return err
			}
		}
		out.Flush()
		return out.Error()
	})
}

// placeOf is the path of a row's image, or why a file that pandas reads has no place for the row.
func placeOf(o Options, r *Row) (image, reason string) {
	if r.Image == "" {
		return "", "no image path"
	}
	if pandasMissing[r.Text] {
		return "", "a caption that pandas reads as a missing value"
	}
	image, inside := imagePath(o.Images, r.Image)
	if !inside {
		return "", "an image path that leads out of the folder of images"
	}
	return image, ""
}

// pandasMissing are what pandas, which reads these files for others, takes for no
// value even in quotes.
var pandasMissing = map[string]bool{
	"": true, "#N/A": true, "#N/A N/A": true, "#NA": true, "-1.#IND": true, "-1.#QNAN": true, "-NaN": true, "-nan": true,
	"1.#IND": true, "1.#QNAN": true, "<NA>": true, "N/A": true, "NA": true, "NULL": true, "NaN": true, "None": true,
	"n/a": true, "nan": true, "null": true,
}
