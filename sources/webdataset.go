package sources

import (
	"bytes"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// webdataset reads tars of samples: the members that have one key, one after
// another. KEY.txt is the caption, or a field of KEY.json is; of the other members
// no more is read than the header, where the file is not compressed.
type webdataset struct {
	*tarMembers
	roles roles
	// named says that the caption is in the column of that name and nowhere else.
	named bool
	base  string // how the file is called in images
	row   int64
	// texts are the members of the current sample that are read, by extension;
	// fields those of its JSON.
	texts  map[string][]byte
	fields object
}

const (
	memberCaption = "txt"
	memberFields  = "json"
)

// pictures are the extensions that readers of tars take for an image.
var pictures = []string{"jpg", "jpeg", "png", "webp", "gif", "bmp", "tif", "tiff", "avif"}

// mostNamed is how many members of a sample are named where it has no caption.
const mostNamed = 20

func openWebDataset(in *input) (rows, error) {
	m, err := in.tarMembers()
	if err != nil {
		return nil, err
	}
	_, named := in.opts.Columns[Caption]
	return &webdataset{
		tarMembers: m, named: named, base: path.Base(in.file.Path), row: in.firstRow(m),
		roles: roles{
			caption: in.opts.column(Caption, Caption), image: in.opts.column(Image, ""), imageKey: in.opts.column(ImageKey, ""),
			same: true, keep: in.opts.Keep, where: in.where,
		},
		texts: map[string][]byte{},
	}, nil
}

// firstRow is the number of the row that a tar is entered at.
func (in *input) firstRow(m *tarMembers) int64 {
	if m.stream.plain && in.from.Offset > 0 {
		return in.from.Row
	}
	return 0
}

func (w *webdataset) next(row *Row) error {
	if w.err != nil {
		return w.broken(w.row, w.err)
	}
	row.SourceRow = w.row
	first := w.member
	clear(w.texts)
	var there []string
	for w.err == nil && w.member.key == first.key {
		m := w.member
		if len(there) < mostNamed {
			there = append(there, clip(m.extension, maxDetail))
		}
		if first.key == "" {
			row.reject(RejectMalformed, "the member %s has no extension, and so belongs to no sample", m.name)
		} else if err := w.take(row, m); err != nil {
			return w.broken(w.row, err)
		}
		if w.advance(); first.key == "" {
			break
		}
	}
	if w.err != nil && !errors.Is(w.err, io.EOF) {
		return w.broken(w.row, w.err) // the sample may be cut off
	}
	w.row++
	row.Key = first.key
	w.fill(row, there)
	return nil
}

// take reads a member of the current sample.
func (w *webdataset) take(row *Row, m tarMember) error {
	if row.Image == "" && slices.Contains(pictures, m.extension) {
		row.Image = w.base + "/" + m.name
	}
	limit := MaxLine
	switch {
	case m.extension == memberFields:
		limit = maxValue
	case m.extension != memberCaption && !w.asksFor(m.extension):
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(w.tar, int64(limit)+1))
	if err != nil {
		return err
	}
	if len(data) > limit {
		row.reject(RejectLineTooLong, "the member %s is longer than %d bytes", m.name, limit)
		return nil
	}
	if _, twice := w.texts[m.extension]; twice {
		row.reject(RejectMalformed, "the sample has two members .%s", m.extension)
		return nil
	}
	w.texts[m.extension] = data
	return nil
}

func (w *webdataset) asksFor(extension string) bool {
	return slices.ContainsFunc(w.roles.columns(), func(c columnRole) bool { return c.name == extension })
}

// fill sets row from what was read of its sample, which consists of there.
func (w *webdataset) fill(row *Row, there []string) {
	read := false
	if data, ok := w.texts[memberFields]; ok && row.Reject == "" {
		data = withoutNaN(data)
		if v := jsontext.Value(data); v.Kind() == '{' || !v.IsValid() { // a list or a text has no fields
			read = w.fields.parse(data, row)
		}
	}
	if !read {
		w.fields.names, w.fields.values = w.fields.names[:0], w.fields.values[:0]
	}
	if row.Reject == "" && w.cell(w.roles.caption).Null {
		what := "the member ." + memberCaption + " or the field " + w.roles.caption
		if w.named {
			what = "the column " + w.roles.caption
		}
		row.reject(RejectMissingCaption, "%s is not there or null; the sample consists of .%s", what, strings.Join(there, ", ."))
	}
	picture := row.Image
	w.roles.fill(row, w.cell)
	if w.roles.image == "" {
		row.Image = picture
	}
	if row.ImageKey == "" {
		row.ImageKey = row.Key
	}
}

// cell is what the current sample has under a name: the text of the member with
// that extension, else the field of its JSON.
func (w *webdataset) cell(name string) cell {
	if name == Caption && !w.named {
		if data, ok := w.texts[memberCaption]; ok {
			return cell{Kept: Kept{Text: string(bytes.TrimPrefix(data, bom))}, kind: textCell}
		}
	}
	if data, ok := w.texts[name]; ok {
		return cell{Kept: Kept{Text: string(bytes.TrimPrefix(data, bom))}, kind: textCell}
	}
	return w.fields.cell(name)
}

func (w *webdataset) position() Position { return Position{w.row, w.end} }

// withoutNaN puts null in place of the numbers that Python writes and JSON has no
// form for, as img2dataset does of columns that are empty.
func withoutNaN(data []byte) []byte {
	if !bytes.Contains(data, []byte("NaN")) && !bytes.Contains(data, []byte("Infinity")) {
		return data
	}
	var out []byte
	quoted := false
next:
	for i := 0; i < len(data); i++ {
		c := data[i]
		switch {
		case quoted && c == '\\' && i+1 < len(data):
			out = append(out, c)
			i++
			c = data[i]
		case c == '"':
			quoted = !quoted
		case !quoted:
			for _, n := range []string{"NaN", "Infinity", "-Infinity"} {
				if bytes.HasPrefix(data[i:], []byte(n)) {
					out = append(out, "null"...)
					i += len(n) - 1
					continue next
				}
			}
		}
		out = append(out, c)
	}
	return out
}
