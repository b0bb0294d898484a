package sources

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

const (
	plainForm cellForm = iota // one
	autoForm                  // of the text beside an image: LinesAuto
	eachForm                  // LinesEach
	oneForm                   // LinesOne
)

// columnRoles says which columns play which role, in a format whose columns have any names. An
// empty name means that no column does.
type columnRoles struct {
	// captions are the columns of the captions, usually one.
	captions             []string
	image, key, imageKey string
	phrases              string
	// guessCaption is set if no column is named for the captions, so that usual ones are tried: see
	// captionsOf.
	guessCaption bool
	// guessImage is set if the image may be in one of imageColumns.
	guessImage bool
	// lists is set if a record may have several captions.
	lists bool
	// readSame is set if sameImageColumns are read.
	readSame bool
	keep     []string
	where    []condition
	// partitions are columns that the folders of the file give.
	partitions []partition
	// member is the extension of the text beside an image that is the caption.
	member string
	// form says how the texts of cells are divided: plainForm or eachForm.
	form cellForm
	// columns returns the columns of the current record, for messages; it may be nil.
	columns func() []string
}

// imageColumns are the columns that may hold the image if none is named; the first that a row has is
// used. Before moreImageColumns comes the column of a published corpus. An image of Hugging Face's
// datasets is a struct, whose path is its name.
var (
	imageColumns     = []string{"image", structImage, "url"}
	moreImageColumns = []string{"image_path", "img_path", "image_file", "file_name", "filename", "filepath", "image_name", "image_url", "img", "image_id", "img_id", "file_path"}
	// weakImageColumns are the image only if they hold the name of one.
	weakImageColumns = []string{"path", "file", "relpath", "jpg", "jpg.path", "jpeg", "png", "webp", "jpeg.path", "png.path", "webp.path", "images", "filenames", "file_names", "urls", "paths", "files", "images.path", "images.0", "image.0", "images.0.path"}
)

// structImage and structBytes are the fields of a struct of datasets.
const (
	structImage = "image.path"
	structBytes = "image.bytes"
)

// listColumn is a usual name of a column with several captions; seriesColumns are names of a series of columns.
const listColumn = "captions"

var seriesColumns = func() (names []string) {
	for i := range 10 {
		names = append(names, fmt.Sprintf("%s_%d", Caption, i))
	}
	return names
}()

// splitColumn names the part of a corpus that a row is of, such as test.
const splitColumn = "split"

// sameImageColumns are columns that identify an image, whichever column plays the role of the
// image.
var sameImageColumns = []string{"url", "sha256", "uid"}

// captionColumns returns the columns of the captions: those that are named, else caption.
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
		guessCaption: len(in.opts.Columns[Caption]) == 0, // who names columns knows them
		lists:        true,
		readSame:     true,
		keep:         in.opts.Keep,
		where:        in.where,
		partitions:   partitionsOf(in.file.Path),
	}
}

// columnRole is a column to read, its role, if any, and whether it is required.
type columnRole struct {
	name, role string
	required   bool
}

// allColumns lists the columns to read, each once.
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

// fillRow sets row from its cells. If there are several captions, they are row.captions.
func (r columnRoles) fillRow(row *Row, get func(column string) cell) {
	get = reachInto(withPartitions(get, r.partitions))
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
			row.reject(RejectMalformedPhrases, "%s", r.describeMissing(r.phrases)) // a null is one that says so
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

// setCaption sets the caption of row, or rejects row if c is none.
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

// jsonFields reports whether a text is a JSON or Python object or list, and returns the fields of an
// object.
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

// describeFields says how a field of a caption that is JSON is named.
func (r columnRoles) describeFields(fields []string) string {
	if len(fields) == 0 {
		return ""
	}
	name := cmp.Or(r.member, r.captions[0])
	return fmt.Sprintf(" with the fields %s: name one, source.columns: {caption: %s.%s}",
		clip(strings.Join(fields, ", "), maxDetail/3), clip(name, maxDetail/8), clip(fields[0], maxDetail/8))
}

// describeMissing says that a column is missing, and which there are.
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

// captionsOf returns the captions of a record, at least one, which is null if there is none. If no
// column is named, these are tried after the column caption: caption_0 to caption_9, the columns of
// a published corpus, which is returned too, and a list in the column captions.
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

// captionsIn returns the captions in columns, at least one, which is null if there is none.
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

// imageOf returns the image. published is the image column of a published corpus.
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

// isImageName reports whether a text is a URL, or the name of an image.
func isImageName(s string) bool {
	_, extension, _ := cutLast(trimCaptionNumber(s), ".")
	return strings.Contains(s, "://") || slices.Contains(imageExtensions, strings.ToLower(extension))
}

// idOrReject returns the cell of a column that identifies a row or an image, or rejects row.
func (r columnRoles) idOrReject(row *Row, get func(column string) cell, name, missing string) string {
	c := get(name)
	if c.Null && row.Reject == "" && r.columns != nil {
		row.reject(missing, "%s", r.describeMissing(name))
		return ""
	}
	return idOrReject(row, c, name, missing)
}

// idOrReject returns a cell that identifies a row or an image: text or a whole number. It rejects
// row if the cell is neither.
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
