package export

import (
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

// writeNegCLIP writes the TSV of NegCLIP's published training code: an unnamed
// index, title, filepath, and as Python list literals neg_caption, the
// negatives of the caption itself, and neg_image, indices of rows of similar
// images. The loaders draw from both lists, so that rows where one would be
// empty are left out before rows are numbered.
func writeNegCLIP(ctx context.Context, o Options) (s Summary, err error) {
	shards, err := listShards(o.Store, o.Dir)
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
		for r, err := range readRows(o.Store, shards) {
			if err := firstError(err, ctx.Err()); err != nil {
				return err
			}
			s.Rows++
			image, reason := captionPlace(o, r)
			if reason != "" {
				s.leaveOut(reason)
				continue
			}
			images := similar.similarRows(r.ImageKey)
			if o.Neighbours != "" && len(images) == 0 {
				s.leaveOut("no neighbour in " + o.Neighbours)
				continue
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

// captionPlace is placeOf for NegCLIP's TSV, which has no place for a caption without a negative.
func captionPlace(o Options, r *Row) (image, reason string) {
	image, reason = placeOf(o, r)
	if reason == "" && !slices.ContainsFunc(r.Negatives, func(n schemas.HardNegative) bool { return n.Of == 0 }) {
		reason = "no negative of the caption"
	}
	return image, reason
}

// captionNegatives is the Python literal of the negatives that perturb the
// caption itself.
func captionNegatives(p *schemas.Pool) string {
	var b strings.Builder
	for _, n := range p.Negatives {
		if n.Of == 0 {
			if b.Len() > 0 {
				b.WriteString(", ")
			}
			pythonString(&b, n.Text)
		}
	}
	return "[" + b.String() + "]"
}

// pythonString writes the literal that Python's repr writes.
func pythonString(b *strings.Builder, s string) {
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
