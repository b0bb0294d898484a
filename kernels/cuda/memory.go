package cuda

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"capgraph/kernels"
	"capgraph/kernels/cuda/driver"
)

// MemoryError is the error of a card that has no memory left. Sizes are in bytes.
type MemoryError struct {
	Asked, Held, Free, Total uint64
}

func (e *MemoryError) Error() string {
	const gigabyte = 1e9
	return fmt.Sprintf("out of memory: %.2f GB more were asked for, %.2f GB are held already, %.2f GB of %.2f GB are free",
		float64(e.Asked)/gigabyte, float64(e.Held)/gigabyte, float64(e.Free)/gigabyte, float64(e.Total)/gigabyte)
}

// Is implements errors.Is.
func (e *MemoryError) Is(target error) bool { return target == kernels.ErrMemory }

// elementBytes is the size of a float32.
const elementBytes = 4

// ElementBytes implements kernels.Device.
func (*Device) ElementBytes() int { return elementBytes }

// UsesHalf implements kernels.Device.
func (d *Device) UsesHalf() bool { return d.precision == BFloat16 }

// Alloc implements kernels.Device.
func (d *Device) Alloc(n int) kernels.Memory {
	m := kernels.Memory{Address: d.allocBytes(uint64(n) * elementBytes)}
	if m.Address != 0 {
		d.fail(d.context.Clear(m.Address, uint64(n)*elementBytes, d.stream))
	}
	return m
}

// allocBytes allocates memory of the card and returns its address, or 0 if there is not enough.
func (d *Device) allocBytes(bytes uint64) uint64 {
	if d.err != nil || bytes == 0 {
		return 0
	}
	d.flushCapture()
	address, err := d.context.Alloc(bytes)
	if err != nil {
		d.fail(d.memoryError(err, bytes))
		return 0
	}
	d.allocations[address] = bytes
	d.heldBytes += bytes
	return address
}

// freeBytes frees memory.
func (d *Device) freeBytes(address uint64) error {
	d.heldBytes -= d.allocations[address]
	d.freedCount++
	delete(d.allocations, address)
	return d.context.Free(address)
}

// memoryError returns a MemoryError with the sizes for the error of a failed allocation.
func (d *Device) memoryError(err error, asked uint64) error {
	var failed *driver.Error
	if !errors.As(err, &failed) || failed.Code != driver.OutOfMemory {
		return err
	}
	e := &MemoryError{Asked: asked, Held: d.heldBytes}
	e.Free, e.Total, err = d.context.Memory()
	return errors.Join(e, err)
}

// HeldBytes returns how many bytes of the card's memory the device has allocated.
func (d *Device) HeldBytes() uint64 { return d.heldBytes }

// Slice implements kernels.Device.
func (*Device) Slice(m kernels.Memory, offset, _ int) kernels.Memory {
	if m.Address == 0 {
		return m
	}
	return kernels.Memory{Address: m.Address + uint64(offset)*elementBytes}
}

// Free implements kernels.Device.
func (d *Device) Free(m kernels.Memory) {
	if m.Address == 0 {
		return
	}
	d.flushCapture()
	d.fail(d.context.Wait(d.stream)) // until nothing uses it any more
	d.fail(d.freeBytes(m.Address))
}

// Zero implements kernels.Device.
func (d *Device) Zero(t kernels.Tensor) {
	if d.err == nil && t.Len() > 0 {
		d.fail(d.context.Clear(t.Address, uint64(t.Len())*elementBytes, d.stream))
	}
}

// transferBytes is how many bytes are copied between host and card at a time.
const transferBytes = 4 << 20

// eachTransfer splits n elements into pieces that fit the transfer memory, and calls f for each:
// with its first element and its bytes in the transfer memory.
func (d *Device) eachTransfer(n int, f func(first int, bytes []byte) error) {
	const most = transferBytes / elementBytes
	d.flushCapture()
	for first := 0; first < n && d.err == nil; first += most {
		d.fail(f(first, d.transfer[:min(most, n-first)*elementBytes]))
	}
}

// Write implements kernels.Device.
func (d *Device) Write(t kernels.Tensor, from []float64) {
	d.eachTransfer(t.Len(), func(first int, bytes []byte) error {
		for i := range len(bytes) / elementBytes {
			binary.LittleEndian.PutUint32(bytes[i*elementBytes:], math.Float32bits(float32(from[first+i])))
		}
		return errors.Join(d.context.Upload(t.Address+uint64(first)*elementBytes, bytes, d.stream), d.context.Wait(d.stream))
	})
	if t.Half != 0 {
		d.launch("round", t.Half, t.Address, none, t.Rows, t.Cols)
	}
}

// Read implements kernels.Device. After an error it reads NaN.
func (d *Device) Read(to []float64, t kernels.Tensor) {
	d.eachTransfer(t.Len(), func(first int, bytes []byte) error {
		err := errors.Join(d.context.Download(bytes, t.Address+uint64(first)*elementBytes, d.stream), d.context.Wait(d.stream))
		for i := range len(bytes) / elementBytes {
			to[first+i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(bytes[i*elementBytes:])))
		}
		return err
	})
	if d.err != nil {
		for i := range t.Len() {
			to[i] = math.NaN()
		}
	}
}

// Ints implements kernels.Device.
func (d *Device) Ints(from []int32) kernels.Ints {
	return kernels.Ints{Host: from, Address: d.uploads.upload(bytesOf(from))}
}

// Bytes implements kernels.Device.
func (d *Device) Bytes(from []byte) kernels.Bytes {
	return kernels.Bytes{Host: from, Address: d.uploads.upload(from)}
}

// Reset implements kernels.Device.
func (d *Device) Reset() {
	d.uploads.swapHalves()
}
