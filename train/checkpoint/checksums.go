package checkpoint

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"maps"
	"strconv"
)

// checksumsKey is the metadata key whose value has the checksums of all tensors and of the other
// metadata: a JSON object from names to CRC-32C in hexadecimal.
const checksumsKey = "capgraph.crc32c"

// metadataName is the name of the metadata in the header, and in the checksums.
const metadataName = "__metadata__"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// addChecksums returns the metadata with the checksums of the tensors and of the metadata
// themselves.
func addChecksums(metadata map[string]string, tensors map[string]Tensor) (map[string]string, error) {
	all := maps.Clone(metadata)
	if all == nil {
		all = map[string]string{}
	}
	delete(all, checksumsKey)
	sums := map[string]string{}
	for name, t := range tensors {
		sums[name] = formatChecksum(t.checksum())
	}
	sum, err := checksumOf(all)
	if err != nil {
		return nil, err
	}
	sums[metadataName] = formatChecksum(sum)
	text, err := json.Marshal(sums) // keys sorted
	all[checksumsKey] = string(text)
	return all, err
}

func formatChecksum(sum uint32) string { return fmt.Sprintf("%08x", sum) }

// checksum returns the checksum of the tensor's bytes in a file.
func (t Tensor) checksum() uint32 {
	_, n, _, _ := t.encoding()
	sum := uint32(0)
	var b []byte
	for at := 0; at < n; at += elementsAtATime {
		b = t.appendTo(b[:0], at, min(at+elementsAtATime, n))
		sum = crc32.Update(sum, castagnoli, b)
	}
	return sum
}

// checksumOf returns the checksum of the metadata, except the entry of checksumsKey.
func checksumOf(metadata map[string]string) (uint32, error) {
	text, err := json.Marshal(metadata) // keys sorted
	return crc32.Checksum(text, castagnoli), err
}

// takeChecksums moves the checksums from the metadata to the Info of the tensors. Files of other
// tools, and of earlier versions, have none.
func (r *Reader) takeChecksums() error {
	text, ok := r.Metadata[checksumsKey]
	if !ok {
		return nil
	}
	delete(r.Metadata, checksumsKey)
	var sums map[string]string
	if err := json.Unmarshal([]byte(text), &sums); err != nil {
		return fmt.Errorf("its checksums: %w", err)
	}
	sum, err := checksumOf(r.Metadata)
	if err != nil {
		return err
	}
	if formatChecksum(sum) != sums[metadataName] {
		return fmt.Errorf("its metadata do not have their checksum %.20q", sums[metadataName])
	}
	for i := range r.infos {
		info := &r.infos[i]
		want, err := strconv.ParseUint(sums[info.Name], 16, 32)
		if err != nil {
			return fmt.Errorf("tensor %.200q has no checksum, as the others have", info.Name)
		}
		info.checksum = new(uint32)
		*info.checksum = uint32(want)
	}
	return nil
}

// verifyChecksum returns an error if data does not have the tensor's checksum.
func (i Info) verifyChecksum(data []byte) error {
	if i.checksum == nil || crc32.Checksum(data, castagnoli) == *i.checksum {
		return nil
	}
	return fmt.Errorf("its bytes do not have the checksum in the file's metadata, %s: the file is damaged, or a tool changed the tensor and kept the metadata", formatChecksum(*i.checksum))
}
