package sources

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"capgraph/store"
)

// maxReason bounds the text about one format, in bytes.
const maxReason = 120

// rowsTried is how many rows of a file are read to see whether a format fits it.
const rowsTried = 100

// Found is the result of Recognise: how to read the path, the files that this finds, and the
// caption of one of the first rows as an example.
type Found struct {
	Options Options
	Files   []File
	Caption string
}

// UnknownError is the error of paths that no format fits, with the reason for each format.
type UnknownError struct {
	Path    string
	misfits []misfit
}

// misfit is a reason and the formats that it excludes.
type misfit struct {
	formats []string
	text    string
}

func (e *UnknownError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: is in none of the forms that are read:", e.Path)
	for _, w := range e.misfits {
		fmt.Fprintf(&b, "\n  %s: %s", strings.Join(w.formats, ", "), w.text)
	}
	return b.String()
}

// ExitCode returns 2, the code of a usage error.
func (e *UnknownError) ExitCode() int { return 2 }

func (e *UnknownError) addMisfit(format, text string) {
	for i := range e.misfits {
		if e.misfits[i].text == text {
			e.misfits[i].formats = append(e.misfits[i].formats, format)
			return
		}
	}
	e.misfits = append(e.misfits, misfit{[]string{format}, text})
}

// Recognise finds the format and the columns of files, folders or globs. Each format reads the
// first rows, most of which must be captions. A format that finds graphs wins, then the one that
// finds most captions with words, then the first in the table. The error is an *UnknownError if
// none fits.
func Recognise(ctx context.Context, s store.Store, names ...string) (Found, error) {
	sets, err := candidatePaths(s, names)
	if err != nil {
		return Found{}, err
	}
	unknown, cut := &UnknownError{Path: strings.Join(names, ", ")}, error(nil)
	told := min(1, len(sets)-1) // why a folder is no file says less than why its files are not read
	for i, paths := range sets {
		var best *formatTrial
		for _, f := range Formats() {
			t, err := f.tryPaths(ctx, s, paths)
			switch {
			case err == nil && t.isBetter(best):
				best = t
			case err == nil:
			case ctx.Err() != nil:
				return Found{}, ctx.Err()
			case store.IsEnvironmentError(err), errors.Is(err, fs.ErrPermission), errors.Is(err, errNoBytes):
				return Found{}, err
			case i == told:
				if cut == nil && errors.Is(err, io.ErrUnexpectedEOF) {
					cut = err
				}
				unknown.addMisfit(f.Name, shortReason(err))
			}
		}
		if best != nil {
			return best.Found, nil
		}
	}
	if cut != nil {
		return Found{}, cut
	}
	return Found{}, unknown
}

// candidatePaths returns the lists of paths that names may mean. For one folder these are the
// folder itself, and then its files by extension.
func candidatePaths(s store.Store, names []string) ([][]string, error) {
	folder := false
	for _, name := range names {
		infos, err := newRealNames(s).resolvePath(name, nil)
		if err != nil {
			return nil, err
		}
		folder = len(infos) == 1 && infos[0].Dir
	}
	if !folder || len(names) > 1 {
		return [][]string{names}, nil
	}
	globs, below, err := globsByExtension(s, names[0])
	if err == nil && len(below) == 1 {
		var more []string
		more, _, err = globsByExtension(s, below[0])
		globs = append(globs, more...)
	}
	switch {
	case err != nil:
		return nil, err
	case len(globs) == 0 && len(below) == 0:
		return nil, fmt.Errorf("%s: is a folder without files that could hold captions", names[0])
	case len(globs) == 0:
		return nil, fmt.Errorf("%s: has no files that could hold captions (name one of its folders: %s)", names[0], clip(strings.Join(below, ", "), maxDetail))
	}
	sets := [][]string{names}
	for _, glob := range globs {
		sets = append(sets, []string{glob})
	}
	return sets, nil
}

// shortReason returns err in short, without the name of the file, which is told once.
func shortReason(err error) string {
	if f, ok := errors.AsType[*FileError](err); ok {
		short := *f
		short.Path, short.Offset, short.Remedy = "", -1, ""
		return clip(escapeControls(strings.TrimPrefix(short.Error(), ": ")), maxReason)
	}
	return clip(escapeControls(err.Error()), maxReason)
}

// globsByExtension returns globs of the files of a folder by their extensions, the most frequent
// first, and the folders in it.
func globsByExtension(s store.Store, dir string) (globs, below []string, err error) {
	infos, err := s.List(dir)
	if err != nil {
		return nil, nil, err
	}
	files := map[string]int{}
	for _, info := range infos {
		base := path.Base(info.Name)
		end := fullExtension(base)
		switch {
		case base[0] == '.' || base[0] == '_' || info.Special:
		case info.Dir:
			below = append(below, info.Name)
		case end != "":
			if files[end]++; files[end] == 1 {
				globs = append(globs, end)
			}
		}
	}
	slices.SortStableFunc(globs, func(a, b string) int { return files[b] - files[a] })
	for i, end := range globs {
		globs[i] = strings.TrimSuffix(dir, "/") + "/*" + end
	}
	return globs, below, nil
}

// fullExtension returns the extension of a name, including that of compression: ".tsv.gz".
func fullExtension(base string) string {
	inner := base
	for _, packed := range []string{".gz", ".zst"} {
		inner = strings.TrimSuffix(inner, packed)
	}
	if i := strings.LastIndexByte(inner, '.'); i > 0 {
		return base[i:]
	}
	return base[len(inner):]
}

// formatTrial is what a format makes of a path: whether it finds graphs, and how many of the first
// rows have words.
type formatTrial struct {
	Found
	graphs bool
	words  int
}

