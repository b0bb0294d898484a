package sources

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"capgraph/schemas"
	"capgraph/store"
)

// extTars are the extensions of the tars in a folder.
var extTars = []string{extTar, ".tar.gz", ".tgz", ".tar.zst"}

// tarMember is a member of a tar. As in WebDataset, its key is its name up to the first dot of the
// base name, and its extension is the rest in lower case.
type tarMember struct {
	name, key, extension string
	badLink              string // why it is a link that is not followed, else ""
}

// newMember returns the member of that name.
func newMember(name string) tarMember {
	folder, base := path.Split(strings.TrimPrefix(name, "./"))
	stem, extension, ok := strings.Cut(base, ".")
	if !ok {
		return tarMember{name: name}
	}
	return tarMember{name: folder + base, key: folder + stem, extension: strings.ToLower(extension)}
}

// tarMembers iterates over the members of a tar. If the tar is not compressed, the content of
// members is only read on demand.
type tarMembers struct {
	*byteStream
	tar     *tar.Reader
	raw     *endTracker
	section *io.SectionReader // the rest of an uncompressed tar, else nil
	base    int64             // offset at which the section begins
	// end is the offset of the current member's header, and behind the offset after the member; −1 if
	// they are unknown.
	end, behind int64
	member      tarMember
	err         error // the error instead of a current member; io.EOF after the last one
}

// endTracker records whether its reader reached the end. A complete tar ends with empty blocks
// before that.
type endTracker struct {
	io.Reader
	ended bool
}

func (e *endTracker) Read(b []byte) (int, error) {
	n, err := e.Reader.Read(b)
	e.ended = e.ended || errors.Is(err, io.EOF)
	return n, err
}

// openTar opens the tar at the member to start from if its offset is known, else at its first.
func (in *input) openTar() (*tarMembers, error) {
	s, err := in.openStream()
	if err != nil {
		return nil, err
	}
	m := &tarMembers{byteStream: s, raw: &endTracker{Reader: s}, behind: -1}
	m.tar = tar.NewReader(m.raw)
	if s.uncompressed {
		m.base = max(in.from.Offset, 0)
		m.behind = m.base
		m.section = io.NewSectionReader(s.file, m.base, s.file.Size()-m.base)
		m.raw.Reader = m.section
		m.tar = tar.NewReader(struct {
			*endTracker
			io.Seeker
		}{m.raw, m.section})
	}
	m.nextMember()
	return m, nil
}

// nextMember moves to the next file that is not hidden. It skips folders and links.
func (m *tarMembers) nextMember() {
	for {
		m.end = m.behind
		h, err := m.tar.Next()
		if errors.Is(err, io.EOF) {
			err = m.checkEnd()
		}
		if err != nil {
			m.err = err
			return
		}
		if m.behind, err = m.offsetBehind(h); err != nil {
			m.err = err
			return
		}
		if h.Typeflag == tar.TypeReg && !strings.HasPrefix(path.Base(h.Name), ".") {
			m.member = newMember(h.Name)
			return
		}
	}
}

// offsetBehind returns the offset after the member with that header.
func (m *tarMembers) offsetBehind(h *tar.Header) (int64, error) {
	if m.section == nil || h.Typeflag == tar.TypeGNUSparse || h.PAXRecords["GNU.sparse.major"] != "" {
		return -1, nil
	}
	at, err := m.section.Seek(0, io.SeekCurrent)
	if h.Typeflag == tar.TypeReg {
		at += h.Size
	}
	return m.base + (at+511)&^511, err
}

// checkEnd returns io.EOF if the tar is complete, else an error.
func (m *tarMembers) checkEnd() error {
	if m.raw.ended {
		return errors.New("no end-of-archive blocks")
	}
	buf := make([]byte, 32<<10)
	for {
		n, err := m.raw.Read(buf)
		if slices.ContainsFunc(buf[:n], func(b byte) bool { return b != 0 }) {
			return errTrailingData
		}
		if err != nil {
			return err
		}
	}
}

var errTrailingData = errors.New("something follows the end of the archive, perhaps another tar")

// current implements memberReader.
func (m *tarMembers) current() (tarMember, error) { return m.member, m.err }

// readContent implements memberReader.
func (m *tarMembers) readContent(limit int) ([]byte, error) {
	return io.ReadAll(io.LimitReader(m.tar, int64(limit)+1))
}

// offset implements memberReader.
func (m *tarMembers) offset() int64 { return m.end }

// readFailure returns the error of a tar that cannot be read to its end; io.EOF at its end.
func (m *tarMembers) readFailure(row int64, err error) error {
	at := schemas.Position{Row: row, Offset: m.end}
	if m.uncompressed { // the header of the last member may place its end beyond a truncated file
		at.Offset = min(at.Offset, m.byteStream.file.Size())
	}
	switch {
	case errors.Is(err, io.EOF):
		return io.EOF
	case errors.Is(err, errTrailingData):
		return m.in.malformedError(at, err, "tars that were put behind each other have to be taken apart, or packed anew as one")
	case m.member.name == "" && m.byteStream.file.err == nil && (errors.Is(err, tar.ErrHeader) || m.uncompressed && errors.Is(err, io.ErrUnexpectedEOF)):
		return m.in.malformedError(at, errors.New("is no tar, or is damaged at its beginning"), "see that source.format says what the file is")
	case m.uncompressed:
		err = fmt.Errorf("is cut off or damaged (%w)", err)
	}
	return m.readError(err, at, "fetch or write the tar again")
}

// listTars returns the tars in a folder, or the file itself.
func listTars(s store.Store, info store.Info) ([]File, error) {
	if !info.Dir {
		file, err := newFile(info)
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
		file, err := newFile(i)
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
