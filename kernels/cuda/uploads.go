package cuda

import (
	"errors"
	"unsafe"

	"capgraph/kernels"
	"capgraph/kernels/cuda/driver"
)

// uploads copies the indices and bytes of a step to the card. The host copies them to pinned
// memory, and the card from there in a separate stream, while both continue their work. There are
// two halves, used in turn, so that the memory of a step is not overwritten while the card needs
// it.
type uploads struct {
	d       *Device
	halves  [2]uploadHalf
	current int
	copied  driver.Event // recorded after the last copy
}

// uploadHalf is the memory for the uploads between two calls of Reset.
type uploadHalf struct {
	blocks   []uploadBlock
	consumed driver.Event // recorded after the computations that read this half
}

// uploadBlock is pinned memory of the host, and memory of the card of the same size.
type uploadBlock struct {
	host    []byte
	address uint64
	used    int
}

// The alignment of uploads, and the least size of a block, in bytes.
const (
	uploadAlign = 256
	minUpload   = 1 << 20
)

func (u *uploads) open(d *Device) error {
	u.d = d
	for i := range u.halves {
		var err error
		if u.halves[i].consumed, err = d.context.NewEvent(); err != nil {
			return err
		}
	}
	var err error
	u.copied, err = d.context.NewEvent()
	return err
}

// upload copies bytes, and returns their address on the card; 0 if there are none.
func (u *uploads) upload(from []byte) uint64 {
	address := u.copyToCard(from)
	if r := u.d.inputRecording; r != nil && address != 0 {
		return r.copyInput(address, uint64(len(from)))
	}
	return address
}

// copyToCard copies bytes to the current half.
func (u *uploads) copyToCard(from []byte) uint64 {
	h, c := &u.halves[u.current], u.d.context
	if len(from) == 0 || u.d.err != nil {
		return 0
	}
	u.d.flushCapture()
	last := len(h.blocks) - 1
	if last < 0 || h.blocks[last].used+len(from) > len(h.blocks[last].host) {
		if !u.addBlock(h, len(from)) {
			return 0
		}
		last++
	}
	b := &h.blocks[last]
	at := b.used
	kernels.CopyPieces(b.host[at:], from)
	b.used = (at + len(from) + uploadAlign - 1) / uploadAlign * uploadAlign
	address := b.address + uint64(at)
	u.d.fail(errors.Join(c.Upload(address, b.host[at:at+len(from)], u.d.copies), c.Record(u.copied, u.d.copies), c.StreamWaitEvent(u.d.stream, u.copied)))
	return address
}

// addBlock allocates a block of at least n bytes, and at least as large as the other blocks. It
// reports whether there was enough memory.
func (u *uploads) addBlock(h *uploadHalf, n int) bool {
	size := max(n, minUpload)
	for _, b := range h.blocks {
		size = max(size, len(b.host))
	}
	size = (size + uploadAlign - 1) / uploadAlign * uploadAlign
	address := u.d.allocBytes(uint64(size))
	if address == 0 {
		return false
	}
	host, err := u.d.context.AllocPinned(size)
	u.d.fail(err)
	h.blocks = append(h.blocks, uploadBlock{host: host, address: address})
	return err == nil
}

// swapHalves makes the other half the current one and empties it, after the card has finished with
// it. Several blocks are replaced by one, so that steps of the same size allocate only twice.
func (u *uploads) swapHalves() {
	if u.d.err != nil {
		return
	}
	u.d.flushCapture()
	u.d.fail(u.d.context.Record(u.halves[u.current].consumed, u.d.stream))
	u.current = 1 - u.current
	h := &u.halves[u.current]
	u.d.fail(u.d.context.WaitEvent(h.consumed))
	size := 0
	for i := range h.blocks {
		size += h.blocks[i].used
		h.blocks[i].used = 0
	}
	if len(h.blocks) > 1 {
		u.d.fail(u.freeBlocks(h))
		u.addBlock(h, size)
	}
}

// freeBlocks frees the blocks of a half.
func (u *uploads) freeBlocks(h *uploadHalf) error {
	var errs []error
	for _, b := range h.blocks {
		errs = append(errs, u.d.freeBytes(b.address), u.d.context.FreePinned(b.host))
	}
	h.blocks = h.blocks[:0]
	return errors.Join(errs...)
}

func (u *uploads) close() error {
	return errors.Join(u.freeBlocks(&u.halves[0]), u.freeBlocks(&u.halves[1]))
}

// bytesOf returns the bytes of numbers in memory order: all machines with CUDA are little-endian.
func bytesOf[T int8 | int32 | uint64 | float32](v []T) []byte {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), int(unsafe.Sizeof(v[0]))*len(v))
}
