package sources

import (
	"bytes"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"capgraph/schemas"
)

// webdataset reads tars of samples, which are adjacent members with one key. KEY.txt is the
// caption, or a field of KEY.json is. Of the other members only the header is read, if the tar is
// not compressed.
type webdataset struct {
	*tarMembers
	roles columnRoles
	// captionNamed is set if the caption is in the named column and nowhere else.
	captionNamed bool
	base         string // name of the file in images
	row          int64
	// texts are the members of the current sample that are read, by extension; fields are those of
	// its JSON.
	texts  map[string][]byte
	fields jsonObject
}

const (
	memberCaption = "txt"
	memberFields  = "json"
)

// imageExtensions are the extensions that readers of tars take for an image.
var imageExtensions = []string{"jpg", "jpeg", "png", "webp", "gif", "bmp", "tif", "tiff", "avif"}

// maxMembersNamed is how many members of a sample the reject of a missing caption names.
const maxMembersNamed = 20

func openWebDataset(in *input) (rowReader, error) {
	m, err := in.openTar()
	if err != nil {
		return nil, err
	}
	_, named := in.opts.Columns[Caption]
	return &webdataset{
		tarMembers: m, captionNamed: named, base: path.Base(in.file.Path), row: in.firstRow(m),
		roles: columnRoles{
			caption: in.opts.columnOf(Caption, Caption), image: in.opts.columnOf(Image, ""), imageKey: in.opts.columnOf(ImageKey, ""),
			readSame: true, keep: in.opts.Keep, where: in.where,
		},
		texts: map[string][]byte{},
	}, nil
}

// firstRow returns the number of the row at which a tar is entered.
func (in *input) firstRow(m *tarMembers) int64 {
	if m.byteStream.uncompressed && in.from.Offset > 0 {
		return in.from.Row
	}
	return 0
}

func (w *webdataset) next(row *Row) error {
	if w.err != nil {
		return w.tarError(w.row, w.err)
	}
	row.SourceRow = w.row
	first := w.member
	clear(w.texts)
	var there []string
	for w.err == nil && w.member.key == first.key {
		m := w.member
		if len(there) < maxMembersNamed {
			there = append(there, clip(m.extension, maxDetail))
		}
		if first.key == "" {
			row.reject(RejectMalformed, "the member %s has no extension, and so belongs to no sample", m.name)
		} else if err := w.readMember(row, m); err != nil {
			return w.tarError(w.row, err)
		}
		if w.nextMember(); first.key == "" {
			break
		}
	}
	if w.err != nil && !errors.Is(w.err, io.EOF) {
		return w.tarError(w.row, w.err) // the sample may be cut off
	}
	w.row++
	row.Key = first.key
	w.fillRow(row, there)
	return nil
}

// readMember reads a member of the current sample.
func (w *webdataset) readMember(row *Row, m tarMember) error {
	if row.Image == "" && slices.Contains(imageExtensions, m.extension) {
		row.Image = w.base + "/" + m.name
	}
	limit := MaxLine
	switch {
	case m.extension == memberFields:
		limit = maxJSONValue
	case m.extension != memberCaption && !w.needsMember(m.extension):
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

func (w *webdataset) needsMember(extension string) bool {
	return slices.ContainsFunc(w.roles.allColumns(), func(c columnRole) bool { return c.name == extension })
}

// fillRow sets row from the members of its sample, whose extensions are there.
func (w *webdataset) fillRow(row *Row, there []string) {
	read := false
	if data, ok := w.texts[memberFields]; ok && row.Reject == "" {
		data = replaceNaN(data)
		if v := jsontext.Value(data); v.Kind() == '{' || !v.IsValid() { // a list or a text has no fields
			read = w.fields.parseOrReject(data, row)
		}
	}
	if !read {
		w.fields.names, w.fields.values = w.fields.names[:0], w.fields.values[:0]
	}
	if row.Reject == "" && w.cell(w.roles.caption).Null {
		what := "the member ." + memberCaption + " or the field " + w.roles.caption
		if w.captionNamed {
			what = "the column " + w.roles.caption
		}
		row.reject(RejectMissingCaption, "%s is not there or null; the sample consists of .%s", what, strings.Join(there, ", ."))
	}
	picture := row.Image
	w.roles.fillRow(row, w.cell)
	if w.roles.image == "" {
		row.Image = picture
	}
	if row.ImageKey == "" {
		row.ImageKey = row.Key
	}
}

// cell returns the value of a name in the current sample: the text of the member with that
// extension, else the field of its JSON.
func (w *webdataset) cell(name string) cell {
	if name == Caption && !w.captionNamed {
		if data, ok := w.texts[memberCaption]; ok {
			return cell{Kept: Kept{Text: string(bytes.TrimPrefix(data, byteOrderMark))}, kind: textCell}
		}
	}
	if data, ok := w.texts[name]; ok {
		return cell{Kept: Kept{Text: string(bytes.TrimPrefix(data, byteOrderMark))}, kind: textCell}
	}
	return w.fields.cellOf(name)
}

func (w *webdataset) position() schemas.Position { return schemas.Position{Row: w.row, Offset: w.end} }

// replaceNaN replaces the numbers that Python writes and JSON lacks by null, as img2dataset writes
// for empty columns.
func replaceNaN(data []byte) []byte {
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
