package cuda

import (
	"errors"
	"unsafe"

	"capgraph/kernels"
	"capgraph/kernels/cuda/driver"
)

// uploads are the indices and bytes of a step on their way to the card: each is
// copied to pinned memory, and from there by the card, in a stream of its own, while
// the host goes on and the card computes. There are two halves, used in turn, so that
// what a step wrote stays as it is until the card is done with it.
type uploads struct {
	d       *Device
	halves  [2]half
	current int
	there   driver.Event // after the last copy
}

// half is what lies between two resets.
type half struct {
	blocks []upload
	past   driver.Event // after what was computed of it
}

// upload is pinned memory, and memory of the card that is its copy.
type upload struct {
	host    []byte
	address uint64
	used    int
}

// What uploads begin at multiples of, and the least that is taken.
const (
	uploadAlign = 256
	uploadLeast = 1 << 20
)

func (u *uploads) open(d *Device) error {
	u.d = d
	for i := range u.halves {
		var err error
		if u.halves[i].past, err = d.context.NewEvent(); err != nil {
			return err
		}
	}
	var err error
	u.there, err = d.context.NewEvent()
	return err
}

// put copies bytes, and returns where the card has them; 0 of none.
func (u *uploads) put(from []byte) uint64 {
	address := u.copy(from)
	if r := u.d.inputs; r != nil && address != 0 {
		return r.put(address, uint64(len(from)))
	}
	return address
}

func (u *uploads) copy(from []byte) uint64 {
	h, c := &u.halves[u.current], u.d.context
	if len(from) == 0 || u.d.err != nil {
		return 0
	}
	u.d.flush()
	last := len(h.blocks) - 1
	if last < 0 || h.blocks[last].used+len(from) > len(h.blocks[last].host) {
		if !u.add(h, len(from)) {
			return 0
		}
		last++
	}
	b := &h.blocks[last]
	at := b.used
	kernels.Join(b.host[at:], from)
	b.used = (at + len(from) + uploadAlign - 1) / uploadAlign * uploadAlign
	address := b.address + uint64(at)
	u.d.fail(errors.Join(c.Upload(address, b.host[at:at+len(from)], u.d.copies), c.Record(u.there, u.d.copies), c.Follow(u.d.stream, u.there)))
	return address
}

// add takes a block for at least n bytes, and as many as there are already.
func (u *uploads) add(h *half, n int) bool {
	size := max(n, uploadLeast)
	for _, b := range h.blocks {
		size = max(size, len(b.host))
	}
	size = (size + uploadAlign - 1) / uploadAlign * uploadAlign
	address := u.d.take(uint64(size))
	if address == 0 {
		return false
	}
	host, err := u.d.context.Pinned(size)
	u.d.fail(err)
	h.blocks = append(h.blocks, upload{host: host, address: address})
	return err == nil
}

// reset makes the other half free: its copies are waited for, and its blocks become
// one, so that steps of one size take memory twice alone.
func (u *uploads) reset() {
	if u.d.err != nil {
		return
	}
	u.d.flush()
	u.d.fail(u.d.context.Record(u.halves[u.current].past, u.d.stream))
	u.current = 1 - u.current
	h := &u.halves[u.current]
	u.d.fail(u.d.context.WaitFor(h.past))
	size := 0
	for i := range h.blocks {
		size += h.blocks[i].used
		h.blocks[i].used = 0
	}
	if len(h.blocks) > 1 {
		u.d.fail(u.free(h))
		u.add(h, size)
	}
}

// free gives the blocks of a half back.
func (u *uploads) free(h *half) error {
	var errs []error
	for _, b := range h.blocks {
		errs = append(errs, u.d.give(b.address), u.d.context.Unpin(b.host))
	}
	h.blocks = h.blocks[:0]
	return errors.Join(errs...)
}

func (u *uploads) close() error {
	return errors.Join(u.free(&u.halves[0]), u.free(&u.halves[1]))
}

// bytesOf are the bytes of numbers, as they lie: CUDA's machines are little-endian.
func bytesOf[T int32 | uint64 | float32](v []T) []byte {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), int(unsafe.Sizeof(v[0]))*len(v))
}
