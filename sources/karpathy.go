package sources

import (
	"bytes"
	"errors"
	"fmt"
	"path"

	"github.com/go-json-experiment/json/jsontext"
)

// karpathy reads the captions of Karpathy's splits image by image. The file is a flat list of
// {"image", "caption": […]}, or has the original form {"images": [{"filename", "sentences":
// [{"raw", "sentid"}, …]}, …]}.
type karpathy struct {
	in    *input
	image jsonObject
}

const remedyKarpathy = `give a list of {"image", "caption": […]}, or dataset_coco.json with its "images"`

func openKarpathy(in *input) (rowReader, error) {
	k := &karpathy{in: in}
	return in.openImageList(&imageList{rowsOf: k.imageRows, wrapped: "images", remedy: remedyKarpathy})
}

// imageRows returns the rows of one image.
func (k *karpathy) imageRows(_ string, raw []byte) (all []Row) {
	var image Row
	if !k.image.parseOrReject(raw, &image) {
		return []Row{image}
	}
	list, each := k.readImage(&image)
	if c := k.image.cellOf(splitColumn); c.kind == textCell {
		image.Split = c.Text
	}
	if image.Reject == "" {
		for _, w := range k.in.where {
			w.checkRow(&image, k.image.cellAtPath(w.name))
		}
	}
	for _, name := range k.in.opts.Keep {
		image.Keep = append(image.Keep, k.image.cellAtPath(name).Kept)
	}
	captions, err := listElements(list)
	if errors.Is(err, errTooMany) {
		image.reject(RejectRowTooLarge, "the captions of the image: %v", err)
		return []Row{image}
	}
	if image.Reject == "" && (err != nil || len(captions) == 0) {
		image.reject(RejectMissingCaption, "the image has no captions")
	}
	for _, c := range joinTokens(captions) {
		row := image
		each(&row, c)
		all = append(all, row)
	}
	if len(captions) == 0 {
		all = append(all, image)
	}
	return all
}

// readImage sets what the captions of an image have in common. It returns the list of captions and
// the function that reads an element of it.
func (k *karpathy) readImage(image *Row) (list jsontext.Value, each func(*Row, jsontext.Value)) {
	if sentences := k.image.valueOf("sentences"); sentences != nil {
		name := k.image.cellOf("filename")
		image.Image = idOrReject(image, name, "filename", RejectMissingImage)
		if dir := k.image.cellOf("filepath"); dir.kind == textCell {
			image.Image = path.Join(dir.Text, image.Image)
		}
		for _, name := range []string{"cocoid", "imgid"} {
			if c := k.image.cellOf(name); !c.Null && image.ImageKey == "" {
				image.ImageKey = idOrReject(image, c, name, RejectMissingImage)
			}
		}
		return sentences, readSentence
	}
	image.Image = idOrReject(image, k.image.cellOf("image"), "image", RejectMissingImage)
	image.ImageKey = image.Image
	list = k.image.valueOf("caption")
	if list != nil && list.Kind() == '"' {
		list = jsontext.Value(fmt.Sprintf("[%s]", list))
	}
	return list, readCaption
}

func readCaption(row *Row, v jsontext.Value) {
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

// readSentence reads an element of "sentences" in the original form.
func readSentence(row *Row, v jsontext.Value) {
	var o jsonObject
	if row.Reject != "" || !o.parseOrReject(v, row) {
		return
	}
	readCaption(row, o.valueOf("raw"))
	if c := o.cellOf("sentid"); !c.Null {
		row.Key = idOrReject(row, c, "sentid", RejectMissingKey)
	}
}

// maxElements is the greatest number of elements of a list: captions, objects or relations.
const maxElements = 1 << 16

var errTooMany = fmt.Errorf("more than %d elements", maxElements)

// listElements returns the elements of a JSON list. If there are more than maxElements, it returns the first
// ones and errTooMany.
func listElements(list jsontext.Value) ([]jsontext.Value, error) {
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
