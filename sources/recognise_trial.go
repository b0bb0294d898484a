package sources

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"capgraph/store"
)

// rowsTried is how many rows of a file are read to decide whether a format fits.
const rowsTried = 100

// maxHeader is the greatest number of header lines, such as a comment and column names.
const maxHeader = 3

// formatTrial is the result of reading the first rows of a file in one format. file is that file,
// columns are its columns, and graphs is set if it has graphs.
type formatTrial struct {
	Found
	file    string
	columns []string
	graphs  bool
	// good is how many of the first rows are captions. words is how many of these have several words.
	good, words int
	// named is how many of the first rows have an image that looks like a name or a number.
	named int
	// pictures is how many have an image with an image's extension or a URL. rows is how many were
	// read.
	pictures, rows int
	// header is set if only the first rows, at most maxHeader, lack an image that looks like a name.
	header bool
}

// isBetter reports whether t is preferred to another trial, which may be nil.
func (t *formatTrial) isBetter(than *formatTrial) bool {
	switch {
	case than == nil:
		return true
	case t.graphs != than.graphs:
		return t.graphs
	case t.Options.Format == "json" && than.Options.Format == "jsonl" && strings.Contains(path.Base(than.file), ".jsonl"):
		return false // a file .jsonl of one line is a row, and not a document
	case t.Options.Format == "csv" && than.Options.Format == "tsv" && t.words == than.words && path.Ext(than.file) == ".csv":
		return true // of one column
	case t.words > 0 && than.words > 0 && t.depth() != than.depth():
		return t.depth() < than.depth()
	case than.Options.Format == "img2dataset" && (t.Options.Format == "webdataset" || t.Options.Format == "folder"):
		return false // the captions are the same, but sidecars have more columns
	}
	return t.words > than.words
}

// depth returns how deep the captions are nested in their column.
func (t *formatTrial) depth() int {
	if captions := t.Options.Columns[Caption]; len(captions) > 0 {
		return strings.Count(captions[0], ".")
	}
	return 0
}

// errNoBytes is returned if all files are empty.
var errNoBytes = errors.New("is empty: there is nothing to look into")

// errNoRows is returned for a file that has the form of a format but no rows.
var errNoRows = errors.New("has no rows")

// errNoFile is returned if there is no further file to try.
var errNoFile = errors.New("there is no further file")

// tryPaths reads the first rows of a file: of the non-empty files that paths name, the one after
// the first skip. If the format has columns of any names, it looks for the caption among them.
func (f Format) tryPaths(ctx context.Context, s store.Store, paths []string, skip int) (*formatTrial, error) {
	opts := Options{Format: f.Name, Paths: paths}
	files, err := Expand(s, opts)
	if err != nil {
		return nil, cmp.Or(errors.Unwrap(err), err) // without the key
	}
	file, err := f.nthFile(files, skip)
	if err != nil {
		return nil, err
	}
	in := &input{ctx: ctx, store: s, file: file, opts: opts}
	switch {
	case f.isText:
		opts.Encoding = in.sniffEncoding()
	case f.isSample:
		opts.Encoding = in.sniffMemberEncoding()
	}
	in.opts = opts
	t := &formatTrial{Found: Found{Options: opts, Files: files}, file: file.Path}
	err = t.readRows(ctx, s, file)
	if err == nil && t.header && f.Fields != nil {
		err = errors.New("the first line is a header")
	}
	if f.listColumns != nil {
		unlisted := (&checkedReader{in: in}).catchPanic(func() (err error) { t.columns, err = f.listColumns(in); return err })
		if errors.Is(unlisted, errOneDocument) {
			return nil, unlisted
		}
		if unlisted != nil {
			return t, err
		}
	}
	if m := t.tryModelCaptions(ctx, s, file); m != nil {
		return m, nil
	}
	if err == nil && f.isSample {
		return t.preferSentences(ctx, s, file), nil
	}
	if f.listColumns == nil {
		return t, err
	}
	if err == nil {
		t.setPublishedColumns(ctx, s, file)
		return t, nil
	}
	best := t.tryCaptions(ctx, s, file)
	if best == nil {
		return nil, err
	}
	if !f.isSample {
		best.setImageColumn(ctx, s, file)
	}
	return best, nil
}

// nthFile returns the file after the first skip non-empty ones.
func (f Format) nthFile(files []File, skip int) (File, error) {
	left := skip
	for _, file := range files {
		if file.Size > 0 || f.listFiles != nil { // a missing file becomes an error when it is opened
			if left == 0 {
				return file, nil
			}
			left--
		}
	}
	if skip == 0 && !slices.ContainsFunc(files, func(file File) bool { return file.Size > 0 }) {
		return File{}, fmt.Errorf("%s: %w", files[0].Path, errNoBytes)
	}
	return File{}, errNoFile
}

