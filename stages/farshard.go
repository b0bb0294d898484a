package stages

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"github.com/go-json-experiment/json"
	"slices"
	"sync"

	"capgraph/folder"
	"capgraph/negatives"
	"capgraph/store"
)

const (
	// mostRaw is how many bytes of a shard's captions that lie elsewhere are held in memory, as
	// the file has them. More are held in a scratch file.
	mostRaw = 16 << 20
	// mostSaid is how many bytes of what they say are kept, and as much again of what was not
	// asked for since: what a shard of output.shard_rows as it is takes whose images all lie
	// apart in it. Of more, what was not asked for longest is made once more.
	mostSaid = 64 << 20
)

// farShard are the captions of the images of a shard that lie elsewhere, and what they say, which
// is made once for all rows of an image.
type farShard struct {
	raw    rawCaptions
	images map[uint64]farSpan // by the hashes that images are known by

	mu          sync.Mutex
	now, before map[string]*farImage // by the key of the image and all its hashes
	bytes, most int                  // of those in now
}

// farSpan is where the captions of an image lie in rawCaptions: so many bytes from an offset on.
type farSpan struct{ at, size int64 }

// farImage is what the captions of an image say.
type farImage struct {
	once sync.Once
	said *negatives.Elsewhere
	err  error

	bytes int // of said, 0 until it is made; guarded by farShard.mu
}

// farText is a caption as the file has it, and the hash of its text.
type farText struct {
	hash    uint64
	caption []byte
}

// read reads the captions of a shard's images that lie elsewhere; nil if there are none.
func (of *farShards) read(f folder.Folder, shard string) (*farShard, error) {
	s := &farShard{
		raw:    rawCaptions{scratch: of.scratch, most: int64(of.mostRaw)},
		images: map[uint64]farSpan{}, now: map[string]*farImage{}, most: of.mostSaid,
	}
	err := s.readAll(f, shard)
	if err != nil || len(s.images) == 0 {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *farShard) readAll(f folder.Folder, shard string) error {
	for row, err := range f.CountsOf(folder.Reduced(folder.Far), shard) {
		if err != nil {
			return err
		}
		id, rest, err := unhex(row.Key)
		if err != nil {
			return err
		}
		hash, caption, err := unhex(rest)
		if err != nil {
			return err
		}
		span, known := s.images[id]
		if !known {
			span.at = s.raw.size
		}
		if err := s.raw.add(hash, caption); err != nil {
			return err
		}
		span.size = s.raw.size - span.at
		s.images[id] = span
	}
	return s.raw.flush()
}

// scratchOf makes scratch files for captions in a folder.
func scratchOf(f folder.Folder) func() (store.Temp, error) {
	return func() (store.Temp, error) { return f.Scratch("far") }
}

func (s *farShard) close() error { return s.raw.close() }

// has reports whether captions of the image with that hash lie elsewhere.
func (s *farShard) has(id uint64) bool {
	_, has := s.images[id]
	return has
}

// said is what captions say that lie elsewhere of an image that is known by hashes.
func (s *farShard) said(g *negatives.Generator, image string, ids []uint64) (*negatives.Elsewhere, error) {
	key := []byte(image)
	for _, id := range ids {
		key = binary.LittleEndian.AppendUint64(key, id)
	}
	of := s.image(string(key))
	of.once.Do(func() {
		of.err = errors.New("what captions say that lie elsewhere could not be made") // if it panics
		of.said, of.err = s.read(g, image, ids)
		if of.err == nil {
			s.keep(of)
		}
	})
	return of.said, of.err
}

// image is what is kept under a key, or new.
func (s *farShard) image(key string) *farImage {
	s.mu.Lock()
	defer s.mu.Unlock()
	of := s.now[key]
	if of != nil {
		return of
	}
	if of = s.before[key]; of == nil {
		of = new(farImage)
	}
	s.now[key] = of
	s.bytes += of.bytes
	return of
}

// keep counts what was made.
func (s *farShard) keep(of *farImage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	of.bytes = of.said.Bytes()
	if s.bytes += of.bytes; s.bytes > s.most {
		s.before, s.now, s.bytes = s.now, map[string]*farImage{}, 0
	}
}

// read makes what the captions say.
func (s *farShard) read(g *negatives.Generator, image string, ids []uint64) (*negatives.Elsewhere, error) {
	var all []farText
	for _, id := range ids {
		texts, err := s.raw.read(s.images[id])
		if err != nil {
			return nil, err
		}
		all = append(all, texts...)
	}
	slices.SortFunc(all, func(x, y farText) int {
		return cmp.Or(cmp.Compare(x.hash, y.hash), slices.Compare(x.caption, y.caption))
	})
	all = slices.CompactFunc(all, func(x, y farText) bool { return x.hash == y.hash })
	hashes := make([]uint64, len(all))
	for i := range all {
		hashes[i] = all[i].hash
	}
	return g.ReadElsewhere(image, hashes, func(i int) (negatives.Caption, error) {
		var c farCaption
		if err := json.Unmarshal(all[i].caption, &c); err != nil {
			return negatives.Caption{}, fmt.Errorf("captions that lie elsewhere: %w", err)
		}
		return negatives.Caption{Text: c.Text, Tokens: c.Tokens, Graph: c.Graph}, nil
	})
}

// rawCaptions are captions as the file has them, each with the hash of its text and its length
// before it: in memory, or if they are many in a scratch file.
type rawCaptions struct {
	scratch func() (store.Temp, error)
	most    int64 // in memory
	memory  []byte
	file    store.Temp
	out     *bufio.Writer // to the file
	size    int64
	head    []byte
}

// rawHead is the length of what comes before a caption.
const rawHead = 12

func (r *rawCaptions) add(hash uint64, caption string) (err error) {
	r.head = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint64(r.head[:0], hash), uint32(len(caption)))
	r.size += int64(rawHead + len(caption))
	if r.file == nil && r.size > r.most && r.scratch != nil {
		if r.file, err = r.scratch(); err != nil {
			return err
		}
		r.out = bufio.NewWriterSize(r.file, 1<<20)
		if _, err := r.out.Write(r.memory); err != nil {
			return err
		}
		r.memory = nil
	}
	if r.file == nil {
		r.memory = append(append(r.memory, r.head...), caption...)
		return nil
	}
	_, err = r.out.Write(r.head)
	if err == nil {
		_, err = r.out.WriteString(caption)
	}
	return err
}

// flush ends the adding.
func (r *rawCaptions) flush() error {
	if r.file == nil {
		return nil
	}
	err := r.out.Flush()
	r.out = nil
	return err
}

func (r *rawCaptions) close() error {
	if r.file == nil {
		return nil
	}
	return r.file.Discard()
}

// read reads the captions of a span.
func (r *rawCaptions) read(of farSpan) (texts []farText, err error) {
	var data []byte
	if r.file == nil {
		data = r.memory[of.at:][:of.size]
	} else {
		data = make([]byte, of.size)
		if n, err := r.file.ReadAt(data, of.at); n < len(data) {
			return nil, err
		}
	}
	for len(data) > 0 {
		hash, size := binary.LittleEndian.Uint64(data), binary.LittleEndian.Uint32(data[8:])
		texts = append(texts, farText{hash, data[rawHead:][:size]})
		data = data[rawHead+size:]
	}
	return texts, nil
}
