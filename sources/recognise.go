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

// maxReason bounds what is said of one format, in bytes.
const maxReason = 120

// looked is how many rows of a file are read to see whether a format fits it.
const looked = 100

// Found is what Recognise found: how the path is read, and an example of what
// it holds. Files are those that Options lead to; Caption is one of the first.
type Found struct {
	Options Options
	Files   []File
	Caption string
}

// UnknownError says that no format fits what a path leads to, and for each why.
type UnknownError struct {
	Path string
	whys []why
}

// why is a reason and the formats that do not fit for it.
type why struct {
	formats []string
	text    string
}

func (e *UnknownError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: is in none of the forms that are read:", e.Path)
	for _, w := range e.whys {
		fmt.Fprintf(&b, "\n  %s: %s", strings.Join(w.formats, ", "), w.text)
	}
	return b.String()
}

// ExitCode says that what was named was wrong.
func (e *UnknownError) ExitCode() int { return 2 }

func (e *UnknownError) add(format, text string) {
	for i := range e.whys {
		if e.whys[i].text == text {
			e.whys[i].formats = append(e.whys[i].formats, format)
			return
		}
	}
	e.whys = append(e.whys, why{[]string{format}, text})
}

// Recognise finds the format and the columns of what names lead to: files, folders or
// globs. Each format reads the first rows, of which most have to be captions: one
// that finds graphs is taken first, then the one that finds most words, then the first
// in the table. The error is an *UnknownError where none fits.
func Recognise(ctx context.Context, s store.Store, names ...string) (Found, error) {
	sets, err := candidates(s, names)
	if err != nil {
		return Found{}, err
	}
	unknown, cut := &UnknownError{Path: strings.Join(names, ", ")}, error(nil)
	told := min(1, len(sets)-1) // why a folder is no file says less than why its files are not read
	for i, paths := range sets {
		var best *trial
		for _, f := range Formats() {
			t, err := f.try(ctx, s, paths)
			switch {
			case err == nil && t.better(best):
				best = t
			case err == nil:
			case ctx.Err() != nil:
				return Found{}, ctx.Err()
			case store.OfMachine(err), errors.Is(err, fs.ErrPermission), errors.Is(err, errNothing):
				return Found{}, err
			case i == told:
				if cut == nil && errors.Is(err, io.ErrUnexpectedEOF) {
					cut = err
				}
				unknown.add(f.Name, reason(err))
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

// candidates are the lists of paths that may be meant by names: where that is one
// folder, the folder, and then its files by the ends of their names.
func candidates(s store.Store, names []string) ([][]string, error) {
	folder := false
	for _, name := range names {
		infos, err := newReals(s).named(name, nil)
		if err != nil {
			return nil, err
		}
		folder = len(infos) == 1 && infos[0].Dir
	}
	if !folder || len(names) > 1 {
		return [][]string{names}, nil
	}
	globs, below, err := globsOf(s, names[0])
	if err == nil && len(below) == 1 {
		var more []string
		more, _, err = globsOf(s, below[0])
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

// reason is err in short, without the name of the file, which is told once.
func reason(err error) string {
	if f, ok := errors.AsType[*FileError](err); ok {
		short := *f
		short.Path, short.Offset, short.Remedy = "", -1, ""
		return clip(printable(strings.TrimPrefix(short.Error(), ": ")), maxReason)
	}
	return clip(printable(err.Error()), maxReason)
}

// globsOf are globs of the files of a folder, by the ends of their names, the most
// frequent first, and the folders in it.
func globsOf(s store.Store, dir string) (globs, below []string, err error) {
	infos, err := s.List(dir)
	if err != nil {
		return nil, nil, err
	}
	files := map[string]int{}
	for _, info := range infos {
		base := path.Base(info.Name)
		end := endOf(base)
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

// endOf is the extension of a name, with what stands before that of compression.
func endOf(base string) string {
	inner := base
	for _, packed := range []string{".gz", ".zst"} {
		inner = strings.TrimSuffix(inner, packed)
	}
	if i := strings.LastIndexByte(inner, '.'); i > 0 {
		return base[i:]
	}
	return base[len(inner):]
}

// trial is what a format makes of a path: whether it finds graphs, and in how many
// of the first rows words.
type trial struct {
	Found
	graphs bool
	words  int
}

// better says which of two trials is taken; there may be no other.
func (t *trial) better(than *trial) bool {
	switch {
	case than == nil:
		return true
	case t.graphs != than.graphs:
		return t.graphs
	case than.Options.Format == "img2dataset" && t.Options.Format == "webdataset":
		return false // the same captions, of which the sidecars say more
	}
	return t.words > than.words
}

// errNothing is that of files that hold no byte.
var errNothing = errors.New("is empty: there is nothing to look into")

// try reads the first rows of what a path leads to. Where the format has columns
// of any names, the caption is looked for among them.
func (f Format) try(ctx context.Context, s store.Store, paths []string) (*trial, error) {
	opts := Options{Format: f.Name, Paths: paths}
	files, err := Expand(s, opts)
	if err != nil {
		return nil, cmp.Or(errors.Unwrap(err), err) // without the key
	}
	at := slices.IndexFunc(files, func(file File) bool { return file.Size > 0 })
	if at < 0 {
		if f.files != nil {
			at = 0 // perhaps it is not there, which opening it says
		} else {
			return nil, fmt.Errorf("%s: %w", files[0].Path, errNothing)
		}
	}
	t := &trial{Found: Found{Options: opts, Files: files}}
	err = t.read(ctx, s, files[at])
	if f.columns == nil {
		return t, err
	}
	in := &input{ctx: ctx, store: s, file: files[at], opts: opts}
	var names []string
	if (&reader{in: in}).guard(func() (err error) { names, err = f.columns(in); return err }) != nil {
		return t, err
	}
	if err == nil {
		t.setPublished(ctx, s, files[at], names)
		return t, nil
	}
	var best *trial
	for _, caption := range likely(names, captionNames, true) {
		c := &trial{Found: t.Found}
		c.Options.Columns = map[string]string{Caption: caption}
		if c.read(ctx, s, files[at]) == nil && c.better(best) {
			best = c
		}
	}
	if best == nil {
		return nil, err
	}
	best.setImage(ctx, s, files[at], names)
	return best, nil
}

// setPublished names the columns of a published corpus that were read, where one of
// them is the caption.
func (t *trial) setPublished(ctx context.Context, s store.Store, file File, names []string) {
	for _, p := range publishedColumns {
		if len(p.captions) == 1 && slices.Contains(names, p.captions[0]) && !slices.Contains(names, Caption) {
			t.Options.Columns = map[string]string{Caption: p.captions[0]}
			t.setImage(ctx, s, file, names)
			return
		}
	}
}

// setImage names the column that the image is likely in, where no reader guesses it.
func (t *trial) setImage(ctx context.Context, s store.Store, file File, names []string) {
	images := likely(names, imageNames, false)
	if len(images) == 0 || slices.ContainsFunc(guessedImages, func(n string) bool { return slices.Contains(names, n) }) {
		return
	}
	before := *t
	t.Options.Columns[Image] = images[0]
	if t.read(ctx, s, file) != nil {
		delete(t.Options.Columns, Image)
		t.Caption, t.graphs, t.words = before.Caption, before.graphs, before.words
	}
}

// What columns of captions and images are called, the likeliest first; case does
// not matter.
var (
	captionNames = []string{Caption, "text", "alt_text", "alttext", "alt", "title", "description", "sentence", "captions"}
	imageNames   = []string{"url", "image_url", "image", "image_path", "img", "file_name", "filename", "filepath"}
)

// mostColumns bounds the columns that are looked into.
const mostColumns = 64

// likely are the names that are among known, in its order, and the others after
// them where rest is set.
func likely(names, known []string, rest bool) []string {
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
	return all[:min(len(all), mostColumns)]
}

// read reads the first rows of a file; an error says why they are no captions.
func (t *trial) read(ctx context.Context, s store.Store, file File) error {
	r, err := Scan(ctx, s, file, t.Options)
	if err != nil {
		return err
	}
	defer r.Close()
	var row Row
	rows, good, detail := 0, 0, ""
	t.Caption, t.graphs, t.words = "", false, 0
	for ; rows < looked; rows++ {
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
		if wordy(row.Caption) {
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

// isName tells a URL, or nothing, from a caption.
func isName(caption string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(caption), " ")
	return first == "" || strings.Contains(first, "://")
}

// wordy tells words from a name or a number: there is a space between them, or the
// script is one that may have none.
func wordy(caption string) bool {
	return strings.ContainsFunc(strings.TrimSpace(caption), func(r rune) bool { return r == ' ' || r >= '\u0e00' })
}
