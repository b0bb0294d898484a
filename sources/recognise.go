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

// maxReason bounds the reason for one format in UnknownError.All, in bytes.
const maxReason = 120

// Found is the result of Recognise: the options to read the paths with, and what was detected.
type Found struct {
	Options Options
	Files   []File
	// Caption is an example: a caption in the first rows.
	Caption string
	// Roles are the detected roles of columns.
	Roles []FoundRole
	// Models is set if the captions are from a corpus that is known to have a model's captions.
	// Lengths has the lengths of the captions in the first rows.
	Models  *ModelCaptions
	Lengths Lengths
	// OtherColumns are the columns without a role.
	OtherColumns []string
	// Texts says what the texts in the first rows look like.
	Texts TextCounts
	// HasImages is set if one of the first rows has an image.
	HasImages bool
	// ImageMembers are the extensions of tar members that may be images, if no image was found.
	ImageMembers []string
	// Splits are the splits of the corpus, such as train and test, with their numbers of rows.
	Splits map[string]int
	// PassedOver are files that are not read, with the reasons.
	PassedOver []PassedOver
	// Unseen is the number of files that were not examined, because there are too many.
	Unseen int
}

// AllowsKeyColumn reports whether the format allows a column to be the key.
func (f Found) AllowsKeyColumn() bool {
	format, err := f.Options.formatByName()
	return err == nil && slices.Contains(format.Roles, Key)
}

// FoundRole is a role and the columns that seem to have it. Sure is set if their names are usual
// ones for the role.
type FoundRole struct {
	Role    string
	Columns []string
	Sure    bool
}

// PassedOver is a file, or a glob of files, that is not read. If Read is set, it is a file that is
// read but is faulty or has no captions.
type PassedOver struct {
	Name, Reason string
	Read         bool
}

// UnknownError is the error for paths that no format fits. It has a reason for each format.
type UnknownError struct {
	Path    string
	misfits []misfit
	// likely is the format that the file's name suggests; reason is why it does not fit.
	likely, reason string
}

// misfit is a reason and the formats that do not fit because of it.
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

// All returns the reasons for all formats, one per line.
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

// likelyFormats maps file extensions to formats.
var likelyFormats = map[string]string{
	".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".tsv": "tsv", ".txt": "cc12m",
	".parquet": "parquet", ".pq": "parquet", ".tar": "webdataset", ".tgz": "webdataset",
}

// mayHaveFormat reports whether the name of a file suggests that format or none.
func mayHaveFormat(format, name string) bool {
	likely := likelyFormats[path.Ext(strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(path.Base(name)), ".gz"), ".zst"))]
	return likely == "" || likely == format
}

// addMisfit records the reason why a format does not fit the file name: text in short, and full.
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

// Recognise detects the format and the columns of files, folders or globs. Each format reads the
// first rows of a file and fits if most of them are captions. A format that finds graphs is
// preferred, then the one that finds the most captions with words, then the first in Formats. Files
// that no format fits, or of another format than the first that fits, are passed over. If no format
// fits any file, the error is an *UnknownError.
func Recognise(ctx context.Context, s store.Store, names ...string) (Found, error) {
	s = rememberStore(s)
	sets, bare, err := candidatePaths(s, names)
	if err != nil {
		return Found{}, err
	}
	unknown, cut := &UnknownError{Path: strings.Join(names, ", ")}, error(nil)
	told := min(1, len(sets)-1) // the reasons for a folder's files say more than those for the folder itself
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
				case errors.Is(err, errNoRows) && at == 0 && len(sets) == 1 && mayHaveFormat(f.Name, paths[0]):
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
						best.passOverSet(ctx, s, other[0])
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

// isMarkup reports whether a file begins like XML or HTML.
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
	// filesTried is how many files are tried to find one that a format fits.
	filesTried = 16
	// filesChecked is how many files are checked for having the same format.
	filesChecked = 256
)

// candidatePaths returns the lists of paths to try. For a single folder these are the folder itself
// and then a glob for each extension of its files. bare is an error if the folder has no files to
// read.
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

// arePartitions reports whether all folders have names like lang=en, a column and its value.
func arePartitions(folders []string) bool {
	for _, f := range folders {
		if _, ok := newPartition(path.Base(f)); !ok {
			return false
		}
	}
	return len(folders) > 0
}

// shortReason returns the message of err, shortened and without the names of files, which are printed only
// once.
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

// plainReason returns the message of err with its remedy, but without the names of files.
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

// globsByExtension returns a glob for each extension of the files in a folder, the most frequent
// first, and the folders in it. Image files are only counted.
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

// fullExtension returns the extension of a name including that of the compression: ".tsv.gz".
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
