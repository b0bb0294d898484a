package sources

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// coco reads the official captions JSON. Its annotations come in any order, so
// the whole file is read first, compactly, and given image by image in the
// order of "images"; the captions of one image in their own order. Those that
// belong to no image of the list come last.
type coco struct {
	*jsonStream
	// extra are the fields that Where and Keep name: an annotation's own, or
	// else its image's.
	extra  []string
	object object
	images map[string]*cocoImage
	// listed is how many of them "images" has named so far.
	listed int32
	anns   []cocoAnn
	block  []byte // what annotations say, one after another; one of several
	left   int    // bytes of memory, of maxCOCO
	given  int
}

// cocoImage is an image that "images" or an annotation names.
type cocoImage struct {
	id, path string
	order    int32 // in "images"; beyond all of them where it is not there
	extra    []cell
}

// cocoAnn is one annotation. Its text is its key, its caption and the reject's detail.
type cocoAnn struct {
	image              *cocoImage
	row                int32
	reject             string
	text               []byte
	keyEnd, captionEnd uint32
	extra              []cell
}

const (
	// maxCOCO bounds the memory that the captions and images of a file take, in bytes.
	maxCOCO = 384 << 20
	// cocoPart is what an annotation or an image takes beside its texts, cocoCell what one
	// of its fields does.
	cocoPart, cocoCell = 192, 80
	// cocoBlock is how many bytes of texts are allocated at once.
	cocoBlock = 4 << 20
)

const remedyCOCO = `give a captions file, with "images" and with "annotations" that have captions`

func openCOCO(in *input) (rows, error) {
	j, err := in.json()
	if err != nil {
		return nil, err
	}
	c := &coco{jsonStream: j, images: map[string]*cocoImage{}, left: maxCOCO}
	c.extra = slices.Clone(in.opts.Keep)
	for _, w := range in.where {
		if !slices.Contains(c.extra, w.name) {
			c.extra = append(c.extra, w.name)
		}
	}
	if err := c.load(); err != nil {
		j.close()
		return nil, c.broken(int64(len(c.anns)), err)
	}
	slices.SortFunc(c.anns, func(a, b cocoAnn) int {
		return cmp.Or(cmp.Compare(a.order(), b.order()), cmp.Compare(a.row, b.row))
	})
	return c, nil
}

// order is that of the image, or last where there is none.
func (a cocoAnn) order() int32 {
	if a.image == nil {
		return math.MaxInt32
	}
	return a.image.order
}

// load reads the whole document.
func (c *coco) load() error {
	t, err := c.token()
	if err != nil {
		return err
	}
	if t.Kind() != '{' {
		return c.in.malformed(Position{Offset: 0}, errors.New("is no JSON object"), remedyCOCO)
	}
	seen := map[string]bool{}
	for c.peek() != '}' {
		name, err := c.token()
		if err != nil {
			return err
		}
		field := name.String()
		switch {
		case field != "images" && field != "annotations":
			err = c.skip()
		case seen[field]:
			err = c.in.malformed(Position{Offset: c.offset()}, fmt.Errorf("has %q twice", field), remedyCOCO)
		case field == "images":
			err = c.list(field, c.addImage)
		default:
			err = c.list(field, c.addAnn)
		}
		if err != nil {
			return err
		}
		seen[field] = true
	}
	for _, field := range []string{"images", "annotations"} {
		if !seen[field] {
			return c.in.malformed(Position{Offset: -1}, fmt.Errorf("has no %q", field), remedyCOCO)
		}
	}
	if _, err := c.token(); err != nil {
		return err
	}
	return c.end()
}

