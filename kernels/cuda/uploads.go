package cuda

import (
	"errors"
	"unsafe"

	"capgraph/kernels/cuda/driver"
)

// uploads are the indices and bytes of a step on their way to the card: each is
// copied to pinned memory, and from there by the card while the host goes on. There
// are two halves, used in turn, so that what a step wrote stays as it is until the
// card has it.
type uploads struct {
	d       *Device
	halves  [2]half
	current int
}

// half is what lies between two resets.
type half struct {
	blocks []upload
	past   driver.Event // after what was copied from it
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
	return nil
}

// put copies bytes, and returns where the card has them; 0 of none.
func (u *uploads) put(from []byte) uint64 {
	h := &u.halves[u.current]
	if len(from) == 0 || u.d.err != nil {
		return 0
	}
	last := len(h.blocks) - 1
	if last < 0 || h.blocks[last].used+len(from) > len(h.blocks[last].host) {
		if !u.add(h, len(from)) {
			return 0
		}
		last++
	}
	b := &h.blocks[last]
	at := b.used
	copy(b.host[at:], from)
	b.used = (at + len(from) + uploadAlign - 1) / uploadAlign * uploadAlign
	address := b.address + uint64(at)
	u.d.fail(u.d.context.Upload(address, b.host[at:at+len(from)], u.d.stream))
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

// bytesOf are the bytes of indices, as they lie: CUDA's machines are little-endian.
func bytesOf(v []int32) []byte {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), 4*len(v))
}