// tryCaptions returns the best trial with a column that may have the captions; nil if there is none.
func (t *formatTrial) tryCaptions(ctx context.Context, s store.Store, file File) (best *formatTrial) {
	for _, tier := range likelyCaptions(t.columns) {
		for _, captions := range tier {
			c := &formatTrial{Found: t.Found, file: t.file, columns: t.columns}
			c.Options.Columns = map[string][]string{Caption: captions}
			usual := isUsual(captions[0], captionNames) || len(captions) > 1
			if c.readRows(ctx, s, file) == nil && (usual || 2*c.words > c.good) && c.isBetter(best) {
				best = c
			}
		}
		if best != nil {
			return best
		}
	}
	return nil
}

// preferSentences returns t unless most of its captions are lists of tags and another column with a usual
// name has sentences: then it returns a trial with that column, such as the field caption of a .json
// beside a .txt of tags.
func (t *formatTrial) preferSentences(ctx context.Context, s store.Store, file File) *formatTrial {
	if 2*t.Texts.Tags <= t.Texts.Captions {
		return t
	}
	for _, name := range likelyColumns(t.columns, captionNames) {
		c := &formatTrial{Found: t.Found, file: t.file, columns: t.columns}
		c.Options.Columns = map[string][]string{Caption: {name}}
		if name != memberCaption && c.readRows(ctx, s, file) == nil && 2*c.words > c.good && 2*c.Texts.Tags <= c.Texts.Captions {
			return c
		}
	}
	return t
}

// readRows reads the first rows of a file and sets what they show. If most of them are not captions, the
// error says why.
func (t *formatTrial) readRows(ctx context.Context, s store.Store, file File) error {
	r, err := Scan(ctx, s, file, t.Options)
	if err != nil {
		return err
	}
	defer r.Close()
	var row Row
	rows, detail := 0, ""
	before := 0 // number of rows before the first whose image looks like a name
	t.Caption, t.graphs, t.words, t.good, t.HasImages, t.Splits, t.header = "", false, 0, 0, false, nil, false
	t.named, t.pictures, t.Texts, t.Lengths = 0, 0, TextCounts{}, Lengths{}
	for ; rows < rowsTried; rows++ {
		if err = r.Next(&row); err != nil {
			break
		}
		t.HasImages = t.HasImages || row.Image != "" || row.ImageKey != row.Key
		if isImageName(row.Image) {
			t.pictures++
		}
		if row.Image != "" && isNameOrNumber(row.Image) {
			if t.named++; t.named == 1 {
				before = rows
			}
		}
		if row.Reject != "" || isNameOrNumber(row.Caption) {
			detail = cmp.Or(detail, row.Detail, fmt.Sprintf("%q is no caption", clip(row.Caption, maxDetail/2)))
			continue
		}
		t.Lengths.add(row.Caption)
		if t.good++; t.good == 1 {
			t.Caption, t.graphs = strings.Clone(row.Caption), row.Graph != nil || row.HasPhrases
		}
		t.Texts.addRow(&row)
		if hasWords(row.Caption) {
			t.words++
		}
		if row.Split != "" {
			t.Splits = map[string]int{row.Split: 1}
		}
	}
	t.header = before > 0 && before <= maxHeader && t.named == rows-before
	good := t.good
	t.rows = rows
	switch {
	case 2*good > rows:
		return nil
	case err != nil && !errors.Is(err, io.EOF):
		return err
	case rows == 0:
		return errNoRows
	}
	return errors.New(detail)
}

// isNameOrNumber reports whether a text cannot be a caption: it is empty, a URL, a file name or a number.
func isNameOrNumber(caption string) bool {
	caption = strings.TrimSpace(caption)
	first, _, more := strings.Cut(caption, " ")
	if first == "" || strings.Contains(first, "://") {
		return true
	}
	_, extension, _ := cutLast(trimCaptionNumber(caption), ".")
	return !more && (slices.Contains(imageExtensions, strings.ToLower(extension)) || strings.Trim(first, "0123456789.-") == "")
}

// hasWords reports whether a caption has several words: it contains a space, or letters of a script
// that may have no spaces.
func hasWords(caption string) bool {
	return strings.ContainsFunc(strings.TrimSpace(caption), func(r rune) bool { return r == ' ' || r >= '\u0e00' })
}