// list gives each element of the list that follows.
func (c *coco) list(field string, add func(jsontext.Value) error) error {
	t, err := c.token()
	if err != nil {
		return err
	}
	if t.Kind() != '[' {
		return c.in.malformed(Position{Offset: c.offset()}, fmt.Errorf("%q is no list", field), remedyCOCO)
	}
	for n := 0; c.peek() != ']'; n++ {
		if n%1024 == 0 {
			if err := c.in.ctx.Err(); err != nil {
				return err
			}
		}
		v, err := c.value()
		if err != nil {
			return err
		}
		if err := add(v); err != nil {
			return err
		}
		if c.left < 0 {
			return c.in.malformed(Position{int64(len(c.anns)), c.offset()}, fmt.Errorf("has more captions and images than fit into %d MiB, in which they are grouped", maxCOCO>>20),
				"split it, or convert it to JSON lines")
		}
	}
	_, err = c.token()
	return err
}

// unlisted is the order of an image that "images" does not name.
const unlisted = math.MaxInt32

// image is the image with an id, known or new.
func (c *coco) image(id string) *cocoImage {
	m := c.images[id]
	if m == nil {
		m = &cocoImage{id: id, order: unlisted}
		c.images[id] = m
		c.left -= cocoPart + 2*len(id)
	}
	return m
}

// addImage takes an element of "images". What is wrong with it shows in the
// captions that belong to it.
func (c *coco) addImage(v jsontext.Value) error {
	var row Row
	if !c.object.parse(v, &row) {
		return nil
	}
	key := id(&row, c.object.cell("id"), "id", RejectMissingImage)
	if row.Reject != "" {
		return nil
	}
	m := c.image(key)
	if m.order != unlisted {
		return nil
	}
	m.order = c.listed
	c.listed++
	if name := c.object.cell("file_name"); name.kind == textCell {
		m.path = name.Text
		c.left -= len(m.path)
	}
	m.extra = c.extras()
	return nil
}

// extras are the fields that Where and Keep name.
func (c *coco) extras() []cell {
	if len(c.extra) == 0 {
		return nil
	}
	cells := make([]cell, len(c.extra))
	for i, name := range c.extra {
		cells[i] = c.object.cell(name)
		c.left -= cocoCell + len(cells[i].Text)
	}
	return cells
}

// addAnn takes an element of "annotations".
func (c *coco) addAnn(v jsontext.Value) error {
	var row Row
	a := cocoAnn{row: int32(len(c.anns))}
	if c.object.parse(v, &row) {
		row.Key = id(&row, c.object.cell("id"), "id", RejectMissingKey)
		key := id(&row, c.object.cell("image_id"), "image_id", RejectMissingImage)
		if key != "" {
			a.image = c.image(key)
		}
		plainCaption(&row, c.object.get("caption"))
		a.extra = c.extras()
	}
	a.keyEnd = uint32(len(row.Key))
	a.captionEnd = a.keyEnd + uint32(len(row.Caption))
	a.text = c.keep(row.Key, row.Caption, row.Detail)
	a.reject = row.Reject
	c.anns = append(c.anns, a)
	return nil
}

// keep copies texts one after another into a block.
func (c *coco) keep(texts ...string) []byte {
	n := 0
	for _, t := range texts {
		n += len(t)
	}
	if n > cap(c.block)-len(c.block) {
		c.block = make([]byte, 0, max(n, cocoBlock))
	}
	begin := len(c.block)
	for _, t := range texts {
		c.block = append(c.block, t...)
	}
	c.left -= cocoPart + n
	return c.block[begin:]
}

func (c *coco) next(row *Row) error {
	if c.given == len(c.anns) {
		return io.EOF
	}
	a := &c.anns[c.given]
	c.given++
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
		row.Keep = append(row.Keep, c.field(a, i).Kept)
	}
	for _, w := range c.in.where {
		w.check(row, c.field(a, slices.Index(c.extra, w.name)))
	}
	return nil
}

// field is the i-th extra field of an annotation or else of its image.
func (c *coco) field(a *cocoAnn, i int) cell {
	if i < len(a.extra) && !a.extra[i].Null {
		return a.extra[i]
	}
	if i < len(a.image.extra) {
		return a.image.extra[i]
	}
	return cell{Kept: Kept{Null: true}}
}

func (c *coco) position() Position { return Position{int64(c.given), -1} }
