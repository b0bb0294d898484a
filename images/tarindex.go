package images

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"sync"

	"capgraph/store"
)

// extensions are the extensions of images that a Decoder reads.
var extensions = map[string]bool{"jpg": true, "jpeg": true, "png": true, "webp": true, "gif": true}

// trimCaptionNumber returns the image's key in the key of one of its captions: KEY in KEY#1.
func trimCaptionNumber(key string) string {
	if i := strings.LastIndexByte(key, '#'); i >= 0 && i+1 < len(key) && strings.Trim(key[i+1:], "0123456789") == "" {
		return key[:i]
	}
	return key
}

// tarFile is an open tar. It is indexed at its first use; if it is damaged, the images before the
// damage can be read.
type tarFile struct {
	store.File
	name      string
	extension string // of the images; "" for any

	mu      sync.Mutex
	indexed bool
	index   index
	damage  error // the error behind the last readable image
}

// find returns the place of the image with that key, or of its caption's image. If the tar is damaged, the
// error says so.
func (t *tarFile) find(key string) (place, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.indexed {
		places, err := tarPlaces(t, t.name, 0, t.extension, nil)
		if store.IsEnvironmentError(err) {
			return place{}, err
		}
		t.index, t.damage, t.indexed = newIndex(places), err, true
	}
	p, ok := t.index.find(key)
	if !ok {
		p, ok = t.index.find(trimCaptionNumber(key))
	}
	switch {
	case ok:
		return p, nil
	case t.damage != nil:
		return p, fmt.Errorf("image %q is not in what can be read: %w", key, t.damage)
	}
	return p, missingError(key, t.name)
}

// tarPlaces appends the places of the images of a tar by reading its headers only. Images are the
// members with that extension, or with any of extensions if it is "". If the tar is truncated or
// damaged, it returns the places before that and an error.
func tarPlaces(f store.File, name string, number uint32, extension string, places []place) ([]place, error) {
	section := io.NewSectionReader(f, 0, f.Size())
	var head [4]byte
	if n, _ := f.ReadAt(head[:], 0); n == len(head) && (string(head[:2]) == "\x1f\x8b" || string(head[:]) == "\x28\xb5\x2f\xfd") {
		return places, fmt.Errorf("%s is a compressed tar, in which images cannot be found by their place: decompress it (gunzip or unzstd)", name)
	}
	end := int64(0) // end of the last member with its padding
	for t := tar.NewReader(section); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			if f.Size()-end >= 1024 { // two empty blocks
				return places, nil
			}
			err = errors.New("no end-of-archive blocks")
		}
		if err != nil {
			return places, fmt.Errorf("%s is cut off or damaged (%w): fetch or write the tar again", name, err)
		}
		offset, err := section.Seek(0, io.SeekCurrent)
		if err != nil {
			return places, err
		}
		end = offset + (h.Size+511)&^511
		key, has := memberKey(h.Name)
		if h.Typeflag != tar.TypeReg || extension == "" && !extensions[has] || extension != "" && has != extension || h.Size > MaxBytes || h.Size > f.Size()-offset {
			continue
		}
		places = append(places, place{hashName(key), offset, uint32(h.Size), number})
	}
}

// memberKey returns the key of a member as webdataset defines it: its name up to the first dot of
// the base name. extension is the rest in lower case.
func memberKey(name string) (key, extension string) {
	folder, base := path.Split(strings.TrimPrefix(name, "./"))
	stem, extension, _ := strings.Cut(base, ".")
	return folder + stem, strings.ToLower(extension)
}
