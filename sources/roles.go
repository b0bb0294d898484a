package sources

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

const (
	plainForm cellForm = iota // one
	autoForm                  // for a text file beside an image: LinesAuto
	eachForm                  // LinesEach
	oneForm                   // LinesOne
)

// columnRoles has the columns for each role, in a format whose columns may have any names. "" means
// that no column has the role.
type columnRoles struct {
	// captions are the columns of the captions, usually one.
	captions             []string
	image, key, imageKey string
	phrases              string
	// guessCaption is set if no caption column is named, so that usual names are tried: see
	// captionsOf.
	guessCaption bool
	// guessImage is set if no image column is named, so that usual names are tried: see imageOf.
	guessImage bool
	// lists is set if a record may have several captions.
	lists bool
	// readSame is set if the columns sameImageColumns are read.
	readSame bool
	keep     []string
	where    []condition
	// partitions are columns in the names of the file's folders.
	partitions []partition
	// member is the extension of the file beside an image that has its caption.
	member string
	// form says how the texts of cells are split into captions: plainForm or eachForm.
	form cellForm
	// columns returns the columns of the current record for messages. It may be nil.
	columns func() []string
}

// If no image column is named, imageColumns are tried, then the image column of a published corpus,
// and then moreImageColumns; the first that a row has is used. The datasets library stores an image
// as a struct, in which path is the name.
var (
	imageColumns     = []string{"image", structImage, "url"}
	moreImageColumns = []string{"image_path", "img_path", "image_file", "file_name", "filename", "filepath", "image_name", "image_url", "img", "image_id", "img_id", "file_path"}
	// weakImageColumns are tried last, and only used if the value looks like an image's name.
	weakImageColumns = []string{"path", "file", "relpath", "jpg", "jpg.path", "jpeg", "png", "webp", "jpeg.path", "png.path", "webp.path", "images", "filenames", "file_names", "urls", "paths", "files", "images.path", "images.0", "image.0", "images.0.path"}
)

// structImage and structBytes are the fields of that struct.
const (
	structImage = "image.path"
	structBytes = "image.bytes"
)

// listColumn is a usual name of a column with several captions. seriesColumns are the names caption_0 to
// caption_9.
const listColumn = "captions"

var seriesColumns = func() (names []string) {
	for i := range 10 {
		names = append(names, fmt.Sprintf("%s_%d", Caption, i))
	}
	return names
}()

// splitColumn is the column with the split of a row, such as test.
const splitColumn = "split"

// sameImageColumns are columns whose values identify an image, beside the column with the role
// image.
var sameImageColumns = []string{"url", "sha256", "uid"}

// captionColumns returns the named caption columns, or caption if none is named.
func (in *input) captionColumns() []string {
	if names := in.opts.Columns[Caption]; len(names) > 0 {
		return names
	}
	return []string{Caption}
}

func (in *input) newRoles() columnRoles {
	image := in.opts.columnOf(Image, "")
	form := plainForm
	if in.opts.Lines == LinesEach {
		form = eachForm
	}
	return columnRoles{
		form:         form,
		captions:     in.captionColumns(),
		image:        image,
		key:          in.opts.columnOf(Key, ""),
		imageKey:     in.opts.columnOf(ImageKey, ""),
		phrases:      in.opts.phrasesColumn(),
		guessImage:   image == "",
		guessCaption: len(in.opts.Columns[Caption]) == 0, // if columns are named, none are guessed
		lists:        true,
		readSame:     true,
		keep:         in.opts.Keep,
		where:        in.where,
		partitions:   partitionsOf(in.file.Path),
	}
}

// columnRole is a column to read, its role or "", and whether the column must exist.
type columnRole struct {
	name, role string
	required   bool
}

