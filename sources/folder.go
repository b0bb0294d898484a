package sources

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"capgraph/store"
)

// folderMembers reads the files of a folder as if they were the members of a tar. Unlike in a tar,
// a key is a file's name up to its last dot, so that names may contain dots.
type folderMembers struct {
	in    *input
	files []store.Info
	// named are the images whose whole name, with its extension, is the key of a caption: 7.jpg for 7.jpg.txt.
	named map[string]bool
	at    int
}

// folderCaptions are the extensions of caption files.
var folderCaptions = []string{memberCaption, "caption"}

// maxFolderDepth bounds the depth of folders below the named one.
const maxFolderDepth = 16

// folderSamples reads the samples of a folder. It rejects samples without an image.
type folderSamples struct{ *webdataset }

// openFolder reads a folder of images with caption files beside them: for 7.jpg these are 7.txt,
// 7.caption, or 7.json with a field caption.
func openFolder(in *input) (rowReader, error) {
	m := &folderMembers{in: in, files: in.file.members, named: imagesNamedWhole(in.file.members)}
	base := in.file.Path + "/"
	if root := in.file.root; root != "." {
		base = strings.TrimLeft(strings.TrimPrefix(base, root), "/")
	}
	w := in.newSamples(m, base, folderCaptions...)
	if in.from.Offset > 0 {
		m.at, w.row = int(min(in.from.Offset, int64(len(m.files)))), in.from.Row
	}
	return folderSamples{w}, nil
}

func (f folderSamples) next(row *Row) error {
	err := f.webdataset.next(row)
	if err != nil {
		return err
	}
	if row.Image == "" && row.Reject == "" {
		row.reject(RejectMissingImage, "there is no image beside the caption")
	}
	return nil
}

func (f *folderMembers) current() (tarMember, error) {
	if f.at >= len(f.files) {
		return tarMember{}, io.EOF
	}
	m := folderMember(path.Base(f.files[f.at].Name), f.named)
	m.badLink = f.in.file.badLinks[f.files[f.at].Name]
	return m, nil
}

// imagesNamedWhole returns the names of images beside which there is a file with a further
// extension, such as 7.jpg.txt.
func imagesNamedWhole(members []store.Info) map[string]bool {
	named := map[string]bool{}
	for _, m := range members {
		stem, own, _ := cutLast(path.Base(m.Name), ".")
		if _, extension, ok := cutLast(stem, "."); ok && !slices.Contains(imageExtensions, strings.ToLower(own)) && slices.Contains(imageExtensions, strings.ToLower(extension)) {
			named[stem] = true
		}
	}
	return named
}

// folderMember returns a file of a folder as a member of a tar.
func folderMember(name string, named map[string]bool) tarMember {
	stem, extension, _ := cutLast(name, ".")
	if named[name] {
		stem = name
	}
	return tarMember{name: name, key: stem, extension: strings.ToLower(extension)}
}

func (f *folderMembers) nextMember() { f.at++ }

func (f *folderMembers) offset() int64 { return int64(f.at) }

func (f *folderMembers) readContent(limit int) ([]byte, error) {
	file, err := f.in.store.Open(f.files[f.at].Name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, int64(limit)+1))
}

func (f *folderMembers) readFailure(_ int64, err error) error { return err }

func (f *folderMembers) close() error { return nil }

// listFolders returns the folders with images at and below a folder, each as a File. Its size is
// the sum of the sizes of its members.
func listFolders(s store.Store, info store.Info) ([]File, error) {
	if !info.Dir {
		return nil, fmt.Errorf("%s: is a file, and the format folder reads folders of images with captions beside them (name the folder)", info.Name)
	}
	l := folderLister{store: s, root: info.Name, realRoot: s.Real(info.Name)}
	files, err := l.appendFolders(nil, info, 0)
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: has no images with captions beside them, such as 7.jpg and 7.txt (name the folder that they are in)", info.Name)
	}
	return files, err
}

// folderLister lists the folders below root. It follows only links that lead to files below root.
type folderLister struct {
	store          store.Store
	root, realRoot string
}

// checkLink returns why a link is not followed; "" if it is followed or i is not a link.
func (l folderLister) checkLink(i store.Info) string {
	if i.Direct {
		return ""
	}
	if _, err := l.store.Stat(i.Name); errors.Is(err, fs.ErrNotExist) {
		return "is a link to a file that is not there"
	}
	real := l.store.Real(i.Name)
	above := strings.TrimSuffix(l.realRoot, "/") + "/"
	switch {
	case i.Dir && strings.HasPrefix(l.store.Real(store.Dir(i.Name))+"/", strings.TrimSuffix(real, "/")+"/"):
		return "is a link to " + real + ", a folder that it is in"
	case !strings.HasPrefix(real, above):
		return "is a link to " + real + ", which is not below " + l.root
	}
	return ""
}

func (l folderLister) appendFolders(files []File, dir store.Info, depth int) ([]File, error) {
	infos, err := l.store.List(dir.Name)
	if err != nil {
		return nil, err
	}
	file := File{Path: dir.Name, root: l.root, direct: dir.Direct}
	images, captions := 0, 0
	for _, i := range infos {
		name := path.Base(i.Name)
		m := folderMember(name, nil)
		isCaption := slices.Contains(folderCaptions, m.extension) || m.extension == memberFields
		switch {
		case name[0] == '.' || i.Special:
		case (i.Dir || m.extension == "") && l.checkLink(i) != "":
			return nil, fmt.Errorf("%s: %s (remove the link; name a folder that is elsewhere in source.paths)", i.Name, l.checkLink(i))
		case i.Dir && depth < maxFolderDepth:
			if files, err = l.appendFolders(files, i, depth+1); err != nil {
				return nil, err
			}
		case i.Dir:
			return nil, fmt.Errorf("%s: is more than %d folders deep", i.Name, maxFolderDepth)
		case slices.Contains(imageExtensions, m.extension):
			images++
			file.addMember(i, l.checkLink(i))
		case isCaption:
			captions++
			file.addMember(i, l.checkLink(i))
		}
	}
	if images == 0 || captions == 0 {
		return files, nil
	}
	named := imagesNamedWhole(file.members)
	slices.SortFunc(file.members, func(a, b store.Info) int {
		m, n := folderMember(path.Base(a.Name), named), folderMember(path.Base(b.Name), named)
		return cmp.Or(strings.Compare(m.key, n.key), strings.Compare(m.name, n.name))
	})
	for _, m := range file.members {
		file.Size += m.Size
	}
	return append(files, file), nil
}

// addMember adds a file of a folder. badLink is the reason why it is a link that is not followed, else "".
func (f *File) addMember(i store.Info, badLink string) {
	f.members = append(f.members, i)
	if badLink == "" {
		return
	}
	if f.badLinks == nil {
		f.badLinks = map[string]string{}
	}
	f.badLinks[i.Name] = badLink
}

// Describe writes the names and sizes of the files of a folder, so that changes can be detected. It
// returns false if f is not a folder.
func (f File) Describe(w io.Writer) bool {
	for _, m := range f.members {
		fmt.Fprintf(w, "%s %d\n", path.Base(m.Name), m.Size)
	}
	return f.members != nil
}

// setCommonRoot makes the names of images begin at the folder that all named folders have in
// common.
func setCommonRoot(files []File) {
	root := files[0].root
	for _, f := range files {
		for f.root != root && !strings.HasPrefix(f.root, strings.TrimSuffix(root, "/")+"/") && store.Dir(root) != root {
			root = store.Dir(root)
		}
	}
	for i := range files {
		files[i].root = root
	}
}
