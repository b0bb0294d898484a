package sources

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"capgraph/schemas"
)

// coco reads the official captions JSON. Its annotations may be in any order, so the whole file is
// first read into memory. Then the rows are returned image by image in the order of "images", and
// for each image in the order of the file. Captions of images that are not in "images" come last.
type coco struct {
	*jsonStream
	// extra are the names in Where and Keep: fields of the annotation, or else of its image.
	extra  []string
	fields jsonObject
	images map[string]*cocoImage
	// listed is the number of images read from "images" so far.
	listed     int32
	anns       []cocoAnn
	block      []byte // memory for the texts of annotations; when it is full, another one is allocated
	memoryLeft int    // bytes of maxCOCOBytes
	nextAnn    int
}

// cocoImage is an image that is in "images" or that an annotation refers to.
type cocoImage struct {
	id, path string
	order    int32 // position in "images", or unlisted
	extra    []cell
}

// cocoAnn is an annotation. text is its key, its caption and the detail of its reject, one after the other.
type cocoAnn struct {
	image              *cocoImage
	row                int32
	reject             string
	text               []byte
	keyEnd, captionEnd uint32
	extra              []cell
}

const (
	// maxCOCOBytes bounds the memory for the captions and images of a file.
	maxCOCOBytes = 384 << 20
	// cocoRecordBytes is the memory of an annotation or image without its texts; cocoCellBytes is the
	// memory of an extra field.
	cocoRecordBytes, cocoCellBytes = 192, 96
	// cocoBlockBytes is the size of a block.
	cocoBlockBytes = 4 << 20
)

const remedyCOCO = `give a captions file, with "images" and with "annotations" that have captions`

func openCOCO(in *input) (rowReader, error) {
	j, err := in.openJSON()
	if err != nil {
		return nil, err
	}
	c := &coco{jsonStream: j, images: map[string]*cocoImage{}, memoryLeft: maxCOCOBytes}
	c.extra = slices.Clone(in.opts.Keep)
	for _, w := range in.where {
		if !slices.Contains(c.extra, w.name) {
			c.extra = append(c.extra, w.name)
		}
	}
	if err := c.readDocument(); err != nil {
		j.close()
		return nil, c.syntaxError(int64(len(c.anns)), err)
	}
	slices.SortFunc(c.anns, func(a, b cocoAnn) int {
		return cmp.Or(cmp.Compare(a.imageOrder(), b.imageOrder()), cmp.Compare(a.row, b.row))
	})
	return c, nil
}

// imageOrder returns the order of the annotation's image. Annotations without an image come last.
func (a cocoAnn) imageOrder() int32 {
	if a.image == nil {
		return math.MaxInt32
	}
	return a.image.order
}

// readDocument reads the whole document.
func (c *coco) readDocument() error {
	t, err := c.readToken()
	if err != nil {
		return err
	}
	if t.Kind() != '{' {
		return c.in.malformedError(schemas.Position{Offset: 0}, errors.New("is no JSON object"), remedyCOCO)
	}
	seen := map[string]bool{}
	for c.peekKind() != '}' {
		name, err := c.readToken()
		if err != nil {
			return err
		}
		field := name.String()
		switch {
		case field != "images" && field != "annotations":
			err = c.skipValue()
		case seen[field]:
			err = c.in.malformedError(schemas.Position{Offset: c.offset()}, fmt.Errorf("has %q twice", field), remedyCOCO)
		case field == "images":
			err = c.eachElement(field, c.addImage)
		default:
			err = c.eachElement(field, c.addAnn)
		}
		if err != nil {
			return err
		}
		seen[field] = true
	}
	for _, field := range []string{"images", "annotations"} {
		if !seen[field] {
			return c.in.malformedError(schemas.Position{Offset: -1}, fmt.Errorf("has no %q", field), remedyCOCO)
		}
	}
	if _, err := c.readToken(); err != nil {
		return err
	}
	return c.readEnd()
}

// eachElement reads a list and calls add for each element.
func (c *coco) eachElement(field string, add func(jsontext.Value) error) error {
	t, err := c.readToken()
	if err != nil {
		return err
	}
	if t.Kind() != '[' {
		return c.in.malformedError(schemas.Position{Offset: c.offset()}, fmt.Errorf("%q is no list", field), remedyCOCO)
	}
	for n := 0; c.peekKind() != ']'; n++ {
		if n%1024 == 0 {
			if err := c.in.ctx.Err(); err != nil {
				return err
			}
		}
		v, err := c.readValue()
		if err != nil {
			return err
		}
		if err := add(v); err != nil {
			return err
		}
		if c.memoryLeft < 0 {
			return c.in.malformedError(schemas.Position{Row: int64(len(c.anns)), Offset: c.offset()}, fmt.Errorf("has more captions and images than fit into %d MiB, in which they are grouped", maxCOCOBytes>>20),
				"split it, or convert it to JSON lines")
		}
	}
	_, err = c.readToken()
	return err
}

