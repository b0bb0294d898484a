package sources

import (
	"bytes"
	"errors"
	"io"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"capgraph/schemas"
	"capgraph/store"
)

// webdataset reads tars or folders of samples: adjacent members with one key. The caption is
// KEY.txt, possibly one per line, or a field of KEY.json. Other members are not read.
type webdataset struct {
	members memberReader
	roles   columnRoles
	// captionNamed is set if a caption column is named, so that no other member is tried.
	captionNamed bool
	// captionMembers are the extensions of members with captions.
	captionMembers []string
	imageMember    string // the extension of the image, if one is named
	base           string // the prefix of members' names in the images of rows
	// keyed is set if rows take the key of their sample. It is also the image key if none is named.
	keyed    bool
	form     cellForm // of texts
	encoding string   // as in Options
	row      int64
	// texts has the contents of the current sample's members that are read, by extension. fields has the fields
	// of its JSON.
	texts  map[string][]byte
	fields jsonObject
}

// memberReader iterates over the members of a tar or the files of a folder.
type memberReader interface {
	// current returns the current member, or io.EOF after the last.
	current() (tarMember, error)
	nextMember()
	// readContent returns at most limit+1 bytes of the current member.
	readContent(limit int) ([]byte, error)
	// offset returns the offset of the current member; −1 if reading cannot start there.
	offset() int64
	// readFailure returns the error of a file that cannot be read to its end; io.EOF at its end.
	readFailure(row int64, err error) error
	close() error
}

const (
	memberCaption = "txt"
	memberFields  = "json"
)

// imageExtensions are the extensions of images.
var imageExtensions = []string{"jpg", "jpeg", "png", "webp", "gif", "bmp", "tif", "tiff", "avif"}

// maxMembersNamed is how many members of a sample are listed in the reject of a missing caption.
const maxMembersNamed = 20

func openWebDataset(in *input) (rowReader, error) {
	m, err := in.openTar()
	if err != nil {
		return nil, err
	}
	w := in.newSamples(m, path.Base(in.file.Path)+"/", folderCaptions...)
	w.keyed = true
	if m.byteStream.uncompressed && in.from.Offset > 0 {
		w.row = in.from.Row
	}
	return w, nil
}

// newSamples returns a reader of the samples in the members of m. base is the prefix of members' names in
// images.
func (in *input) newSamples(m memberReader, base string, captions ...string) *webdataset {
	w := &webdataset{
		members: m, captionNamed: len(in.opts.Columns[Caption]) > 0, captionMembers: captions, base: base,
		form: linesForm(in.opts.Lines), encoding: in.opts.Encoding,
		roles: columnRoles{
			captions: in.captionColumns(), image: in.opts.columnOf(Image, ""), imageKey: in.opts.columnOf(ImageKey, ""),
			lists: true, readSame: true, keep: in.opts.Keep, where: in.where,
		},
		texts: map[string][]byte{},
	}
	if isImageMember(w.roles.image) {
		w.imageMember, w.roles.image = w.roles.image, ""
	}
	return w
}

// isImageMember reports whether an extension, such as input.jpg, is an image's.
func isImageMember(extension string) bool {
	return slices.Contains(imageExtensions, extension[strings.LastIndexByte(extension, '.')+1:])
}

