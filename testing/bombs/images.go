package bombs

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
)

// PNG returns a black PNG with that many bytes a pixel: 3 for colours, or 2 for 16-bit grey.
func PNG(width, height, bytesOfPixel int) ([]byte, error) {
	depth, colours := byte(8), byte(2)
	if bytesOfPixel == 2 {
		depth, colours = 16, 0
	}
	var data bytes.Buffer
	w, err := zlib.NewWriterLevel(&data, zlib.BestSpeed)
	if err != nil {
		return nil, err
	}
	row := make([]byte, 1+width*bytesOfPixel)
	for range height {
		if _, err := w.Write(row); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	file := []byte("\x89PNG\r\n\x1a\n")
	chunk := func(name string, body []byte) {
		file = binary.BigEndian.AppendUint32(file, uint32(len(body)))
		begin := len(file)
		file = append(append(file, name...), body...)
		file = binary.BigEndian.AppendUint32(file, crc32.ChecksumIEEE(file[begin:]))
	}
	head := binary.BigEndian.AppendUint32(nil, uint32(width))
	head = binary.BigEndian.AppendUint32(head, uint32(height))
	chunk("IHDR", append(head, depth, colours, 0, 0, 0))
	chunk("IDAT", data.Bytes())
	chunk("IEND", nil)
	return file, nil
}

// JPEG returns a grey progressive JPEG. A decoder must hold the coefficients of its three channels,
// though a block of 64 pixels takes only a bit.
func JPEG(width, height int) []byte {
	file := []byte{0xff, 0xd8}
	segment := func(marker byte, body []byte) {
		file = append(file, 0xff, marker)
		file = binary.BigEndian.AppendUint16(file, uint16(len(body)+2))
		file = append(file, body...)
	}
	segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...)) // quantised by 1
	frame := append([]byte{8}, binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(nil, uint16(height)), uint16(width))...)
	segment(0xc2, append(frame, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0))
	// A one-bit code that means: nothing changes.
	segment(0xc4, append(append([]byte{0, 1}, make([]byte, 15)...), 0))
	segment(0xda, []byte{3, 1, 0, 2, 0, 3, 0, 0, 0, 0})
	blocks := 3 * ((width + 7) / 8) * ((height + 7) / 8)
	file = append(file, make([]byte, (blocks+7)/8)...)
	return append(file, 0xff, 0xd9)
}

// WebP returns a black lossless WebP whose pixels take no bits at all.
func WebP(width, height int) []byte {
	var bits uint64
	var n uint
	var data []byte
	put := func(value uint64, width uint) {
		bits |= value << n
		for n += width; n >= 8; n -= 8 {
			data = append(data, byte(bits))
			bits >>= 8
		}
	}
	put(0x2f, 8)
	put(uint64(width-1), 14)
	put(uint64(height-1), 14)
	put(0, 1+3) // no alpha, version 0
	put(0, 1)   // no transform
	put(0, 1)   // no colour cache
	put(0, 1)   // one group of prefix codes
	for range 5 {
		put(1, 1) // a code with few symbols,
		put(0, 1) // of one
		put(0, 1) // of one bit:
		put(0, 1) // 0
	}
	put(0, 7)
	if len(data)%2 == 1 {
		data = append(data, 0)
	}
	file := append([]byte("RIFF"), binary.LittleEndian.AppendUint32(nil, uint32(len(data)+12))...)
	file = append(file, "WEBPVP8L"...)
	file = binary.LittleEndian.AppendUint32(file, uint32(len(data)))
	return append(file, data...)
}