// unlisted is the order of images that are not in "images".
const unlisted = math.MaxInt32

// imageByID returns the image with that id. It adds the image if it is new.
func (c *coco) imageByID(id string) *cocoImage {
	m := c.images[id]
	if m == nil {
		m = &cocoImage{id: id, order: unlisted}
		c.images[id] = m
		c.memoryLeft -= cocoRecordBytes + 2*len(id)
	}
	return m
}

// addImage adds an element of "images". Malformed elements are skipped, so that the captions of their images
// are rejected.
func (c *coco) addImage(v jsontext.Value) error {
	var row Row
	if !c.fields.parseOrReject(v, &row) {
		return nil
	}
	key := idOrReject(&row, c.fields.cellOf("id"), "id", RejectMissingImage)
	if row.Reject != "" {
		return nil
	}
	m := c.imageByID(key)
	if m.order != unlisted {
		return nil
	}
	m.order = c.listed
	c.listed++
	if name := c.fields.cellOf("file_name"); name.kind == textCell {
		m.path = name.Text
		c.memoryLeft -= len(m.path)
	}
	m.extra = c.extraCells()
	return nil
}

// extraCells returns the extra fields of the object that was read last.
func (c *coco) extraCells() []cell {
	if len(c.extra) == 0 {
		return nil
	}
	cells := make([]cell, len(c.extra))
	for i, name := range c.extra {
		cells[i] = c.fields.cellAtPath(name)
		c.memoryLeft -= cocoCellBytes + len(cells[i].Text)
	}
	return cells
}

// addAnn adds an element of "annotations".
func (c *coco) addAnn(v jsontext.Value) error {
	var row Row
	a := cocoAnn{row: int32(len(c.anns))}
	if c.fields.parseOrReject(v, &row) {
		row.Key = idOrReject(&row, c.fields.cellOf("id"), "id", RejectMissingKey)
		key := idOrReject(&row, c.fields.cellOf("image_id"), "image_id", RejectMissingImage)
		if key != "" {
			a.image = c.imageByID(key)
		}
		readCaption(&row, c.fields.valueOf("caption"))
		a.extra = c.extraCells()
	}
	a.keyEnd = uint32(len(row.Key))
	a.captionEnd = a.keyEnd + uint32(len(row.Caption))
	a.text = c.storeTexts(row.Key, row.Caption, row.Detail)
	a.reject = row.Reject
	c.anns = append(c.anns, a)
	return nil
}

// storeTexts returns a copy of the texts, one after the other, in a block.
func (c *coco) storeTexts(texts ...string) []byte {
	n := 0
	for _, t := range texts {
		n += len(t)
	}
	if n > cap(c.block)-len(c.block) {
		c.block = make([]byte, 0, max(n, cocoBlockBytes))
	}
	begin := len(c.block)
	for _, t := range texts {
		c.block = append(c.block, t...)
	}
	c.memoryLeft -= cocoRecordBytes + n
	return c.block[begin:]
}

func (c *coco) next(row *Row) error {
	if c.nextAnn == len(c.anns) {
		return io.EOF
	}
	a := &c.anns[c.nextAnn]
	c.nextAnn++
	row.SourceRow = int64(a.row)
	row.Key = string(a.text[:a.keyEnd])
	row.Caption = string(a.text[a.keyEnd:a.captionEnd])
	row.Reject, row.Detail = a.reject, string(a.text[a.captionEnd:])
	if a.image == nil {
		return nil
	}
	row.ImageKey, row.Image = a.image.id, a.image.path
	if a.image.order == unlisted && row.Reject == "" {
		row.reject(RejectMissingImage, "image_id %s is not in images", a.image.id)
	}
	for i := range c.in.opts.Keep {
		row.Keep = append(row.Keep, c.extraField(a, i).Kept)
	}
	for _, w := range c.in.where {
		w.checkRow(row, c.extraField(a, slices.Index(c.extra, w.name)))
	}
	return nil
}

// extraField returns the i-th extra field of an annotation or else of its image.
func (c *coco) extraField(a *cocoAnn, i int) cell {
	if i < len(a.extra) && !a.extra[i].Null {
		return a.extra[i]
	}
	if i < len(a.image.extra) {
		return a.image.extra[i]
	}
	return cell{Kept: Kept{Null: true}}
}

func (c *coco) position() schemas.Position {
	return schemas.Position{Row: int64(c.nextAnn), Offset: -1}
}
