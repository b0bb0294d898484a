package sources

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"capgraph/schemas"
)

// jsonShape is a way in which a JSON document holds rows.
type jsonShape int

const (
	shapeList    jsonShape = iota // [{"image": "1.jpg", "caption": "a dog"}, …]
	shapeKeyed                    // {"1.jpg": "a dog", …}
	shapeRecord                   // {"image": "1.jpg", "caption": "a dog"}, a single row
	shapeColumns                  // {"image": ["1.jpg", …], "caption": ["a dog", …]}
	shapeWrapped                  // {"data": [{"image": "1.jpg", "caption": "a dog"}, …]}
	shapeNested                   // any other form that nestedDocument reads
)

// wrapperNames are usual names of the field with the list of rows. splitNames are names of fields with the
// rows of one split; these are all read, one after another.
var (
	wrapperNames = []string{"data", "annotations", "samples", "items", "rows", "records", "examples", "instances", "entries", "results", "captions", "dataset", "images"}
	splitNames   = []string{"train", "val", "valid", "validation", "test", "dev", "restval", "minival", "testdev", "eval"}
)

// rowNames are names of columns whose values differ between rows.
var rowNames = append([]string{"id", "key", "uid", "name", "index", "file", "path"}, imageNames...)

// isSplitName reports whether a name names a split, such as val or train2014.
func isSplitName(name string) bool {
	return slices.Contains(splitNames, strings.TrimRight(strings.ToLower(name), "0123456789_-"))
}

// namesLooked is how many field names of an inner object are read.
const namesLooked = 32

// shapeFields is how many fields of the document are read at most.
const shapeFields = 256

// jsonMember is a field of the document, which is an object. If its value is a list, first is the
// first element and length the number of elements, −1 if the list is too large. If it is an object,
// first is the first value in it.
type jsonMember struct {
	name   string
	names  []string // for an object, its first field names
	kind   jsontext.Kind
	first  jsontext.Value
	inner  jsontext.Kind
	length int
	words  bool
	open   int // the depth of a value that was not read to its end; 0 if it was
}

// findShape detects the shape of a document from its beginning. list is the name of the field with the rows
// for shapeWrapped.
func (in *input) findShape() (shape jsonShape, list string, err error) {
	beginning := *in
	beginning.from = schemas.Position{}
	j, err := beginning.openJSON()
	if err != nil {
		return 0, "", err
	}
	defer j.close()
	if j.peekKind() == '[' {
		return j.shapeOfList(), "", nil
	}
	t, err := j.readToken()
	if err != nil {
		return 0, "", j.syntaxError(0, err)
	}
	if t.Kind() != '{' {
		return 0, "", in.malformedError(schemas.Position{Offset: 0}, fmt.Errorf("is no JSON list and no object"), remedyJSON)
	}
	var all []jsonMember
	for len(all) < shapeFields && j.peekKind() != '}' {
		m, err := j.readMember()
		if err != nil {
			return 0, "", j.syntaxError(0, err)
		}
		all = append(all, m)
		switch {
		case m.kind == '[' && m.inner == '{' && in.isWrapper(m):
			return shapeWrapped, m.name, nil
		case m.kind == '{' && isNestedName(m):
			return shapeNested, "", nil
		case m.kind == '{' && in.isColumnName(m.name) && m.inner != '{' && m.inner != '[' && m.inner != 0:
			return shapeColumns, "", nil
		case m.kind == '{' && !in.isColumnName(m.name) && !isMetadata(m.name) && (isImageKey(m.name) || slices.ContainsFunc(m.names, in.isColumnName)),
			m.kind != '{' && isImageKey(m.name) && (m.kind == '"' || m.kind == '['):
			return shapeKeyed, "", nil
		case m.length < 0: // the list is too long for a single row
			return shapeColumns, "", nil
		}
		if m.open > 0 {
			if err := j.leaveValue(m.open); err != nil {
				return 0, "", j.syntaxError(0, err)
			}
		}
	}
	if shape, ok := in.shapeOfMembers(all); ok {
		return shape, "", nil
	}
	return shapeNested, "", nil
}

// shapeOfList returns the shape of a document that is a list, judged by its first element.
func (j *jsonStream) shapeOfList() jsonShape {
	if _, err := j.readToken(); err != nil {
		return shapeList
	}
	switch j.peekKind() {
	case '[':
		return shapeNested
	case '{':
		var o jsonObject
		if v, err := j.readValue(); err == nil && o.parseFields(v) == nil && len(o.names) == 1 && isImageName(o.names[0]) {
			return shapeNested
		}
	}
	return shapeList
}

// isNestedName reports whether the name of a field whose value is an object says that this has the
// rows of a corpus or a split: {"train": {"1.jpg": "a dog"}}.
func isNestedName(m jsonMember) bool {
	if isImageKey(m.name) && !isSplitName(m.name) {
		return false
	}
	if isUsual(m.name, captionNames) {
		return len(m.names) > 0 && isImageName(m.names[0])
	}
	return isSplitName(m.name) || slices.Contains(wrapperNames, m.name)
}

