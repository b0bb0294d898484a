package store

import (
	"bytes"
	"errors"
)

// ErrPointer is returned for a file that was not fetched from Git LFS.
var ErrPointer = errors.New("is a Git LFS pointer and not the file itself (fetch it: git lfs pull)")

// maxPointer is the greatest size of a Git LFS pointer file in bytes; its specification allows less than
// 1024.
const maxPointer = 1024

// CheckPointer returns ErrPointer if a file is a pointer of Git LFS. head is the beginning of the
// file, size its size in bytes.
func CheckPointer(head []byte, size int64) error {
	if size < maxPointer && (bytes.HasPrefix(head, []byte("version https://git-lfs.github.com/spec/")) || bytes.HasPrefix(head, []byte("version https://hawser.github.com/spec/"))) {
		return ErrPointer
	}
	return nil
}

// PointerHead is the number of bytes of head that CheckPointer needs.
const PointerHead = 48

// CheckPointerAt returns ErrPointer if an open file is a pointer of Git LFS. The read offset of f does not
// change.
func CheckPointerAt(f File) error {
	if f.Size() >= maxPointer {
		return nil
	}
	head := make([]byte, PointerHead)
	n, _ := f.ReadAt(head, 0) // reading will return an error again
	return CheckPointer(head[:n], f.Size())
}
