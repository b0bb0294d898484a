package replies

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"runtime/debug"
)

// withCorruptionCheck calls f on the file of replies at path. If bbolt panics or reads past the end
// of memory, because the file is damaged, it returns an error.
func withCorruptionCheck(path string, f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = damagedError(path, fmt.Errorf("%v", r))
		}
	}()
	return f()
}

func damagedError(path string, why error) error {
	return fmt.Errorf("cache: %s is damaged (%w): move the file away; its replies will be asked for again", path, why)
}

// The layout of the start of a bbolt file: two meta pages. The valid one with the later transaction
// counts.
const (
	metaMagic  = 0xED0CDAED
	metaOffset = 16 // offset of the meta data in its page
	metaSize   = 64
)

// checkComplete returns an error if the file at path is no file of replies, or is shorter than its
// meta page says. An empty or absent file is allowed: it is a new one.
func checkComplete(path string) error {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	var need, latest uint64
	page := int64(0)
	for range 2 {
		var meta [metaSize]byte
		if _, err := f.ReadAt(meta[:], page+metaOffset); err != nil {
			break
		}
		u := binary.NativeEndian
		sum := fnv.New64a()
		sum.Write(meta[:metaSize-8])
		size := u.Uint32(meta[8:])
		if u.Uint32(meta[0:]) == metaMagic && u.Uint64(meta[metaSize-8:]) == sum.Sum64() {
			if tx := u.Uint64(meta[48:]); tx >= latest {
				latest, need = tx, u.Uint64(meta[40:])*uint64(size)
			}
		}
		if page = int64(size); size < 512 || size > 1<<20 {
			page = int64(os.Getpagesize())
		}
	}
	switch {
	case need == 0:
		return damagedError(path, errors.New("not a file of replies"))
	case uint64(info.Size()) < need:
		return damagedError(path, fmt.Errorf("cut off at %d of %d bytes", info.Size(), need))
	}
	return nil
}
