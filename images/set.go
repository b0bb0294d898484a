package images

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"capgraph/store"
)

// Formats in which images lie. FormatAuto is the one that the paths look like.
const (
	FormatAuto    = "auto"
	FormatTars    = "tars"
	FormatFolder  = "folder"
	FormatParquet = "parquet"
)

// MaxBytes bounds an encoded image.
const MaxBytes = 1 << 28

// Set holds the encoded images of a corpus.
type Set interface {
	// Read returns the encoded bytes of an image, in the memory of buf where that
	// is large enough. shard is the stem of the shard of texts that the image is
	// named in, or "". What name is depends on the format: OpenFolder, OpenTars
	// and OpenParquet say it. The error wraps fs.ErrNotExist if there is no such
	// image; one of the environment (store.IsEnvironmentError) says nothing of the image. Safe
	// for concurrent use.
	Read(ctx context.Context, shard, name string, buf []byte) ([]byte, error)
	// Find returns nil if there is an image of that name, else the error of Read. It reads no image.
	Find(ctx context.Context, shard, name string) error
	// Close frees what the set holds. No Read may be under way.
	Close() error
}

// Options say where images lie and how. The zero value of all but Paths will do.
type Options struct {
	// Format is one of the formats; "" is FormatAuto.
	Format string
	// Paths are files, folders, or globs of them.
	Paths []string
	// Column is the column of the images in Parquet, "" the one that img2dataset or
	// datasets writes; or the extension of the images in tars, "" any.
	Column string
	// Key is the column of their names; "" is `key`, and if there is none the
	// path beside the bytes of an image.
	Key string
}

// Open opens the images that the options name.
func Open(s store.Store, o Options) (Set, error) {
	switch o.Format {
	case "", FormatAuto:
		format, err := Guess(s, o.Paths)
		if err != nil {
			return nil, err
		}
		o.Format = format
		return Open(s, o)
	case FormatTars:
		return OpenTars(s, o)
	case FormatFolder:
		return OpenFolder(s, o)
	case FormatParquet:
		return OpenParquet(s, o)
	}
	return nil, fmt.Errorf("images of format %q: want %s, %s, %s or %s", o.Format, FormatAuto, FormatTars, FormatFolder, FormatParquet)
}

// ByKey reports whether images are found by the column `key` of texts, and not by the column
// `image`: in tars, and in Parquet with a column `key`.
func ByKey(s Set) bool {
	switch s := s.(type) {
	case *tars:
		return true
	case *parquetSet:
		return s.byKey
	}
	return false
}

// Guess returns the format that the paths have: tars if there is one, else Parquet if there is such
// a file, else a folder. Parquet beside tars, or beside folders of the same names, is the sidecars of
// img2dataset.
func Guess(s store.Store, paths []string) (string, error) {
	infos, err := expandPaths(s, paths)
	if err != nil {
		return "", err
	}
	found, folders := map[string]bool{}, map[string]bool{}
	for _, info := range infos {
		inside := []store.Info{info}
		if info.Dir {
			if inside, err = s.List(info.Name); err != nil {
				return "", err
			}
		}
		for _, i := range inside {
			if i.Dir {
				folders[i.Name] = true
			}
		}
		for _, i := range inside {
			if ext := extensionOf(i.Name); !folders[strings.TrimSuffix(i.Name, ext)] {
				found[ext] = true
			}
		}
	}
	switch {
	case found[extTar]:
		return FormatTars, nil
	case found[extParquet]:
		return FormatParquet, nil
	}
	return FormatFolder, nil
}

const (
	extTar     = ".tar"
	extTarGzip = ".tar.gz"
	extTgz     = ".tgz"
	extParquet = ".parquet"
)

// expandPaths returns what the paths name. A path that names nothing is an error.
func expandPaths(s store.Store, paths []string) ([]store.Info, error) {
	if len(paths) == 0 {
		return nil, errors.New("no path says where the images lie: name a file or a folder")
	}
	var all []store.Info
	for _, p := range paths {
		// A name that is there needs no glob: it may have a bracket.
		info, err := s.Stat(p)
		infos := []store.Info{info}
		if errors.Is(err, fs.ErrNotExist) && store.IsGlob(p) {
			if infos, err = store.Glob(s, p); err == nil && len(infos) == 0 {
				err = fmt.Errorf("%s matches no file: check the pattern", p)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("images: %w", err)
		}
		all = append(all, infos...)
	}
	return all, nil
}

// listFiles returns the files with an extension that the paths name, or that are directly in
// folders that they name, each once.
func listFiles(s store.Store, paths []string, ext string) ([]string, error) {
	infos, err := expandPaths(s, paths)
	if err != nil {
		return nil, err
	}
	var names []string
	seen := map[string]bool{}
	add := func(name string) {
		if real := s.Real(name); !seen[real] {
			seen[real] = true
			names = append(names, name)
		}
	}
	for _, info := range infos {
		if !info.Dir {
			add(info.Name)
			continue
		}
		inside, err := s.List(info.Name)
		if err != nil {
			return nil, err
		}
		for _, i := range inside {
			if !i.Dir && extensionOf(i.Name) == ext {
				add(i.Name)
			}
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: there is no file that ends in %s", strings.Join(paths, ", "), ext)
	}
	return names, nil
}

// extensionOf returns the extension of a file. That of a compressed tar is .tar, so that it is
// opened, which is an error with a remedy.
func extensionOf(name string) string {
	if strings.HasSuffix(name, extTarGzip) || strings.HasSuffix(name, extTgz) {
		return extTar
	}
	return path.Ext(name)
}

// readAt fills buf, made as large as it must be, with n bytes of a file.
func readAt(f store.File, name string, offset, n int64, buf []byte) ([]byte, error) {
	if n > MaxBytes {
		return nil, fmt.Errorf("%s has %d bytes, more than an image may have (%d)", name, n, MaxBytes)
	}
	if int64(cap(buf)) < n {
		buf = make([]byte, n)
	}
	buf = buf[:n]
	got, err := f.ReadAt(buf, offset)
	if got == len(buf) {
		return buf, nil
	}
	if errors.Is(err, io.EOF) {
		err = fmt.Errorf("%s is cut off: %w", name, io.ErrUnexpectedEOF)
	}
	return nil, err
}

// missingError returns the error of an image that does not exist.
func missingError(name, where string) error {
	return fmt.Errorf("image %q is not in %s: %w", name, where, fs.ErrNotExist)
}
