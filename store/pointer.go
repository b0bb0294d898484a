package store

import (
	"bytes"
	"errors"
)

// ErrPointer is the error of a file that was not fetched from Git LFS.
var ErrPointer = errors.New("is a Git LFS pointer and not the file itself (fetch it: git lfs pull)")

// maxPointer is the most bytes of a pointer, which the specification of Git LFS bounds by 1024.
const maxPointer = 1024

// CheckPointer returns ErrPointer if a file of size bytes that begins with head is a pointer of Git
// to a file in LFS.
func CheckPointer(head []byte, size int64) error {
	if size < maxPointer && (bytes.HasPrefix(head, []byte("version https://git-lfs.github.com/spec/")) || bytes.HasPrefix(head, []byte("version https://hawser.github.com/spec/"))) {
		return ErrPointer
	}
	return nil
}

// PointerHead is how many bytes CheckPointer needs of a file.
const PointerHead = 48

// CheckPointerAt is CheckPointer of an open file, whose place is kept.
func CheckPointerAt(f File) error {
	if f.Size() >= maxPointer {
		return nil
	}
	head := make([]byte, PointerHead)
	n, _ := f.ReadAt(head, 0) // reading finds an error again
	return CheckPointer(head[:n], f.Size())
}
