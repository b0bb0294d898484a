package export

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"capgraph/schemas"
)

// writeNegCLIP writes the TSV of NegCLIP's training code: an unnamed index, title, filepath, and two
// Python lists. neg_caption has the negatives of the caption itself, neg_image the indices of rows of
// similar images. NegCLIP's loaders fail on an empty list, so rows with one are left out before the
// rows are numbered.
func writeNegCLIP(ctx context.Context, o Options) (s Summary, err error) {
	shards, err := ListShards(o.Store, o.Dir)
	if err != nil {
		return s, err
	}
	return s, writeFile(o, func(w io.Writer) error {
		similar := &neighbourIndex{}
		if o.Neighbours == "" {
			s.Warnings = append(s.Warnings, "neg_image is empty: NegCLIP's loader draws a similar image for each row and fails on an empty list; "+
				"make a file of neighbours as docs/exports.md shows and name it with --neighbours")
		} else if similar, err = readNeighbours(ctx, o, shards); err != nil {
			return err
		}
		out := csv.NewWriter(w)
		out.Comma = '\t'
		if err := out.Write([]string{"", "title", "filepath", "neg_caption", "neg_image"}); err != nil {
			return err
		}
		for r, err := range readRows(o, shards) {
			if err := cmp.Or(err, ctx.Err()); err != nil {
				return err
			}
			s.Rows++
			image, reason := imageOrReason(o, r)
			if reason != "" {
				s.leaveOut(reason)
				continue
			}
			images := similar.similarRows(r.ImageKey)
			if o.Neighbours != "" && len(images) == 0 {
				s.leaveOut("no neighbour in " + o.Neighbours)
				continue
			}
			if s.Written == 0 && strings.Contains(image, ".tar/") {
				s.Warnings = append(s.Warnings, fmt.Sprintf("filepath names members of tars, such as %s, which NegCLIP's loader cannot open: extract the tars, and name their folder with --images", image))
			}
			record := []string{strconv.Itoa(s.Written), r.Text, image, captionNegatives(&r.Pool), pythonInts(images)}
			if err := out.Write(record); err != nil {
				return err
			}
			s.Written++
		}
		out.Flush()
		return out.Error()
	})
}

// imageOrReason returns the path of a row's image, or the reason why the row is left out.
func imageOrReason(o Options, r *Row) (image, reason string) {
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
	if !slices.ContainsFunc(r.Negatives, func(n schemas.HardNegative) bool { return n.Of == 0 }) {
		return "", noCaptionNegative
	}
	return image, ""
}

// pandasMissing are the texts that pandas reads as missing values, even in quotes.
var pandasMissing = map[string]bool{
	"": true, "#N/A": true, "#N/A N/A": true, "#NA": true, "-1.#IND": true, "-1.#QNAN": true, "-NaN": true, "-nan": true,
	"1.#IND": true, "1.#QNAN": true, "<NA>": true, "N/A": true, "NA": true, "NULL": true, "NaN": true, "None": true,
	"n/a": true, "nan": true, "null": true,
}

// captionNegatives formats the negatives of the caption itself as a Python list.
func captionNegatives(p *schemas.Pool) string {
	var b strings.Builder
	for _, n := range p.Negatives {
		if n.Of == 0 {
			if b.Len() > 0 {
				b.WriteString(", ")
			}
			writePythonString(&b, n.Text)
		}
	}
	return "[" + b.String() + "]"
}

// writePythonString writes s as Python's repr does.
func writePythonString(b *strings.Builder, s string) {
	quote := '\''
	if strings.ContainsRune(s, '\'') && !strings.ContainsRune(s, '"') {
		quote = '"'
	}
	b.WriteRune(quote)
	for _, r := range s {
		switch {
		case r == quote || r == '\\':
			b.WriteRune('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(b, `\u%04x`, r)
		default:
			fmt.Fprintf(b, `\U%08x`, r)
		}
	}
	b.WriteRune(quote)
}

// pythonInts formats integers as a Python list.
func pythonInts(values []int) string {
	var b strings.Builder
	for i, v := range values {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(v))
	}
	return "[" + b.String() + "]"
}