// isBetter reports whether t wins over another trial, which may be nil.
func (t *formatTrial) isBetter(than *formatTrial) bool {
	switch {
	case than == nil:
		return true
	case t.graphs != than.graphs:
		return t.graphs
	case than.Options.Format == "img2dataset" && t.Options.Format == "webdataset":
		return false // the same captions, and sidecars have more columns
	}
	return t.words > than.words
}

// errNoBytes is the error of files without content.
var errNoBytes = errors.New("is empty: there is nothing to look into")

// tryPaths reads the first rows of the files that a path names. If the columns of the format have
// any names, it looks for the caption among them.
func (f Format) tryPaths(ctx context.Context, s store.Store, paths []string) (*formatTrial, error) {
	opts := Options{Format: f.Name, Paths: paths}
	files, err := Expand(s, opts)
	if err != nil {
		return nil, cmp.Or(errors.Unwrap(err), err) // without the key
	}
	at := slices.IndexFunc(files, func(file File) bool { return file.Size > 0 })
	if at < 0 {
		if f.listFiles != nil {
			at = 0 // perhaps it is not there, which opening it says
		} else {
			return nil, fmt.Errorf("%s: %w", files[0].Path, errNoBytes)
		}
	}
	t := &formatTrial{Found: Found{Options: opts, Files: files}}
	err = t.readRows(ctx, s, files[at])
	if f.listColumns == nil {
		return t, err
	}
	in := &input{ctx: ctx, store: s, file: files[at], opts: opts}
	var names []string
	if (&checkedReader{in: in}).catchPanic(func() (err error) { names, err = f.listColumns(in); return err }) != nil {
		return t, err
	}
	if err == nil {
		t.setPublished(ctx, s, files[at], names)
		return t, nil
	}
	var best *formatTrial
	for _, caption := range likelyColumns(names, captionNames, true) {
		c := &formatTrial{Found: t.Found}
		c.Options.Columns = map[string]string{Caption: caption}
		if c.readRows(ctx, s, files[at]) == nil && c.isBetter(best) {
			best = c
		}
	}
	if best == nil {
		return nil, err
	}
	best.setImage(ctx, s, files[at], names)
	return best, nil
}

// setPublished names the columns of a published corpus that were read, if one of them is the
// caption.
func (t *formatTrial) setPublished(ctx context.Context, s store.Store, file File, names []string) {
	for _, p := range publishedCorpora {
		if len(p.captions) == 1 && slices.Contains(names, p.captions[0]) && !slices.Contains(names, Caption) {
			t.Options.Columns = map[string]string{Caption: p.captions[0]}
			t.setImage(ctx, s, file, names)
			return
		}
	}
}

// setImage names the column that likely holds the image, if no reader guesses it.
func (t *formatTrial) setImage(ctx context.Context, s store.Store, file File, names []string) {
	images := likelyColumns(names, imageNames, false)
	if len(images) == 0 || slices.ContainsFunc(imageColumns, func(n string) bool { return slices.Contains(names, n) }) {
		return
	}
	before := *t
	t.Options.Columns[Image] = images[0]
	if t.readRows(ctx, s, file) != nil {
		delete(t.Options.Columns, Image)
		t.Caption, t.graphs, t.words = before.Caption, before.graphs, before.words
	}
}

// Usual names of the columns of captions and images, the likeliest first. Case does not matter.
var (
	captionNames = []string{Caption, "text", "alt_text", "alttext", "alt", "title", "description", "sentence", "captions"}
	imageNames   = []string{"url", "image_url", "image", "image_path", "img", "file_name", "filename", "filepath"}
)

// maxColumnsTried bounds the columns that are tried.
const maxColumnsTried = 64

// likelyColumns returns the names that are in known, in its order. If rest is set the others
// follow.
func likelyColumns(names, known []string, rest bool) []string {
	var all []string
	for _, k := range known {
		for _, n := range names {
			if strings.EqualFold(n, k) {
				all = append(all, n)
			}
		}
	}
	for _, n := range names {
		if rest && !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	return all[:min(len(all), maxColumnsTried)]
}

// readRows reads the first rows of a file. The error says why they are not captions.
func (t *formatTrial) readRows(ctx context.Context, s store.Store, file File) error {
	r, err := Scan(ctx, s, file, t.Options)
	if err != nil {
		return err
	}
	defer r.Close()
	var row Row
	rows, good, detail := 0, 0, ""
	t.Caption, t.graphs, t.words = "", false, 0
	for ; rows < rowsTried; rows++ {
		if err = r.Next(&row); err != nil {
			break
		}
		if row.Reject != "" || isName(row.Caption) {
			detail = cmp.Or(detail, row.Detail, fmt.Sprintf("%q is no caption", clip(row.Caption, maxDetail/2)))
			continue
		}
		if good++; good == 1 {
			t.Caption, t.graphs = strings.Clone(row.Caption), row.Graph != nil
		}
		if hasWords(row.Caption) {
			t.words++
		}
	}
	switch {
	case 2*good > rows:
		return nil
	case err != nil && !errors.Is(err, io.EOF):
		return err
	case rows == 0:
		return errors.New("has no rows")
	}
	return errors.New(detail)
}

// isName reports whether a caption is empty or begins with a URL.
func isName(caption string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(caption), " ")
	return first == "" || strings.Contains(first, "://")
}

// hasWords reports whether a caption is words and not a name or a number: it contains a space, or
// letters of a script that may have none.
func hasWords(caption string) bool {
	return strings.ContainsFunc(strings.TrimSpace(caption), func(r rune) bool { return r == ' ' || r >= '\u0e00' })
}