func (w *webdataset) next(row *Row) error {
	first, err := w.members.current()
	if err != nil {
		return w.members.readFailure(w.row, err)
	}
	row.SourceRow = w.row
	clear(w.texts)
	var there []string
	m := first
	for err == nil && m.key == first.key {
		if len(there) < maxMembersNamed {
			there = append(there, clip(m.extension, maxDetail))
		}
		if first.key == "" {
			row.reject(RejectMalformed, "the member %s has no extension, and so belongs to no sample", m.name)
		} else if err := w.readMember(row, m); err != nil {
			return w.members.readFailure(w.row, err)
		}
		w.members.nextMember()
		if m, err = w.members.current(); first.key == "" {
			break
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return w.members.readFailure(w.row, err) // the sample may be incomplete
	}
	w.row++
	if w.keyed {
		row.Key = first.key
	}
	w.fillRow(row, there)
	return nil
}

// readMember reads the content of a member of the current sample if it is needed.
func (w *webdataset) readMember(row *Row, m tarMember) error {
	if m.extension == w.imageMember || w.imageMember == "" && row.Image == "" && slices.Contains(imageExtensions, m.extension) {
		row.Image = w.base + m.name
		if m.badLink != "" {
			row.reject(RejectMissingImage, "%s %s", m.name, m.badLink)
			return nil
		}
	}
	limit := MaxLine
	switch {
	case m.extension == memberFields:
		limit = maxJSONValue
	case !slices.Contains(w.captionMembers, m.extension) && !w.needsMember(m.extension):
		return nil
	}
	if m.badLink != "" {
		row.reject(RejectMissingCaption, "%s %s", m.name, m.badLink)
		return nil
	}
	data, err := w.members.readContent(limit)
	if err != nil {
		return err
	}
	if err := store.CheckPointer(data, int64(len(data))); err != nil {
		row.reject(RejectMalformed, "the member %s %v", m.name, err)
		return nil
	}
	if data, err = w.decode(data); err != nil {
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

// decode returns the content of a member as UTF-8.
func (w *webdataset) decode(data []byte) ([]byte, error) {
	e, err := encodingByName(w.encoding)
	if err != nil || e == nil {
		return data, err
	}
	return e.NewDecoder().Bytes(data)
}

// needsMember reports whether the member with that extension, or a field of it, is needed.
func (w *webdataset) needsMember(extension string) bool {
	return slices.ContainsFunc(w.roles.allColumns(), func(c columnRole) bool {
		return c.name == extension || strings.HasPrefix(c.name, extension+".")
	})
}

// fillRow sets row from the members of the current sample, whose extensions are in there.
func (w *webdataset) fillRow(row *Row, there []string) {
	read := false
	if data, ok := w.texts[memberFields]; ok && row.Reject == "" {
		data = replaceNaN(data)
		if v := jsontext.Value(data); v.Kind() == '{' || !v.IsValid() { // a list or a string has no fields
			read = w.fields.parseOrReject(data, row)
		}
	}
	if !read {
		w.fields.names, w.fields.values = w.fields.names[:0], w.fields.values[:0]
	}
	name := strings.Join(w.roles.captions, ", ")
	if row.Reject == "" && !slices.ContainsFunc(w.roles.captions, func(c string) bool { return !withNested(w.cell)(c).Null }) {
		what := "the member ." + strings.Join(w.captionMembers, ", .") + " or the field " + name
		if w.captionNamed {
			what = "the column " + name
		}
		row.reject(RejectMissingCaption, "%s is not there or null; the sample consists of .%s%s", what, strings.Join(there, ", ."), w.describeFields())
	}
	if w.imageMember != "" && row.Image == "" {
		if row.Reject == "" {
			row.reject(RejectMissingImage, "there is no member .%s; the sample consists of .%s", w.imageMember, strings.Join(there, ", ."))
		}
	}
	picture := row.Image
	w.roles.member = w.memberNamed(Caption)
	w.roles.fillRow(row, w.cell)
	w.describeTexts(row)
	if w.roles.image == "" {
		row.Image = picture
	}
	if row.ImageKey == "" {
		row.ImageKey = row.Key
	}
}

// maxSamplesListed is how many samples are searched for columns.
const maxSamplesListed = 4

// sampleColumns returns the columns that may have the caption in the first samples: the extensions
// of members that are not images, or the fields of JSON members.
func sampleColumns(in *input) ([]string, error) {
	r, err := in.openSamples()
	if err != nil {
		return nil, err
	}
	defer r.close()
	var names []string
	samples, key := 0, ""
	for {
		m, err := r.members.current()
		if err != nil {
			return names, nil
		}
		if m.key != key {
			key = m.key
			if samples++; samples > maxSamplesListed {
				return names, nil
			}
		}
		for _, n := range r.columnsOf(m) {
			if !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
		r.members.nextMember()
	}
}

// openSamples opens the samples of a tar or a folder.
func (in *input) openSamples() (*webdataset, error) {
	open := openWebDataset
	if in.opts.Format == "folder" {
		open = openFolder
	}
	r, err := open(in)
	if err != nil {
		return nil, err
	}
	if f, ok := r.(folderSamples); ok {
		return f.webdataset, nil
	}
	return r.(*webdataset), nil
}

// tableExtensions are the extensions of members that are tables for many samples.
var tableExtensions = []string{"csv", "tsv", "jsonl", "parquet"}

// columnsOf returns the columns of a member that may have captions.
func (w *webdataset) columnsOf(m tarMember) []string {
	if m.key == "" || m.badLink != "" || isImageMember(m.extension) || slices.Contains(tableExtensions, m.extension) {
		return nil
	}
	data, err := w.members.readContent(MaxLine)
	if err == nil {
		data, err = w.decode(data)
	}
	if err != nil || len(data) > MaxLine || !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		return nil
	}
	v := literalValue(string(bytes.TrimPrefix(data, byteOrderMark)))
	if v == nil {
		return []string{m.extension}
	}
	names := appendFieldNames(nil, m.extension, v, 0)
	if m.extension == memberFields { // the names of its fields have no prefix
		for i, n := range names {
			names[i] = strings.TrimPrefix(n, memberFields+".")
		}
	}
	return names
}

// describeFields returns a message that names the fields of the sample's JSON, if one of them may have the
// caption.
func (w *webdataset) describeFields() string {
	if len(w.fields.names) == 0 || !w.captionNamed {
		return ""
	}
	return ", with the fields " + clip(strings.Join(w.fields.names, ", "), maxDetail/2)
}

// cell returns the value of a column in the current sample: the content of the member with that
// extension, else the field of its JSON.
func (w *webdataset) cell(name string) cell {
	if m := w.memberNamed(name); m != "" {
		return cell{Kept: Kept{Text: string(bytes.TrimPrefix(w.texts[m], byteOrderMark))}, kind: textCell, form: w.form}
	}
	return w.fields.cellOf(name)
}

// memberNamed returns the extension of the current sample's member for a column; "" if there is
// none. Unless a column is named, the caption is in the last of captionMembers that the sample has.
func (w *webdataset) memberNamed(name string) string {
	names := []string{name}
	if name == Caption && !w.captionNamed {
		names = append(names, w.captionMembers...)
	}
	for _, n := range slices.Backward(names) {
		if _, ok := w.texts[n]; ok {
			return n
		}
	}
	return ""
}

// describeTexts sets the fields of row that say how the text of the caption was read.
func (w *webdataset) describeTexts(row *Row) {
	if text := strings.TrimSpace(string(w.texts[w.roles.member])); strings.ContainsAny(text, "\r\n") && literalValue(text) == nil {
		row.lines, row.parts, row.sentences = LinesOne, 1, false
		if len(row.captions) > 1 {
			row.lines, row.parts = LinesEach, len(row.captions)
			row.sentences = !slices.ContainsFunc(row.captions, func(c cell) bool { return !isSentence(c.Text) })
		}
	}
	if w.captionNamed {
		return
	}
	for _, m := range w.captionMembers {
		if _, ok := w.texts[m]; ok && m != w.roles.member {
			row.unread = m
		}
	}
}

func (w *webdataset) position() schemas.Position {
	return schemas.Position{Row: w.row, Offset: w.members.offset()}
}

func (w *webdataset) close() error { return w.members.close() }