// allColumns returns the columns to read without duplicates.
func (r columnRoles) allColumns() []columnRole {
	var all []columnRole
	for _, name := range r.captions {
		all = append(all, columnRole{name, Caption, !r.guessCaption})
	}
	all = append(all, columnRole{r.image, Image, true}, columnRole{r.key, Key, true}, columnRole{r.imageKey, ImageKey, true}, columnRole{r.phrases, Phrases, true})
	for _, w := range r.where {
		all = append(all, columnRole{w.name, "", true})
	}
	for _, name := range r.keep {
		all = append(all, columnRole{name, "", true})
	}
	var may []string
	if r.guessImage {
		may = slices.Concat(may, imageColumns, moreImageColumns, weakImageColumns)
	}
	if r.readSame {
		may = append(may, sameImageColumns...)
	}
	if r.guessCaption {
		may = append(append(may, allPublishedColumns()...), seriesColumns...)
		all = append(all, columnRole{listColumn, Caption, false})
	}
	if r.lists {
		may = append(may, splitColumn)
	}
	for _, name := range may {
		all = append(all, columnRole{name, "", false})
	}
	var once []columnRole
	for _, c := range all {
		if c.name != "" && !slices.ContainsFunc(once, func(o columnRole) bool { return o.name == c.name }) {
			once = append(once, c)
		}
	}
	return once
}

// fillRow sets row from the cells of a record. If there are several captions, it sets row.captions.
func (r columnRoles) fillRow(row *Row, get func(column string) cell) {
	get = withNested(withPartitions(get, r.partitions))
	captions, from, err := r.captionsOf(get)
	if len(captions) == 1 && captions[0].kind == textCell {
		row.Caption, row.Kind = captions[0].Text, captions[0].column
	}
	row.Image = r.imageOf(row, get, from.image)
	if r.key != "" {
		row.Key = r.idOrReject(row, get, r.key, RejectMissingKey)
	}
	if r.imageKey != "" {
		row.ImageKey = r.idOrReject(row, get, r.imageKey, RejectMissingImage)
	}
	if r.phrases != "" {
		c := get(r.phrases)
		if c.Null && row.Reject == "" && r.columns != nil && !strings.Contains(r.phrases, ".") && !slices.Contains(r.columns(), r.phrases) {
			row.reject(RejectMalformedPhrases, "%s", r.describeMissing(r.phrases)) // a null cell means that the row has no phrases
		}
		row.setPhrases(c)
	}
	if r.readSame {
		for _, name := range sameImageColumns {
			if c := get(name); c.kind != otherCell && c.String() != "" {
				row.addSame(c.String())
			}
		}
	}
	if r.lists {
		if c := get(splitColumn); c.kind == textCell {
			row.Split = c.Text
		}
	}
	for _, w := range r.where {
		w.checkRow(row, get(w.name))
	}
	switch {
	case row.Reject != "":
	case err != nil:
		row.reject(RejectRowTooLarge, "the captions of the row: %v", err)
	case len(captions) == 1:
		r.setCaption(row, captions[0])
	default:
		row.captions = captions
	}
	for _, name := range r.keep {
		row.Keep = append(row.Keep, get(name).keptValue())
	}
}

// setCaption sets the caption of row to c, or rejects row if c is not a caption.
func (r columnRoles) setCaption(row *Row, c cell) {
	switch {
	case c.Null:
		row.reject(RejectMissingCaption, "%s", r.describeMissing(strings.Join(r.captions, ", ")))
	case c.kind != textCell:
		fields, _ := jsonFields(c.Text)
		row.reject(RejectWrongType, "%s is no text%s: %s", strings.Join(r.captions, ", "), r.describeFields(fields), clip(c.String(), maxDetail/2))
	default:
		if fields, isJSON := jsonFields(c.Text); isJSON {
			row.reject(RejectWrongType, "%s is JSON%s", strings.Join(r.captions, ", "), r.describeFields(fields))
			return
		}
		row.Caption = c.Text
	}
}

// jsonFields reports whether a text is an object or list in JSON or Python's notation. For an object
// it returns the field names.
func jsonFields(text string) (fields []string, isJSON bool) {
	v := literalValue(text)
	if v == nil || v.Kind() == '[' && strings.HasPrefix(text, "(") {
		return nil, false
	}
	var o jsonObject
	if o.parseFields(v) == nil {
		return o.names, true
	}
	return nil, v.Kind() == '{' || strings.ContainsAny(text, "{\"")
}

// describeFields returns the part of a message that says how to name a field of a caption that is JSON.
func (r columnRoles) describeFields(fields []string) string {
	if len(fields) == 0 {
		return ""
	}
	name := cmp.Or(r.member, r.captions[0])
	return fmt.Sprintf(" with the fields %s: name one, source.columns: {caption: %s.%s}",
		clip(strings.Join(fields, ", "), maxDetail/3), clip(name, maxDetail/8), clip(fields[0], maxDetail/8))
}

