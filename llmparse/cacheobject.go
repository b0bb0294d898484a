package llmparse

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"

	"github.com/klauspost/compress/zstd"
)

// An object of replies is lines of JSON, as ExportCache writes them, in the order of
// their keys and each key once, compressed by zstd. Its name is made of the hash of
// the lines: it never changes, and two that put the same replies put the same object.
const (
	fullObject = 16 << 20             // bytes of lines, from which on no line is added
	mostObject = fullObject + maxLine // bytes of lines that an object can have
)

var objectName = regexp.MustCompile(`^replies-[0-9a-f]{32}\.jsonl\.zst$`)

// hashName is the name of the object that has these lines.
func hashName(lines []byte) string {
	sum := sha256.Sum256(lines)
	return "replies-" + hex.EncodeToString(sum[:16]) + ".jsonl.zst"
}

// packObject is the object of some lines, and its name.
func packObject(lines []byte) (name string, object []byte, err error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return "", nil, err
	}
	defer z.Close()
	return hashName(lines), z.EncodeAll(lines, nil), nil
}

// unpackObject reads the object of that name. An error says that it is another than was
// put, and what is wrong with it.
func unpackObject(name string, object []byte) (keys []Key, records []*Record, err error) {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mostObject))
	if err != nil {
		return nil, nil, err
	}
	defer z.Close()
	lines, err := z.DecodeAll(object, nil)
	if err != nil {
		return nil, nil, fmt.Errorf("after %d bytes of lines: %w", len(lines), err)
	}
	if is := hashName(lines); is != path.Base(name) {
		return nil, nil, fmt.Errorf("its lines are those of %s", is)
	}
	for n := 1; len(lines) > 0; n++ {
		line, rest, ended := bytes.Cut(lines, []byte{'\n'})
		if !ended {
			return nil, nil, fmt.Errorf("line %d is cut off", n)
		}
		lines = rest
		var r keyed
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, nil, fmt.Errorf("line %d: %w", n, err)
		}
		k, err := parseKey(r.Key)
		switch {
		case err != nil:
			return nil, nil, fmt.Errorf("line %d: %w", n, err)
		case r.Record == nil:
			return nil, nil, fmt.Errorf("line %d has no reply", n)
		case n > 1 && bytes.Compare(keys[n-2][:], k[:]) >= 0:
			return nil, nil, fmt.Errorf("line %d is out of order", n)
		}
		keys, records = append(keys, k), append(records, r.Record)
	}
	if len(keys) == 0 {
		return nil, nil, errors.New("it has no replies")
	}
	return keys, records, nil
}
