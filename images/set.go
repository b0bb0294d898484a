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

// The formats of sets of images. For FormatAuto, Guess decides.
const (
	FormatAuto    = "auto"
	FormatTars    = "tars"
	FormatFolder  = "folder"
	FormatParquet = "parquet"
)

// MaxBytes is the greatest size of an encoded image.
const MaxBytes = 1 << 28

// Set reads the encoded images of a corpus.
type Set interface {
	// Read returns the encoded bytes of an image, in the memory of buf if that is large enough. shard
	// is the base name of the shard of texts that names the image, or "". The meaning of name depends
	// on the format: see OpenFolder, OpenTars and OpenParquet. The error wraps fs.ErrNotExist if there
	// is no such image; an error of the environment (store.IsEnvironmentError) does not depend on the
	// image. It is safe for concurrent use.
	Read(ctx context.Context, shard, name string, buf []byte) ([]byte, error)
	// Find returns nil if there is an image of that name, else the error that Read would return. It reads no
	// image.
	Find(ctx context.Context, shard, name string) error
	// Close frees what the set holds. No Read may be running.
	Close() error
}

// Options select the images. All but Paths may be zero.
type Options struct {
	// Format is one of the formats; "" is FormatAuto.
	Format string
	// Paths are files, folders, or globs.
	Paths []string
	// Column is the Parquet column of the images; "" for the usual ones of img2dataset and datasets.
	// For tars it is the extension of the images; "" for any.
	Column string
	// Key is the Parquet column of the images' names; "" for `key` or, without that column, the path
	// that is stored beside the bytes of an image.
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

// NamedByKey reports whether an image's name is the column `key` of texts rather than the column
// `image`: in tars, and in Parquet files with a column `key`.
func NamedByKey(s Set) bool {
	switch s := s.(type) {
	case *tars:
		return true
	case *parquetSet:
		return s.byKey
	}
	return false
}

// Guess detects the format of paths: tars if there are any, else Parquet if there is a file of it,
// else a folder. Parquet files beside tars, or beside folders of the same names, are img2dataset's
// sidecars and do not count.
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

// expandPaths returns the files and folders that the paths name. A path that names nothing is an error.
func expandPaths(s store.Store, paths []string) ([]store.Info, error) {
	if len(paths) == 0 {
		return nil, errors.New("no path says where the images lie: name a file or a folder")
	}
	var all []store.Info
	for _, p := range paths {
		// An existing name is no glob, even with brackets.
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

// listFiles returns the files with the extension ext that the paths name or that are directly in
// the named folders, each once.
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

// extensionOf returns the extension of a file. For a compressed tar it returns .tar, so that the
// tar is opened; that fails with an error that names the remedy.
func extensionOf(name string) string {
	if strings.HasSuffix(name, extTarGzip) || strings.HasSuffix(name, extTgz) {
		return extTar
	}
	return path.Ext(name)
}

// readAt reads n bytes of a file at offset, in the memory of buf if that is large enough.
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
