package sources

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"capgraph/internal/text"
	"capgraph/store"
)

// maxReason bounds the text about one format, in bytes.
const maxReason = 120

// rowsTried is how many rows of a file are read to see whether a format fits it.
const rowsTried = 100

// Found is the result of Recognise: how to read the paths, and what was taken for what.
type Found struct {
	Options Options
	Files   []File
	// Caption is the caption of one of the first rows, as an example.
	Caption string
	// Roles are what the columns were taken for.
	Roles []FoundRole
	// OtherColumns are the columns that play no role.
	OtherColumns []string
	// HasImages is set if one of the first rows names an image.
	HasImages bool
	// ImageMembers are the extensions of members of tars that may be the image, if none is.
	ImageMembers []string
	// Splits are the parts of the corpus, such as train and test, with the number of their rows.
	Splits map[string]int
	// PassedOver are files that are not read, and why.
	PassedOver []PassedOver
	// Unseen is the number of files that were not looked into, since there are many.
	Unseen int
}

// FoundRole is a role with the columns that seem to play it. Sure is set if their names are usual
// ones.
type FoundRole struct {
	Role    string
	Columns []string
	Sure    bool
}

// PassedOver is a file, or files of a kind, that are not read; or one that is read, and has no
// captions or a fault, if Read is set.
type PassedOver struct {
	Name, Reason string
	Read         bool
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
// first rows of a file, most of which must be captions. A format that finds graphs wins, then the one
// that finds most captions with words, then the first in the table. A file that no format fits is
// passed over, and so is one of another format than the first that fits. The error is an
// *UnknownError if none does.
func Recognise(ctx context.Context, s store.Store, names ...string) (Found, error) {
	sets, bare, err := candidatePaths(s, names)
	if err != nil {
		return Found{}, err
	}
	unknown, cut := &UnknownError{Path: strings.Join(names, ", ")}, error(nil)
	told := min(1, len(sets)-1) // why a folder is no file says less than why its files are not read
	for i, paths := range sets {
		var empty error
		for at := range filesTried {
			var best *formatTrial
			ended := true
			for _, f := range Formats() {
				t, err := f.tryPaths(ctx, s, paths, at)
				switch {
				case err == nil && t.isBetter(best):
					best = t
				case err == nil, errors.Is(err, errNoFile):
					continue
				case ctx.Err() != nil:
					return Found{}, ctx.Err()
				case store.IsEnvironmentError(err), errors.Is(err, fs.ErrPermission):
					return Found{}, err
				case errors.Is(err, errNoBytes):
					empty = err
					continue
				case errors.Is(err, errNoRows) && at == 0 && len(sets) == 1:
					bare = cmp.Or(bare, fmt.Errorf("%s: is %s and has no rows", unknown.Path, f.Name))
				case i == told && at == 0:
					if cut == nil && errors.Is(err, io.ErrUnexpectedEOF) {
						cut = err
					}
					unknown.addMisfit(f.Name, shortReason(err, names...))
				}
				ended = false
			}
			if best != nil {
				if err := best.lookFurther(ctx, s); err != nil {
					return Found{}, err
				}
				for j, other := range sets {
					if j > 0 && j != i {
						best.passSet(ctx, s, other[0])
					}
				}
				return best.Found, nil
			}
			if ended {
				break
			}
		}
		if empty != nil && len(sets) == 1 {
			return Found{}, empty
		}
	}
	if bare != nil {
		return Found{}, bare
	}
	if cut != nil {
		return Found{}, cut
	}
	return Found{}, unknown
}

const (
	// filesTried is how many files are tried until a format fits one.
	filesTried = 16
	// filesChecked is how many files are looked into to see whether they have the same format.
	filesChecked = 256
)

// lookFurther looks into the other files, and counts the splits if there are any.
func (t *formatTrial) lookFurther(ctx context.Context, s store.Store) error {
	f, err := t.Options.formatByName()
	if err != nil {
		return err
	}
	t.describeRoles()
	t.PassedOver = nil
	var fits []string
	step := (len(t.Files) + filesChecked - 1) / filesChecked
	for i, file := range t.Files {
		if i%step != 0 || file.Path == t.file {
			if i%step != 0 {
				t.Unseen++
			}
			fits = append(fits, file.Path)
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		other := &formatTrial{Found: Found{Options: t.Options}}
		err := other.readRows(ctx, s, file)
		if store.IsEnvironmentError(err) {
			return err
		}
		if err == nil {
			t.HasImages = t.HasImages || other.HasImages
			fits = append(fits, file.Path)
			continue
		}
		t.PassedOver = append(t.PassedOver, PassedOver{file.Path, otherFormat(ctx, s, f, file, err), f.listFiles != nil})
	}
	if f.listFiles == nil && len(fits) < len(t.Files) {
		t.Options.Paths = fits
		if t.Files, err = Expand(s, t.Options); err != nil {
			return err
		}
	}
	if t.Options.Format == "webdataset" && !t.HasImages {
		t.findImageMembers(ctx, s)
	}
	if len(t.Splits) > 0 {
		return t.countSplits(ctx, s)
	}
	return nil
}

// findImageMembers finds the members of the first sample that may be its image: 1.jpg of KEY.1.jpg.
func (t *formatTrial) findImageMembers(ctx context.Context, s store.Store) {
	in := &input{ctx: ctx, store: s, file: t.Files[0], opts: t.Options}
	m, err := in.openTar()
	if err != nil {
		return
	}
	defer m.close()
	first, err := m.current()
	for member := first; err == nil && member.key == first.key && len(t.ImageMembers) < maxMembersNamed; member, err = m.current() {
		if isImageMember(member.extension) {
			t.ImageMembers = append(t.ImageMembers, member.extension)
		}
		m.nextMember()
	}
}

// otherFormat returns why a file is passed over: the format that it has, or what is wrong with it.
func otherFormat(ctx context.Context, s store.Store, not Format, file File, err error) string {
	if file.Size == 0 {
		return "is empty"
	}
	if not.listFiles == nil {
		var best *formatTrial
		for _, f := range Formats() {
			if f.listFiles != nil {
				continue
			}
			if t, err := f.tryPaths(ctx, s, []string{file.Path}, 0); err == nil && t.isBetter(best) {
				best = t
			}
		}
		if best != nil && best.Options.Format != not.Name {
			return "looks like " + best.Options.Format + ": it needs a recipe of its own"
		}
		if best != nil {
			return "has other columns: it needs a recipe of its own"
		}
	}
	return shortReason(err)
}

// passSet says that the files of a glob are passed over, but for those that are read or belong to
// those that are.
func (t *formatTrial) passSet(ctx context.Context, s store.Store, glob string) {
	infos, err := newRealNames(s).resolvePath(glob, nil)
	if err != nil {
		t.PassedOver = append(t.PassedOver, PassedOver{Name: glob, Reason: shortReason(err)})
		return
	}
	read := map[string]bool{}
	for _, f := range t.Files {
		read[f.Path] = true
		for _, m := range f.members {
			read[m.Name] = true
		}
		if stem := trimExtension(f.Path); t.Options.Format == "img2dataset" {
			read[stem], read[stem+extTar], read[stem+"_stats.json"] = true, true, true
		}
	}
	var left []string
	for _, i := range infos {
		if !read[i.Name] && !read[store.Dir(i.Name)] {
			left = append(left, i.Name)
		}
	}
	if len(left) == 0 {
		return
	}
	p := PassedOver{Name: glob, Reason: text.Counted(len(left), "file", "files")}
	var best *formatTrial
	for _, f := range Formats() {
		if t, err := f.tryPaths(ctx, s, left[:1], 0); err == nil && t.isBetter(best) {
			best = t
		}
	}
	if best != nil {
		p.Reason += " of format " + best.Options.Format + ", with a recipe of their own"
	}
	t.PassedOver = append(t.PassedOver, p)
}

// maxSplitRows bounds the rows that are read to count splits.
const maxSplitRows = 5_000_000

// countSplits counts the rows of each split.
func (t *formatTrial) countSplits(ctx context.Context, s store.Store) error {
	t.Splits = map[string]int{}
	n := 0
	for _, file := range t.Files {
		r, err := Scan(ctx, s, file, t.Options)
		for row := (Row{}); err == nil && n < maxSplitRows; n++ {
			if n%1024 == 0 && ctx.Err() != nil {
				err = ctx.Err()
				break
			}
			if err = r.Next(&row); err != nil {
				break
			}
			if row.Split != "" && row.Reject == "" {
				t.Splits[row.Split]++
			}
		}
		if r != nil {
			r.Close()
		}
		switch {
		case ctx.Err() != nil, store.IsEnvironmentError(err):
			return err
		case err != nil && !errors.Is(err, io.EOF):
			t.PassedOver = append(t.PassedOver, PassedOver{file.Path, shortReason(err), true})
		}
	}
	return nil
}

// describeRoles says what the columns were taken for, in a format whose columns have any names.
func (t *formatTrial) describeRoles() {
	if len(t.columns) == 0 {
		return
	}
	has := func(name string) bool { return slices.Contains(t.columns, name) }
	captions := t.Options.Columns[Caption]
	if len(captions) == 0 {
		for _, names := range [][]string{{Caption}, seriesColumns, {listColumn}} {
			if captions = intersect(names, t.columns); len(captions) > 0 {
				break
			}
		}
		for _, p := range publishedCorpora {
			if len(captions) == 0 && has(p.captions[0]) {
				captions = intersect(p.captions, t.columns)
			}
		}
	}
	sure := func(names, known []string) bool {
		return !slices.ContainsFunc(names, func(n string) bool { return !isUsual(n, known) })
	}
	t.Roles = append(t.Roles, FoundRole{Caption, captions, t.Options.Columns[Caption] == nil || sure(captions, captionNames)})
	image := t.Options.Columns[Image]
	if image == nil {
		for _, names := range [][]string{imageColumns, allPublishedColumns(), moreImageColumns} {
			for _, n := range intersect(names, t.columns) {
				if image == nil && !slices.Contains(captions, n) && t.HasImages {
					image = []string{n}
				}
			}
		}
	}
	if image != nil {
		t.Roles = append(t.Roles, FoundRole{Image, image, sure(image, append(imageNames, structImage))})
	}
	for _, n := range t.columns {
		if n != "" && !slices.Contains(captions, n) && !slices.Contains(image, n) {
			t.OtherColumns = append(t.OtherColumns, n)
		}
	}
}

// intersect returns the names that are in both lists, in the order of the first.
func intersect(a, b []string) (both []string) {
	for _, n := range a {
		if slices.Contains(b, n) {
			both = append(both, n)
		}
	}
	return both
}

// candidatePaths returns the lists of paths that names may mean. For one folder these are the
// folder itself, and then its files by extension; bare is an error that says that it has none.
func candidatePaths(s store.Store, names []string) (sets [][]string, bare, err error) {
	folder := false
	for _, name := range names {
		infos, err := newRealNames(s).resolvePath(name, nil)
		if err != nil {
			return nil, nil, err
		}
		folder = len(infos) == 1 && infos[0].Dir
	}
	if !folder || len(names) > 1 {
		return [][]string{names}, nil, nil
	}
	globs, below, images, err := globsByExtension(s, names[0])
	if err == nil && len(below) == 1 {
		var more []string
		more, _, images, err = globsByExtension(s, below[0])
		globs = append(globs, more...)
	}
	switch {
	case err != nil:
		return nil, nil, err
	case len(globs) == 0 && len(below) == 0:
		bare = fmt.Errorf("%s: is a folder without files that could hold captions", names[0])
		if images > 0 {
			bare = fmt.Errorf("%w (%s)", bare, text.Counted(images, "image", "images"))
		}
	case len(globs) == 0:
		bare = fmt.Errorf("%s: has no files that could hold captions (name one of its folders: %s)", names[0], clip(strings.Join(below, ", "), maxDetail))
	}
	sets = [][]string{names}
	for _, glob := range globs {
		sets = append(sets, []string{glob})
	}
	return sets, bare, nil
}

// shortReason returns err in short, without the name of the file, which is told once.
func shortReason(err error, names ...string) string {
	if f, ok := errors.AsType[*FileError](err); ok {
		short := *f
		short.Path, short.Offset, short.Remedy = "", -1, ""
		return clip(escapeControls(strings.TrimPrefix(short.Error(), ": ")), maxReason)
	}
	reason := err.Error()
	for _, name := range names {
		reason = strings.TrimPrefix(reason, name+": ")
	}
	return clip(escapeControls(reason), maxReason)
}

// globsByExtension returns globs of the files of a folder by their extensions, the most frequent
// first, and the folders in it. It counts images, which are not among them.
func globsByExtension(s store.Store, dir string) (globs, below []string, images int, err error) {
	infos, err := s.List(dir)
	if err != nil {
		return nil, nil, 0, err
	}
	files := map[string]int{}
	for _, info := range infos {
		base := path.Base(info.Name)
		end := fullExtension(base)
		switch {
		case base[0] == '.' || base[0] == '_' || info.Special:
		case info.Dir:
			below = append(below, info.Name)
		case slices.Contains(imageExtensions, strings.TrimPrefix(strings.ToLower(end), ".")):
			images++
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
	return globs, below, images, nil
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
// rows have words. file is the one that was read, and columns are those of it.
type formatTrial struct {
	Found
	file    string
	columns []string
	graphs  bool
	// good is how many of the first rows are captions, and words how many of these have words.
	good, words int
	// header is set if all rows but the first have an image that is called as one is.
	header bool
}

// isBetter reports whether t wins over another trial, which may be nil.
func (t *formatTrial) isBetter(than *formatTrial) bool {
	switch {
	case than == nil:
		return true
	case t.graphs != than.graphs:
		return t.graphs
	case than.Options.Format == "img2dataset" && (t.Options.Format == "webdataset" || t.Options.Format == "folder"):
		return false // the same captions, and sidecars have more columns
	}
	return t.words > than.words
}

// errNoBytes is the error of files without content.
var errNoBytes = errors.New("is empty: there is nothing to look into")

// errNoRows is the error of a file that has the form of a format, and no rows.
var errNoRows = errors.New("has no rows")

// errNoFile is the error of a format that has no further file to try.
var errNoFile = errors.New("there is no further file")

// tryPaths reads the first rows of a file that a path names, the skip-th that is not empty. If the
// columns of the format have any names, it looks for the caption among them.
func (f Format) tryPaths(ctx context.Context, s store.Store, paths []string, skip int) (*formatTrial, error) {
	opts := Options{Format: f.Name, Paths: paths}
	files, err := Expand(s, opts)
	if err != nil {
		return nil, cmp.Or(errors.Unwrap(err), err) // without the key
	}
	at := -1
	for i, file := range files {
		if file.Size > 0 || f.listFiles != nil { // one that is not there is told by opening it
			if skip == 0 {
				at = i
				break
			}
			skip--
		}
	}
	switch {
	case at < 0 && !slices.ContainsFunc(files, func(file File) bool { return file.Size > 0 }):
		return nil, fmt.Errorf("%s: %w", files[0].Path, errNoBytes)
	case at < 0:
		return nil, errNoFile
	}
	t := &formatTrial{Found: Found{Options: opts, Files: files}, file: files[at].Path}
	err = t.readRows(ctx, s, files[at])
	if err == nil && t.header && f.Fields != nil {
		err = errors.New("the first line is a header")
	}
	if f.listColumns == nil {
		return t, err
	}
	in := &input{ctx: ctx, store: s, file: files[at], opts: opts}
	if (&checkedReader{in: in}).catchPanic(func() (err error) { t.columns, err = f.listColumns(in); return err }) != nil {
		return t, err
	}
	if err == nil {
		t.setPublished(ctx, s, files[at])
		return t, nil
	}
	var best *formatTrial
	for _, captions := range likelyCaptions(t.columns) {
		c := &formatTrial{Found: t.Found, file: t.file, columns: t.columns}
		c.Options.Columns = map[string][]string{Caption: captions}
		usual := isUsual(captions[0], captionNames) || len(captions) > 1
		if c.readRows(ctx, s, files[at]) == nil && (usual || 2*c.words > c.good) && c.isBetter(best) {
			best = c
		}
	}
	if best == nil {
		return nil, err
	}
	best.setImage(ctx, s, files[at])
	return best, nil
}

// setPublished names the columns of a published corpus that were read, if one of them is the
// caption.
func (t *formatTrial) setPublished(ctx context.Context, s store.Store, file File) {
	for _, p := range publishedCorpora {
		if len(p.captions) == 1 && slices.Contains(t.columns, p.captions[0]) && !slices.Contains(t.columns, Caption) {
			t.Options.Columns = map[string][]string{Caption: {p.captions[0]}}
			break
		}
	}
	t.setImage(ctx, s, file)
}

// setImage names the column that likely holds the image, if no reader guesses it.
func (t *formatTrial) setImage(ctx context.Context, s store.Store, file File) {
	images := likelyColumns(t.columns, imageNames)
	if len(images) == 0 || t.HasImages && len(intersect(imageColumns, t.columns)) > 0 {
		return
	}
	before := *t
	t.Options.Columns = maps.Clone(t.Options.Columns)
	if t.Options.Columns == nil {
		t.Options.Columns = map[string][]string{}
	}
	t.Options.Columns[Image] = images[:1]
	if t.readRows(ctx, s, file) != nil {
		*t = before
	}
}

// Usual names of the columns of captions and images, the likeliest first. Case does not matter, and
// a space or a hyphen is an underscore.
var (
	captionNames = []string{
		Caption, "text", "alt_text", "alttext", "alt", "title", "description", "sentence", "captions", "comment", "raw",
		"sentences", "texts", "blip_caption", "prompt",
	}
	imageNames = append([]string{"url", "image_url", "image", "image_path", "img", "file_name", "filename", "filepath"}, moreImageColumns...)
)

// maxColumnsTried bounds the columns that are tried.
const maxColumnsTried = 64

// isUsual reports whether a column has one of the known names.
func isUsual(name string, known []string) bool {
	return slices.Contains(known, strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(name))))
}

// likelyColumns returns the names that are in known, in its order.
func likelyColumns(names, known []string) []string {
	var all []string
	for _, k := range known {
		for _, n := range names {
			if isUsual(n, []string{k}) && !slices.Contains(all, n) {
				all = append(all, n)
			}
		}
	}
	return all[:min(len(all), maxColumnsTried)]
}

// likelyCaptions returns the columns that may be captions, alone or several together, the likeliest
// first: those with usual names, series of them such as text1 and text2, and then the others, but
// not those that are called as images are.
func likelyCaptions(names []string) [][]string {
	var all [][]string
	for _, n := range likelyColumns(names, captionNames) {
		all = append(all, []string{n})
	}
	series := map[string][]string{}
	var stems []string
	for _, n := range names {
		stem := strings.TrimRight(strings.TrimRight(n, "0123456789"), "_- ")
		if stem != n && isUsual(stem, captionNames) {
			if series[stem] = append(series[stem], n); len(series[stem]) == 2 {
				stems = append(stems, stem)
			}
		}
	}
	for _, stem := range stems {
		all = append(all, series[stem])
	}
	for _, n := range names {
		if !isUsual(n, captionNames) && !isUsual(n, imageNames) {
			all = append(all, []string{n})
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
	rows, detail := 0, ""
	firstNamed, named := false, 0 // rows with an image that is called as one is
	t.Caption, t.graphs, t.words, t.good, t.HasImages, t.Splits, t.header = "", false, 0, 0, false, nil, false
	for ; rows < rowsTried; rows++ {
		if err = r.Next(&row); err != nil {
			break
		}
		t.HasImages = t.HasImages || row.Image != ""
		if isName(row.Image) {
			firstNamed = firstNamed || rows == 0
			named++
		}
		if row.Reject != "" || isName(row.Caption) {
			detail = cmp.Or(detail, row.Detail, fmt.Sprintf("%q is no caption", clip(row.Caption, maxDetail/2)))
			continue
		}
		if t.good++; t.good == 1 {
			t.Caption, t.graphs = strings.Clone(row.Caption), row.Graph != nil
		}
		if hasWords(row.Caption) {
			t.words++
		}
		if row.Split != "" {
			t.Splits = map[string]int{row.Split: 1}
		}
	}
	t.header = !firstNamed && named > 0 && named == rows-1
	good := t.good
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

// isName reports whether a text is no caption but empty, a URL, a file name or a number.
func isName(caption string) bool {
	caption = strings.TrimSpace(caption)
	first, _, more := strings.Cut(caption, " ")
	if first == "" || strings.Contains(first, "://") {
		return true
	}
	_, extension, _ := cutLast(trimCaptionNumber(caption), ".")
	return !more && (slices.Contains(imageExtensions, strings.ToLower(extension)) || strings.Trim(first, "0123456789.-") == "")
}

// hasWords reports whether a caption is words and not a name or a number: it contains a space, or
// letters of a script that may have none.
func hasWords(caption string) bool {
	return strings.ContainsFunc(strings.TrimSpace(caption), func(r rune) bool { return r == ' ' || r >= '\u0e00' })
}
