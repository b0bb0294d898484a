package sources

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"capgraph/internal/text"
	"capgraph/store"
)

// maxReason bounds the text about one format, in bytes.
const maxReason = 120

// Found is the result of Recognise: how to read the paths, and what was taken for what.
type Found struct {
	Options Options
	Files   []File
	// Caption is the caption of one of the first rows, as an example.
	Caption string
	// Roles are what the columns were taken for.
	Roles []FoundRole
	// Models is set if the captions are known to be a model's, and Lengths has the lengths of the
	// first.
	Models  *ModelCaptions
	Lengths Lengths
	// OtherColumns are the columns that play no role.
	OtherColumns []string
	// Texts says what the texts of the first rows look like.
	Texts TextCounts
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

// MayHaveKey reports whether a column can be the key of the format.
func (f Found) MayHaveKey() bool {
	format, err := f.Options.formatByName()
	return err == nil && slices.Contains(format.Roles, Key)
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
	// likely is the format that the name of the file or its folder suggests, with why it does not fit.
	likely, reason string
}

// misfit is a reason and the formats that it excludes.
type misfit struct {
	formats []string
	text    string
}

func (e *UnknownError) Error() string {
	if e.likely == "" {
		return fmt.Sprintf("%s: is in none of the forms that are read (why, form by form: capgraph init --all)", e.Path)
	}
	remedy := ""
	switch {
	case strings.Contains(e.reason, "is not UTF-8") && e.likely == "parquet":
		remedy = "; write the column as UTF-8"
	case strings.Contains(e.reason, "is not UTF-8"):
		remedy = "; name its encoding: source.encoding"
	case strings.Contains(e.reason, "has no tab"):
		remedy = "; of captions alone, write a first line, caption, and name the file .tsv"
	}
	return fmt.Sprintf("%s: is not read as %s: %s%s (why it is of no other form: capgraph init --all)", e.Path, e.likely, e.reason, remedy)
}

// All returns why no format fits, format by format.
func (e *UnknownError) All() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: is in none of the forms that are read:", e.Path)
	for _, w := range e.misfits {
		fmt.Fprintf(&b, "\n  %s: %s", strings.Join(w.formats, ", "), w.text)
	}
	return b.String()
}

// ExitCode returns 2, the code of a usage error.
func (e *UnknownError) ExitCode() int { return 2 }

// likelyFormats are the formats of files by their extensions.
var likelyFormats = map[string]string{
	".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".tsv": "tsv", ".txt": "cc12m",
	".parquet": "parquet", ".pq": "parquet", ".tar": "webdataset", ".tgz": "webdataset",
}

// mayBe reports whether the name of a file does not suggest another format.
func mayBe(format, name string) bool {
	likely := likelyFormats[path.Ext(strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(path.Base(name)), ".gz"), ".zst"))]
	return likely == "" || likely == format
}

// addMisfit says why a format does not fit name.
func (e *UnknownError) addMisfit(format, text, full, name string) {
	base := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(path.Base(name)), ".gz"), ".zst")
	if likelyFormats[path.Ext(base)] == format && e.likely == "" {
		e.likely, e.reason = format, full
	}
	for i := range e.misfits {
		if e.misfits[i].text == text {
			e.misfits[i].formats = append(e.misfits[i].formats, format)
			return
		}
	}
	e.misfits = append(e.misfits, misfit{[]string{format}, text})
}

// Recognise finds the format and the columns of files, folders or globs. Each format reads the
// first rows of a file; most must be captions. A format that finds graphs wins, then the one that
// finds most captions with words, then the first in the table. A file that no format fits is passed
// over, and so is one of another format than the first that fits. The error is an *UnknownError if
// none does.
func Recognise(ctx context.Context, s store.Store, names ...string) (Found, error) {
	s = rememberStore(s)
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
				case errors.Is(err, errNoRows) && at == 0 && len(sets) == 1 && mayBe(f.Name, paths[0]):
					bare = cmp.Or(bare, fmt.Errorf("%s: is %s and has no rows", unknown.Path, f.Name))
				case i == told && at == 0:
					if cut == nil && errors.Is(err, io.ErrUnexpectedEOF) {
						cut = err
					}
					unknown.addMisfit(f.Name, shortReason(err, names...), plainReason(err, names...), paths[0])
				case i == 0 && f.isSample && at == 0:
					if _, failed := Expand(s, Options{Format: f.Name, Paths: paths}); failed == nil {
						unknown.likely, unknown.reason = f.Name, plainReason(err, names...)
					}
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
	if isMarkup(s, names[0]) {
		return Found{}, fmt.Errorf("%s: is XML or HTML, which is not read: write its captions as CSV, JSON lines or Parquet (a page that a download left in the place of the file: download it again)", unknown.Path)
	}
	if bare != nil {
		return Found{}, bare
	}
	if cut != nil {
		return Found{}, cut
	}
	return Found{}, unknown
}

// isMarkup reports whether a file begins as XML and HTML do.
func isMarkup(s store.Store, name string) bool {
	f, err := s.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 256)
	n, _ := io.ReadFull(f, head)
	head = bytes.TrimLeft(bytes.TrimPrefix(head[:n], []byte("\xef\xbb\xbf")), " \t\r\n")
	return len(head) > 1 && head[0] == '<' && (head[1] == '!' || head[1] == '?' || head[1]|' ' >= 'a' && head[1]|' ' <= 'z')
}

const (
	// filesTried is how many files are tried until a format fits one.
	filesTried = 16
	// filesChecked is how many files are looked into to see whether they have the same format.
	filesChecked = 256
)

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
	glob := strings.TrimSuffix(names[0], "/")
	for depth := 0; err == nil && len(globs) == 0 && arePartitions(below) && depth < maxFolderDepth; depth++ {
		first := below[0]
		glob += "/*=*"
		if globs, below, images, err = globsByExtension(s, first); err == nil {
			for i, g := range globs {
				globs[i] = glob + strings.TrimPrefix(g, strings.TrimSuffix(first, "/"))
			}
		}
	}
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

// arePartitions reports whether folders are all called as a column with a value: lang=en.
func arePartitions(folders []string) bool {
	for _, f := range folders {
		if _, ok := newPartition(path.Base(f)); !ok {
			return false
		}
	}
	return len(folders) > 0
}

// shortReason returns err in short, without the name of the file, which is printed once.
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

// plainReason returns err without the name of the file, and with its remedy.
func plainReason(err error, names ...string) string {
	if f, ok := errors.AsType[*FileError](err); ok {
		whole := *f
		whole.Path, whole.Offset = "", -1
		return escapeControls(strings.TrimPrefix(whole.Error(), ": "))
	}
	reason := err.Error()
	for _, name := range names {
		reason = strings.TrimPrefix(reason, name+": ")
	}
	return escapeControls(reason)
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

// fullExtension returns the extension of a name with the compression's: ".tsv.gz".
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
