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

	"capgraph/schemas"
	"capgraph/store"
)

// img2dataset reads the Parquet sidecars that img2dataset writes beside its tars or folders, and not the tars.
// A sidecar is in the order in which downloads ended, so it is read whole and sorted by key.
type img2dataset struct {
	in   *input
	rows []*Row
	row  int
	// types are the types of the kept columns in the sidecar.
	types map[string]schemas.KeptType
}

// maxSidecarBytes bounds the memory for the rows of one sidecar. It suffices for about a million
// rows; by default img2dataset writes 10,000.
const maxSidecarBytes = 320 << 20

const (
	extTar     = ".tar"
	extSidecar = ".parquet"
)

func openImg2dataset(in *input) (rowReader, error) {
	all := *in
	all.from = schemas.Position{}
	r := columnRoles{
		captions: in.captionColumns(), lists: true, key: in.opts.columnOf(Key, Key), image: in.opts.columnOf(Image, ""),
		readSame: true, keep: in.opts.Keep, where: in.where,
	}
	p, err := all.openParquet(r)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, in.malformedError(schemas.Position{Offset: -1}, errors.New("there is no such sidecar beside its tar"),
			"bring the sidecar back, which img2dataset writes with --output_format webdataset, or set source.format: webdataset, which reads the captions in the tar")
	}
	if err != nil {
		return nil, err
	}
	defer p.close()
	i := &img2dataset{in: in, types: map[string]schemas.KeptType{}}
	for _, name := range in.opts.Keep {
		i.types[name] = p.keptType(name)
	}
	images := path.Base(trimExtension(in.file.Path)) + extTar
	if in.file.imageDir != "" {
		images = in.file.imageDir
	}
	for left := maxSidecarBytes; ; {
		row := new(Row)
		if err := p.next(row); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		row.ImageKey = row.Key
		if r.image == "" && row.Key != "" {
			row.Image = images + "/" + row.Key + ".jpg"
		}
		if left -= row.Size(); left < 0 {
			return nil, in.malformedError(schemas.Position{Row: row.SourceRow, Offset: -1}, fmt.Errorf("has more than %d bytes in the columns that are read, and is sorted in memory", maxSidecarBytes),
				"split it, or read it as source.format: parquet")
		}
		i.rows = append(i.rows, row)
	}
	slices.SortFunc(i.rows, func(a, b *Row) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.SourceRow, b.SourceRow))
	})
	return i, nil
}

func (i *img2dataset) next(row *Row) error {
	if i.row == len(i.rows) {
		return io.EOF
	}
	keep, same := row.Keep, row.Same
	*row = *i.rows[i.row]
	row.Keep, row.Same = append(keep, row.Keep...), append(same, row.Same...)
	i.row++
	return nil
}

// keptType implements typer.
func (i *img2dataset) keptType(name string) schemas.KeptType { return i.types[name] }

func (i *img2dataset) position() schemas.Position {
	return schemas.Position{Row: int64(i.row), Offset: -1}
}

func (i *img2dataset) close() error { return nil }

func trimExtension(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }

// listSidecars returns the sidecars of a folder or a tar, or the sidecar itself. For a tar without
// one it returns the path where it should be, so that opening it reports the missing file.
func listSidecars(s store.Store, info store.Info) ([]File, error) {
	infos, listed := []store.Info{info}, map[string]store.Info{}
	if info.Dir {
		var err error
		if infos, err = s.List(info.Name); err != nil {
			return nil, err
		}
		for _, i := range infos {
			listed[i.Name] = i
		}
	}
	var files []File
	for _, i := range infos {
		imageDir := ""
		switch path.Ext(i.Name) {
		case extSidecar:
			stem := trimExtension(i.Name)
			beside, known := listed[stem]
			if !info.Dir {
				var err error
				if beside, err = s.Stat(stem); err != nil && !errors.Is(err, fs.ErrNotExist) {
					return nil, err
				}
				known = err == nil
			}
			if known && beside.Dir {
				imageDir = path.Base(stem)
			}
		case extTar:
			i.Name = trimExtension(i.Name) + extSidecar
			beside, known := listed[i.Name]
			if !known && !info.Dir {
				var err error
				if beside, err = s.Stat(i.Name); err != nil && !errors.Is(err, fs.ErrNotExist) {
					return nil, err
				}
			}
			beside.Name = i.Name // even if that does not exist
			i = beside
		default:
			continue
		}
		file, err := newFile(i)
		if err != nil {
			return nil, err
		}
		file.imageDir = imageDir
		files = append(files, file)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: has neither tars nor Parquet sidecars (name the folder that img2dataset wrote)", info.Name)
	}
	return files, nil
}
