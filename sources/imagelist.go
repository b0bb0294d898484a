package sources

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"capgraph/schemas"
)

// imageList reads a JSON list of images, or a JSON object of images by name, one image at a time.
type imageList struct {
	*jsonStream
	// rowsOf returns the rows of an image, at least one. key is the image's name if the images are in an object.
	rowsOf func(key string, raw []byte) []Row
	// keyed is set if the images are in an object by name.
	keyed bool
	// wrapped is the name of a field that has the images, if the document may be an object with such a field;
	// else "".
	wrapped string
	// splits is set if the object may have further lists for the other splits of a corpus, which are
	// read too. list is the name of the current one.
	splits bool
	list   string
	remedy string

	inside  bool // the list is the value of wrapped
	resumed bool // reading resumed after an image within the list
	pos     schemas.Position
	pending []Row // rows of the current image that are not yet returned
	done    bool
}

// openImageList opens the file with the settings in l.
func (in *input) openImageList(l *imageList) (rowReader, error) {
	j, err := in.openJSON()
	if err != nil {
		return nil, err
	}
	l.jsonStream = j
	if err := l.enterList(); err != nil {
		j.close()
		return nil, err
	}
	return l, nil
}

// enterList reads the beginning of the document up to the first image to return.
func (l *imageList) enterList() error {
	if l.uncompressed && l.in.from.Offset > 0 {
		return l.resumeAfterImage()
	}
	t, err := l.readToken()
	if err != nil {
		return l.syntaxError(0, err)
	}
	switch {
	case t.Kind() == jsontext.Kind(l.brackets()[0]) && !(l.keyed && l.wrapped != ""):
		l.pos.Offset = l.offset()
		return nil
	case l.wrapped == "" && l.keyed:
		err = errors.New("is no JSON object")
	case l.wrapped == "":
		err = errors.New("is no JSON list")
	case t.Kind() == '{':
		l.inside = true
		return l.findImages()
	default:
		err = errors.New("is neither a JSON list nor an object")
	}
	return l.in.malformedError(schemas.Position{Offset: 0}, err, l.remedy)
}

// brackets returns the opening and closing bracket of the images.
func (l *imageList) brackets() string {
	if l.keyed {
		return "{}"
	}
	return "[]"
}

// resumeAfterImage resumes the list at an offset after an image. A comma follows, or the end.
func (l *imageList) resumeAfterImage() error {
	l.resumed = true
	l.pos = l.in.from
	l.base = l.in.from.Offset
	for {
		c, err := l.ReadByte()
		if err != nil {
			return l.syntaxError(l.pos.Row, io.ErrUnexpectedEOF)
		}
		switch c {
		case ' ', '\t', '\r', '\n':
			l.base++
			continue
		case ',':
			// The decoder gets an opening bracket in place of the comma.
			l.startDecoder(io.MultiReader(strings.NewReader(l.brackets()[:1]), l.byteStream))
			_, err := l.readToken()
			return err
		case l.brackets()[1]:
			l.done = true
			return nil
		}
		return l.in.malformedError(l.in.from, errors.New("no image begins where one was indexed"),
			"bring the old file back, or index again into another folder")
	}
}

// findImages reads an object up to the list of images in it.
func (l *imageList) findImages() error {
	for l.peekKind() != '}' {
		name, err := l.readToken()
		if err != nil {
			return l.syntaxError(0, err)
		}
		if name.String() != l.wrapped {
			if err := l.skipValue(); err != nil {
				return l.syntaxError(0, err)
			}
			continue
		}
		t, err := l.readToken()
		if err != nil {
			return l.syntaxError(0, err)
		}
		if t.Kind() != jsontext.Kind(l.brackets()[0]) {
			break
		}
		l.pos.Offset, l.list = l.offset(), l.wrapped
		return nil
	}
	return l.in.malformedError(schemas.Position{Offset: -1}, fmt.Errorf("has no list of %q", l.wrapped), l.remedy)
}

func (l *imageList) next(row *Row) error {
	for len(l.pending) == 0 {
		if l.done {
			return io.EOF
		}
		if l.peekKind() == jsontext.Kind(l.brackets()[1]) {
			if err := l.leaveList(); err != nil {
				return err
			}
			continue
		}
		key := ""
		if l.keyed {
			name, err := l.readToken()
			if err != nil {
				return l.syntaxError(l.pos.Row, err)
			}
			key = name.String()
		}
		raw, err := l.readValue()
		if err != nil {
			return l.syntaxError(l.pos.Row, err)
		}
		l.pos.Offset = l.offset()
		l.pending = l.rowsOf(key, raw)
	}
	keep := row.Keep
	*row = l.pending[0]
	row.Keep = append(keep, row.Keep...)
	l.pending = l.pending[1:]
	row.SourceRow = l.pos.Row
	l.pos.Row++
	return nil
}

// leaveList reads the rest of the document after the list.
func (l *imageList) leaveList() error {
	l.done = true
	l.pos.Offset = -1
	if l.resumed {
		return nil
	}
	_, err := l.readToken()
	for err == nil && l.inside && l.dec.StackDepth() > 0 {
		if l.peekKind() == '}' {
			_, err = l.readToken()
			break
		}
		var name jsontext.Token
		if name, err = l.readToken(); err != nil {
			break
		}
		list := name.String()
		if l.splits && isSplitName(list) && l.peekKind() == '[' {
			_, err = l.readToken()
			l.done, l.list = false, list
			break
		}
		err = l.skipValue()
	}
	if err == nil && l.done {
		err = l.readEnd()
	}
	if err != nil {
		return l.syntaxError(l.pos.Row, err)
	}
	return nil
}

// position returns the end of the current image. Between two rows of an image the offset is unknown.
func (l *imageList) position() schemas.Position {
	if len(l.pending) > 0 || !l.uncompressed || l.splits {
		return schemas.Position{Row: l.pos.Row, Offset: -1}
	}
	return l.pos
}
