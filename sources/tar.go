package sources

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"capgraph/store"
)

// extTars are the extensions of the tars of a folder.
var extTars = []string{extTar, ".tar.gz", ".tgz", ".tar.zst"}

// tarMember is a file of a tar. Its key is its name up to the first dot of the base
// name, as WebDataset has it; the extension is what follows, in lower case.
type tarMember struct{ name, key, extension string }

// memberOf is the member of that name.
func memberOf(name string) tarMember {
	folder, base := path.Split(strings.TrimPrefix(name, "./"))
	stem, extension, ok := strings.Cut(base, ".")
	if !ok {
		return tarMember{name: name}
	}
	return tarMember{name: folder + base, key: folder + stem, extension: strings.ToLower(extension)}
}

// tarMembers gives the files of a tar, of which those that are not asked for are
// passed over without being read, where the tar is not compressed.
type tarMembers struct {
	*stream
	tar     *tar.Reader
	raw     *ending
	section *io.SectionReader // of a tar that is not compressed, else nil
	base    int64             // where the section begins
	// end is the byte before the header of the current member, behind that of the
	// current one, each −1 where it is not known.
	end, behind int64
	member      tarMember
	err         error // instead of a member; io.EOF after the last
}

// ending knows whether its reader has come to the end. A whole tar ends before:
// with empty blocks.
type ending struct {
	io.Reader
	ended bool
}

func (e *ending) Read(b []byte) (int, error) {
	n, err := e.Reader.Read(b)
	e.ended = e.ended || errors.Is(err, io.EOF)
	return n, err
}

// tarMembers opens the tar at the member that it was asked for, if the bytes say
// where that is, and else at its first.
func (in *input) tarMembers() (*tarMembers, error) {
	s, err := in.stream()
	if err != nil {
		return nil, err
	}
	m := &tarMembers{stream: s, raw: &ending{Reader: s}, behind: -1}
	m.tar = tar.NewReader(m.raw)
	if s.plain {
		m.base = max(in.from.Offset, 0)
		m.behind = m.base
		m.section = io.NewSectionReader(s.file, m.base, s.file.Size()-m.base)
		m.raw.Reader = m.section
		m.tar = tar.NewReader(struct {
			*ending
			io.Seeker
		}{m.raw, m.section})
	}
	m.advance()
	return m, nil
}

// advance goes to the next file that is not hidden. What else a tar has, folders and
// links, is passed over.
func (m *tarMembers) advance() {
	for {
		m.end = m.behind
		h, err := m.tar.Next()
		if errors.Is(err, io.EOF) {
			err = m.atEnd()
		}
		if err != nil {
			m.err = err
			return
		}
		if m.behind, err = m.endOf(h); err != nil {
			m.err = err
			return
		}
		if h.Typeflag == tar.TypeReg && !strings.HasPrefix(path.Base(h.Name), ".") {
			m.member = memberOf(h.Name)
			return
		}
	}
}

// endOf is the byte behind a member whose header was read.
func (m *tarMembers) endOf(h *tar.Header) (int64, error) {
	if m.section == nil || h.Typeflag == tar.TypeGNUSparse || h.PAXRecords["GNU.sparse.major"] != "" {
		return -1, nil
	}
	at, err := m.section.Seek(0, io.SeekCurrent)
	if h.Typeflag == tar.TypeReg {
		at += h.Size
	}
	return m.base + (at+511)&^511, err
}

// atEnd is io.EOF where the tar ends as it should.
func (m *tarMembers) atEnd() error {
	if m.raw.ended {
		return errors.New("no end-of-archive blocks")
	}
	buf := make([]byte, 32<<10)
	for {
		n, err := m.raw.Read(buf)
		if slices.ContainsFunc(buf[:n], func(b byte) bool { return b != 0 }) {
			return errFollowed
		}
		if err != nil {
			return err
		}
	}
}

var errFollowed = errors.New("something follows the end of the archive, perhaps another tar")

// broken is the error of a tar that cannot be read on; io.EOF is no such thing.
func (m *tarMembers) broken(row int64, err error) error {
	at := Position{row, m.end}
	switch {
	case errors.Is(err, io.EOF):
		return io.EOF
	case errors.Is(err, errFollowed):
		return m.in.malformed(at, err, "tars that were put behind each other have to be taken apart, or packed anew as one")
	case m.member.name == "" && m.stream.file.err == nil && (errors.Is(err, tar.ErrHeader) || m.plain && errors.Is(err, io.ErrUnexpectedEOF)):
		return m.in.malformed(at, errors.New("is no tar, or is damaged at its beginning"), "see that source.format says what the file is")
	case m.plain:
		err = fmt.Errorf("is cut off or damaged (%w)", err)
	}
	return m.failed(err, at, "fetch or write the tar again")
}

// tars are the tars of a folder, or the file.
func tars(s store.Store, info store.Info) ([]File, error) {
	if !info.Dir {
		file, err := fileOf(info)
		return []File{file}, err
	}
	infos, err := s.List(info.Name)
	if err != nil {
		return nil, err
	}
	var files []File
	for _, i := range infos {
		base := path.Base(i.Name)
		if i.Dir || strings.HasPrefix(base, ".") || !slices.ContainsFunc(extTars, func(ext string) bool { return strings.HasSuffix(base, ext) }) {
			continue
		}
		file, err := fileOf(i)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: has no tars (name the folder that they are in, or the tars themselves)", info.Name)
	}
	return files, nil
}
