package cpu

import "capgraph/kernels"

// Name implements kernels.Device.
func (d *Device) Name() string { return "cpu/" + d.set.Name }

// ElementBytes implements kernels.Device.
func (*Device) ElementBytes() int { return 4 }

// UsesHalf implements kernels.Device.
func (*Device) UsesHalf() bool { return false }

// Alloc implements kernels.Device.
func (*Device) Alloc(n int) kernels.Memory { return kernels.Memory{F32: make([]float32, n)} }

// Slice implements kernels.Device.
func (*Device) Slice(m kernels.Memory, offset, n int) kernels.Memory {
	return kernels.Memory{F32: m.F32[offset : offset+n : offset+n]}
}

// Free implements kernels.Device.
func (*Device) Free(kernels.Memory) {}

// Write implements kernels.Device.
func (*Device) Write(t kernels.Tensor, from []float64) {
	for i, v := range from[:t.Len()] {
		t.F32[i] = float32(v)
	}
}

// Read implements kernels.Device.
func (*Device) Read(to []float64, t kernels.Tensor) {
	for i, v := range t.F32[:t.Len()] {
		to[i] = float64(v)
	}
}

// Ints implements kernels.Device.
func (*Device) Ints(from []int32) kernels.Ints { return kernels.Ints{Host: from} }

// Bytes implements kernels.Device.
func (*Device) Bytes(from []byte) kernels.Bytes { return kernels.Bytes{Host: from} }

// Reset implements kernels.Device.
func (*Device) Reset() {}

// Err implements kernels.Device.
func (*Device) Err() error { return nil }