// describeMissing returns a message that a column is missing, and which columns there are.
func (r columnRoles) describeMissing(name string) string {
	if r.columns == nil {
		return name + " is missing or null"
	}
	there := r.columns()
	if slices.Contains(there, name) {
		return name + " is null"
	}
	if len(there) == 0 {
		return name + " is missing"
	}
	return fmt.Sprintf("there is no %s, but %s", name, clip(strings.Join(there, ", "), maxDetail/2))
}

// captionsOf returns the captions of a record. There is at least one, which is null if the record
// has none. If no column is named, it tries after the column caption: caption_0 to caption_9; the
// columns of a published corpus, which it then returns as from; and a list in the column captions.
func (r columnRoles) captionsOf(get func(column string) cell) (all []cell, from publishedCorpus, err error) {
	all, err = r.captionsIn(get, r.captions)
	if !r.guessCaption || !all[0].Null || err != nil {
		return all, from, err
	}
	if r.lists {
		if all, err = r.captionsIn(get, seriesColumns); !all[0].Null || err != nil {
			return all, from, err
		}
	}
	for _, p := range publishedCorpora {
		if c := p.joinCaptions(get); !c.Null || !get(p.image).Null {
			return []cell{c}, p, nil
		}
	}
	if r.lists {
		all, err = r.captionsIn(get, []string{listColumn})
	}
	return all, from, err
}

// captionsIn returns the captions in the named columns. There is at least one, which is null if the columns
// have none.
func (r columnRoles) captionsIn(get func(column string) cell, names []string) (all []cell, err error) {
	for _, name := range names {
		c := get(name)
		if c.Null {
			continue
		}
		c.column = name
		if !r.lists {
			return []cell{c}, nil
		}
		if c.kind == textCell && c.form == plainForm {
			c.form = r.form
		}
		cells, err := c.splitElements()
		if err != nil {
			return []cell{{}}, err
		}
		for i := range cells {
			cells[i].column = name
		}
		if all = append(all, cells...); len(all) > maxElements {
			return []cell{{}}, errTooMany
		}
	}
	if len(all) == 0 {
		return []cell{{Kept: Kept{Null: true}}}, nil
	}
	return all, nil
}

// imageOf returns the image of a record; "" if it has none. published is the image column of a published
// corpus.
func (r columnRoles) imageOf(row *Row, get func(column string) cell, published string) string {
	if r.image != "" {
		return r.idOrReject(row, get, r.image, RejectMissingImage)
	}
	if !r.guessImage {
		return ""
	}
	for _, names := range [...][]string{imageColumns, {published}, moreImageColumns} {
		for _, name := range names {
			if c := get(name); name != "" && !c.Null && c.kind != otherCell && len(c.Text) <= MaxName {
				return c.id()
			}
		}
	}
	for _, name := range weakImageColumns {
		if c := get(name).firstText(); c.kind == textCell && len(c.Text) <= MaxName && isImageName(c.Text) {
			return c.Text
		}
	}
	return ""
}

// isImageName reports whether a text is a URL or ends in the extension of an image.
func isImageName(s string) bool {
	_, extension, _ := cutLast(trimCaptionNumber(s), ".")
	return strings.Contains(s, "://") || slices.Contains(imageExtensions, strings.ToLower(extension))
}

// idOrReject returns the value of a column that identifies a row or an image. It rejects row if there is
// none.
func (r columnRoles) idOrReject(row *Row, get func(column string) cell, name, missing string) string {
	c := get(name)
	if c.Null && row.Reject == "" && r.columns != nil {
		row.reject(missing, "%s", r.describeMissing(name))
		return ""
	}
	return idOrReject(row, c, name, missing)
}

// idOrReject returns a cell that identifies a row or an image as text. It rejects row if the cell
// is neither text nor an integer.
func idOrReject(row *Row, c cell, name, missing string) string {
	switch {
	case row.Reject != "":
	case c.Null || c.kind == textCell && c.Text == "":
		row.reject(missing, "%s is missing, null or empty", name)
	case c.kind == otherCell:
		row.reject(RejectWrongType, "%s is neither text nor a whole number: %s", name, clip(c.String(), maxDetail/2))
	}
	if c.kind == otherCell {
		return ""
	}
	return c.id()
}
