package sources

import (
	"bytes"
	"errors"
	"fmt"
	"path"

	"github.com/go-json-experiment/json/jsontext"
)

// karpathy reads the captions of Karpathy's splits, image by image, in two
// forms: the flat list of {"image", "caption": […]} and the original
// {"images": [{"filename", "sentences": [{"raw", "sentid"}, …]}, …]}.
type karpathy struct {
	in    *input
	image object
}

const remedyKarpathy = `give a list of {"image", "caption": […]}, or dataset_coco.json with its "images"`

func openKarpathy(in *input) (rows, error) {
	k := &karpathy{in: in}
	return in.imageList(&imageList{rowsOf: k.captions, wrapped: "images", remedy: remedyKarpathy})
}

// captions makes the rows of one image.
func (k *karpathy) captions(_ string, raw []byte) (all []Row) {
	var image Row
	if !k.image.parse(raw, &image) {
		return []Row{image}
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
	if errors.Is(err, errTooMany) {
		image.reject(RejectRowTooLarge, "the captions of the image: %v", err)
		return []Row{image}
	}
	if image.Reject == "" && (err != nil || len(captions) == 0) {
		image.reject(RejectMissingCaption, "the image has no captions")
	}
	for _, c := range captions {
		row := image
		each(&row, c)
		all = append(all, row)
	}
	if len(captions) == 0 {
		all = append(all, image)
	}
	return all
}

// flat sets what the captions of an image share, and returns their list and
// how one of them is read.
func (k *karpathy) flat(image *Row) (list jsontext.Value, each func(*Row, jsontext.Value)) {
	if sentences := k.image.get("sentences"); sentences != nil {
		name := k.image.cell("filename")
		image.Image = id(image, name, "filename", RejectMissingImage)
		if dir := k.image.cell("filepath"); dir.kind == textCell {
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
	case c.kind != textCell:
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

// maxElements is how many elements a list has at most, of which each is a caption, an
// object or a relation.
const maxElements = 1 << 16

var errTooMany = fmt.Errorf("more than %d elements", maxElements)

// elements are the values of a JSON list, of too many the first.
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
		if len(all) == maxElements {
			return all, errTooMany
		}
		all = append(all, v.Clone())
	}
	return all, nil
}