// readMember reads a field name and enough of the value to know what it is.
func (j *jsonStream) readMember() (m jsonMember, err error) {
	name, err := j.readToken()
	if err != nil {
		return m, err
	}
	m = jsonMember{name: name.String(), kind: j.peekKind()}
	switch m.kind {
	case '"':
		v, err := j.readValue()
		m.words = hasWords(jsonCell(v).Text)
		return m, err
	case '[', '{':
	default:
		_, err := j.readValue()
		return m, err
	}
	if _, err := j.readToken(); err != nil {
		return m, err
	}
	depth := j.dec.StackDepth()
	for begin := j.dec.InputOffset(); j.peekKind() != ']' && j.peekKind() != '}'; m.length++ {
		if m.kind == '{' {
			inner, err := j.readToken()
			if err != nil {
				return m, err
			}
			if m.names = append(m.names, inner.String()); len(m.names) == namesLooked {
				m.open = depth
				return m, nil
			}
		}
		if m.length > 0 && m.inner == '{' {
			if err := j.skipValue(); err != nil {
				return m, err
			}
			continue
		}
		kind := j.peekKind()
		if m.length == 0 {
			m.inner = kind
		}
		if kind == 0 {
			_, err := j.readToken()
			return m, err
		}
		v, err := j.readValue()
		if err != nil {
			return m, err
		}
		if m.length == 0 {
			m.first = v.Clone()
			m.words = v.Kind() == '"' && hasWords(jsonCell(v).Text)
			if m.inner == '{' && m.kind == '[' { // the first element shows the form of the others
				m.open = depth
				return m, nil
			}
		}
		if j.dec.InputOffset()-begin > maxJSONValue {
			m.length = -1
			return m, nil
		}
	}
	_, err = j.readToken()
	return m, err
}

// leaveValue reads to the end of the list or object at that depth.
func (j *jsonStream) leaveValue(depth int) error {
	for j.dec.StackDepth() >= depth {
		if _, err := j.readToken(); err != nil {
			return err
		}
	}
	return nil
}

// isColumnName reports whether a name names a column: a configured one, or a usual one for
// captions or images.
func (in *input) isColumnName(name string) bool {
	return in.isCaptionName(name) || isUsual(name, imageNames)
}

// isCaptionName reports whether a name names a caption column, or of an object that contains it.
func (in *input) isCaptionName(name string) bool {
	for _, c := range in.opts.Columns[Caption] {
		if c == name || strings.HasPrefix(c, name+".") {
			return true
		}
	}
	return isUsual(name, captionNames) || strings.Contains(strings.ToLower(name), Caption)
}

// isWrapper reports whether a list of objects has the rows: because of its name, or because its
// objects have captions or images. A list "images" of objects without captions does not count.
func (in *input) isWrapper(m jsonMember) bool {
	if isImageKey(m.name) && !isSplitName(m.name) {
		return false
	}
	var o jsonObject
	if o.parseFields(m.first) != nil {
		return false
	}
	if slices.ContainsFunc(o.names, in.isCaptionName) {
		return isSplitName(m.name) || slices.Contains(wrapperNames, m.name) || slices.ContainsFunc(o.names, func(n string) bool { return isUsual(n, imageNames) })
	}
	if m.name == "images" {
		return false
	}
	return (isSplitName(m.name) || slices.Contains(wrapperNames, m.name)) && len(o.names) > 1
}

// isMetadata reports whether a field with that name describes the whole corpus.
func isMetadata(name string) bool {
	return slices.Contains([]string{"info", "metadata", "meta", "license", "licenses", "schema", "config"}, strings.ToLower(name))
}

// isImageKey reports whether a field name looks like the name of an image: 1.jpg, a/b or 000391895.
func isImageKey(name string) bool {
	digits := 0
	for _, r := range name {
		if r >= '0' && r <= '9' {
			digits++
		}
	}
	return slices.Contains(imageExtensions, strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))) ||
		strings.ContainsRune(name, '/') || digits > 3 || digits > 0 && digits == len(name)
}

// shapeOfMembers returns the shape of an object without lists of objects; false if it is not known.
func (in *input) shapeOfMembers(all []jsonMember) (jsonShape, bool) {
	lists, captions, images, texts, words := 0, false, false, 0, 0
	sameLength := true
	for _, m := range all {
		text := m.kind == '"' || m.kind == '[' && (m.inner == '"' || m.inner == 0)
		if m.kind == '[' {
			lists++
			sameLength = sameLength && m.length == all[0].length
		}
		captions = captions || text && in.isCaptionName(m.name)
		images = images || (isUsual(m.name, rowNames) || isUsual(strings.TrimSuffix(m.name, "s"), rowNames)) && m.kind == '['
		if text {
			texts++
		}
		if m.words {
			words++
		}
	}
	switch {
	case lists > 1 && lists == len(all) && sameLength && captions && images:
		return shapeColumns, true
	case captions && (!images || lists < len(all)):
		return shapeRecord, true
	case len(all) > 0 && texts == len(all) && 2*words > len(all):
		return shapeKeyed, true
	}
	return 0, len(all) == 0
}

// describeKind returns the name of a kind of value for a message.
func describeKind(k jsontext.Kind) string {
	return map[jsontext.Kind]string{'"': "a text", '[': "a list", '{': "an object", '0': "a number", 't': "true", 'f': "false", 'n': "null"}[k]
}

// describeMembers returns the fields of an object for a message.
func describeMembers(all []jsonMember) string {
	var parts []string
	for _, m := range all {
		what := describeKind(m.kind)
		var o jsonObject
		switch {
		case m.kind == '[' && m.inner == '{' && o.parseFields(m.first) == nil:
			what += " of objects with " + strings.Join(o.names[:min(len(o.names), 6)], ", ")
		case m.kind == '[' && m.inner != 0:
			what += " of " + map[jsontext.Kind]string{'"': "texts", '[': "lists"}[m.inner]
		}
		parts = append(parts, fmt.Sprintf("%s (%s)", m.name, strings.TrimSuffix(what, " of ")))
		if len(parts) == 8 {
			parts = append(parts, "…")
			break
		}
	}
	return clip(escapeControls(strings.Join(parts, ", ")), 2*maxDetail)
}
