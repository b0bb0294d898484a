package sources

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"

	"github.com/go-json-experiment/json/jsontext"
)

// karpathy reads the captions of Karpathy's splits, image by image, in two
// forms: the flat list of {"image", "caption": […]} and the original
// {"images": [{"filename", "sentences": [{"raw", "sentid"}, …]}, …]}.
type karpathy struct {
	*jsonStream
	wrapped bool // the list is the value of "images"
	resumed bool // the list was entered in its middle
	at      Position
	image   object
	pending []Row // captions of the image that are still to be given
	done    bool
}

const remedyKarpathy = `give a list of {"image", "caption": […]}, or dataset_coco.json with its "images"`

func openKarpathy(in *input) (rows, error) {
	j, err := in.json()
	if err != nil {
		return nil, err
	}
	k := &karpathy{jsonStream: j}
	if err := k.enter(); err != nil {
		j.close()
		return nil, err
	}
	return k, nil
}

// enter reads up to the first image that was asked for.
func (k *karpathy) enter() error {
	if k.plain && k.in.from.Offset > 0 {
		return k.resume()
	}
	t, err := k.token()
	if err != nil {
		return k.broken(0, err)
	}
	switch t.Kind() {
	case '[':
		k.at.Offset = k.offset()
		return nil
	case '{':
		k.wrapped = true
		return k.findImages()
	}
	return k.in.malformed(Position{Offset: 0}, errors.New("is neither a JSON list nor an object"), remedyKarpathy)
}

// resume enters the list after an image: there comes a comma, or its end.
func (k *karpathy) resume() error {
	k.resumed = true
	k.at = k.in.from
	k.base = k.in.from.Offset
	for {
		c, err := k.ReadByte()
		if err != nil {
			return k.broken(k.at.Row, io.ErrUnexpectedEOF)
		}
		switch c {
		case ' ', '\t', '\r', '\n':
			k.base++
			continue
		case ',':
			// The comma's place is taken by a bracket, for the decoder.
			k.start(io.MultiReader(bytes.NewReader([]byte{'['}), k.stream))
			_, err := k.token()
			return err
		case ']':
			k.done = true
			return nil
		}
		return k.in.malformed(k.in.from, errors.New("no image begins where one was indexed"),
			"bring the old file back, or index again into another folder")
	}
}

// findImages reads up to the images of the original form.
func (k *karpathy) findImages() error {
	for k.peek() != '}' {
		name, err := k.token()
		if err != nil {
			return k.broken(0, err)
		}
		if name.String() != "images" {
			if err := k.skip(); err != nil {
				return k.broken(0, err)
			}
			continue
		}
		t, err := k.token()
		if err != nil {
			return k.broken(0, err)
		}
		if t.Kind() != '[' {
			break
		}
		k.at.Offset = k.offset()
		return nil
	}
	return k.in.malformed(Position{Offset: -1}, errors.New(`has no list of "images"`), remedyKarpathy)
}

func (k *karpathy) next(row *Row) error {
	for len(k.pending) == 0 {
		if k.done {
			return io.EOF
		}
		if k.peek() == ']' {
			if err := k.leave(); err != nil {
				return err
			}
			continue
		}
		raw, err := k.value()
		if err != nil {
			return k.broken(k.at.Row, err)
		}
		k.at.Offset = k.offset()
		k.captions(raw)
	}
	keep := row.Keep
	*row = k.pending[0]
	row.Keep = append(keep, row.Keep...)
	k.pending = k.pending[1:]
	row.SourceRow = k.at.Row
	k.at.Row++
	return nil
}

// leave reads what follows the list.
func (k *karpathy) leave() error {
	k.done = true
	k.at.Offset = -1
	if k.resumed {
		return nil
	}
	_, err := k.token()
	for err == nil && k.wrapped && k.dec.StackDepth() > 0 {
		if k.peek() == '}' {
			_, err = k.token()
			break
		}
		if _, err = k.token(); err == nil {
			err = k.skip()
		}
	}
	if err == nil {
		err = k.end()
	}
	if err != nil {
		return k.broken(k.at.Row, err)
	}
	return nil
}

// captions makes the rows of one image; there is at least one.
func (k *karpathy) captions(raw []byte) {
	k.pending = nil
	var image Row
	if !k.image.parse(raw, &image) {
		k.pending = append(k.pending, image)
		return
	}
	list, each := k.flat(&image)
	if image.Reject == "" {
		for _, w := range k.in.where {
			w.check(&image, k.image.cell(w.name))
		}
	}
	for _, name := range k.in.opts.Keep {
		image.Keep = append(image.Keep, k.image.cell(name).Kept)
	}
	captions, err := elements(list)
	if image.Reject == "" && (err != nil || len(captions) == 0) {
		image.reject(RejectMissingCaption, "the image has no captions")
	}
	for _, c := range captions {
		row := image
		each(&row, c)
		k.pending = append(k.pending, row)
	}
	if len(captions) == 0 {
		k.pending = append(k.pending, image)
	}
}

// flat sets what the captions of an image share, and returns their list and
// how one of them is read.
func (k *karpathy) flat(image *Row) (list jsontext.Value, each func(*Row, jsontext.Value)) {
	if sentences := k.image.get("sentences"); sentences != nil {
		name := k.image.cell("filename")
		image.Image = id(image, name, "filename", RejectMissingImage)
		if dir := k.image.cell("filepath"); dir.kind == text {
			image.Image = path.Join(dir.Text, image.Image)
		}
		for _, name := range []string{"cocoid", "imgid"} {
			if c := k.image.cell(name); !c.Null && image.ImageKey == "" {
				image.ImageKey = id(image, c, name, RejectMissingImage)
			}
		}
		return sentences, sentence
	}
	image.Image = id(image, k.image.cell("image"), "image", RejectMissingImage)
	image.ImageKey = image.Image
	list = k.image.get("caption")
	if list != nil && list.Kind() == '"' {
		list = jsontext.Value(fmt.Sprintf("[%s]", list))
	}
	return list, plainCaption
}

func plainCaption(row *Row, v jsontext.Value) {
	c := jsonCell(v)
	switch {
	case row.Reject != "":
	case c.Null:
		row.reject(RejectMissingCaption, "a caption is null")
	case c.kind != text:
		row.reject(RejectWrongType, "a caption is no text: %s", clip(string(v), maxDetail/2))
	default:
		row.Caption = c.Text
	}
}

// sentence reads an element of the original form's "sentences".
func sentence(row *Row, v jsontext.Value) {
	var o object
	if row.Reject != "" || !o.parse(v, row) {
		return
	}
	plainCaption(row, o.get("raw"))
	if c := o.cell("sentid"); !c.Null {
		row.Key = id(row, c, "sentid", RejectMissingKey)
	}
}

// elements are the values of a JSON list.
func elements(list jsontext.Value) ([]jsontext.Value, error) {
	if len(list) == 0 || list.Kind() != '[' {
		return nil, errors.New("not a list")
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(list))
	if _, err := dec.ReadToken(); err != nil {
		return nil, err
	}
	var all []jsontext.Value
	for dec.PeekKind() != ']' {
		v, err := dec.ReadValue()
		if err != nil {
			return nil, err
		}
		all = append(all, v.Clone())
	}
	return all, nil
}

// position is the end of the image, and no byte between two of its captions.
func (k *karpathy) position() Position {
	if len(k.pending) > 0 || !k.plain {
		return Position{k.at.Row, -1}
	}
	return k.at
}
