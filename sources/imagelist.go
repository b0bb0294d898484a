package sources

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// imageList reads a JSON list of images, or an object that has them by their names,
// image by image.
type imageList struct {
	*jsonStream
	// rowsOf makes the rows of an image, of which there is at least one; key is its
	// name in an object.
	rowsOf func(key string, raw []byte) []Row
	// keyed says that the images are in an object, by their names.
	keyed bool
	// wrapped is the name of the list where it may be in an object; "" where it may not.
	wrapped string
	remedy  string

	inside  bool // the list is the value of wrapped
	resumed bool // it was entered in its middle
	at      Position
	pending []Row // of the image, still to be given
	done    bool
}

// imageList opens the file as l says.
func (in *input) imageList(l *imageList) (rows, error) {
	j, err := in.json()
	if err != nil {
		return nil, err
	}
	l.jsonStream = j
	if err := l.enter(); err != nil {
		j.close()
		return nil, err
	}
	return l, nil
}

// enter reads up to the first image that was asked for.
func (l *imageList) enter() error {
	if l.plain && l.in.from.Offset > 0 {
		return l.resume()
	}
	t, err := l.token()
	if err != nil {
		return l.broken(0, err)
	}
	switch {
	case t.Kind() == jsontext.Kind(l.brackets()[0]):
		l.at.Offset = l.offset()
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
	return l.in.malformed(Position{Offset: 0}, err, l.remedy)
}

// brackets are those that the images stand in.
func (l *imageList) brackets() string {
	if l.keyed {
		return "{}"
	}
	return "[]"
}

// resume enters the list after an image: there comes a comma, or its end.
func (l *imageList) resume() error {
	l.resumed = true
	l.at = l.in.from
	l.base = l.in.from.Offset
	for {
		c, err := l.ReadByte()
		if err != nil {
			return l.broken(l.at.Row, io.ErrUnexpectedEOF)
		}
		switch c {
		case ' ', '\t', '\r', '\n':
			l.base++
			continue
		case ',':
			// The comma's place is taken by a bracket, for the decoder.
			l.start(io.MultiReader(strings.NewReader(l.brackets()[:1]), l.stream))
			_, err := l.token()
			return err
		case l.brackets()[1]:
			l.done = true
			return nil
		}
		return l.in.malformed(l.in.from, errors.New("no image begins where one was indexed"),
			"bring the old file back, or index again into another folder")
	}
}

// findImages reads up to the list in an object.
func (l *imageList) findImages() error {
	for l.peek() != '}' {
		name, err := l.token()
		if err != nil {
			return l.broken(0, err)
		}
		if name.String() != l.wrapped {
			if err := l.skip(); err != nil {
				return l.broken(0, err)
			}
			continue
		}
		t, err := l.token()
		if err != nil {
			return l.broken(0, err)
		}
		if t.Kind() != '[' {
			break
		}
		l.at.Offset = l.offset()
		return nil
	}
	return l.in.malformed(Position{Offset: -1}, fmt.Errorf("has no list of %q", l.wrapped), l.remedy)
}

func (l *imageList) next(row *Row) error {
	for len(l.pending) == 0 {
		if l.done {
			return io.EOF
		}
		if l.peek() == jsontext.Kind(l.brackets()[1]) {
			if err := l.leave(); err != nil {
				return err
			}
			continue
		}
		key := ""
		if l.keyed {
			name, err := l.token()
			if err != nil {
				return l.broken(l.at.Row, err)
			}
			key = name.String()
		}
		raw, err := l.value()
		if err != nil {
			return l.broken(l.at.Row, err)
		}
		l.at.Offset = l.offset()
		l.pending = l.rowsOf(key, raw)
	}
	keep := row.Keep
	*row = l.pending[0]
	row.Keep = append(keep, row.Keep...)
	l.pending = l.pending[1:]
	row.SourceRow = l.at.Row
	l.at.Row++
	return nil
}

// leave reads what follows the list.
func (l *imageList) leave() error {
	l.done = true
	l.at.Offset = -1
	if l.resumed {
		return nil
	}
	_, err := l.token()
	for err == nil && l.inside && l.dec.StackDepth() > 0 {
		if l.peek() == '}' {
			_, err = l.token()
			break
		}
		if _, err = l.token(); err == nil {
			err = l.skip()
		}
	}
	if err == nil {
		err = l.end()
	}
	if err != nil {
		return l.broken(l.at.Row, err)
	}
	return nil
}

// position is the end of the image, and no byte between two of its captions.
func (l *imageList) position() Position {
	if len(l.pending) > 0 || !l.plain {
		return Position{l.at.Row, -1}
	}
	return l.at
}
