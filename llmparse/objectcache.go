package llmparse

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"sync"

	"capgraph/internal/text"
	"capgraph/store"

	bolt "go.etcd.io/bbolt"
)

// objectCache is a cache of replies in an object store: immutable objects of sorted lines, named by
// their hash.
type objectCache struct {
	within Files
	dir    string
	mirror *bolt.DB // while it is open to write

	sending sync.Mutex // held while objects are put
	mu      sync.Mutex
	unsent  map[Key]struct{} // replies of the mirror that are in no object
}

// sendAt is how many replies wait until they are put. A process that is killed loses
// that many, and what came while others were on their way.
const sendAt = 4096

func (s *objectCache) open() (*Cache, error) {
	c, err := s.read()
	if err != nil {
		return nil, err
	}
	s.mirror = c.others[0]
	c.own, c.others, c.objects = s.mirror, nil, s
	c.startWriter()
	return c, nil
}

func (s *objectCache) read() (*Cache, error) {
	db, err := openMirror(s.within.Scratch)
	if err != nil {
		return nil, err
	}
	if _, err := s.load(db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &Cache{others: []*bolt.DB{db}}, nil
}

// files are the objects. A folder that is not there has none.
func (s *objectCache) files() ([]store.Info, error) {
	infos, err := s.within.Store.List(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("cache: %w", err)
	}
	return slices.DeleteFunc(infos, func(i store.Info) bool { return i.Dir || !objectName.MatchString(path.Base(i.Name)) }), nil
}

func (s *objectCache) has() (bool, error) {
	files, err := s.files()
	return len(files) > 0, err
}

// readObject reads the object of that name.
func (s *objectCache) readObject(name string) ([]Key, []*Record, error) {
	packed, err := store.ReadFile(s.within.Store, name, mostObject)
	if err != nil {
		return nil, nil, fmt.Errorf("cache: %w", err)
	}
	keys, records, err := unpackObject(name, packed)
	if err != nil {
		return nil, nil, fmt.Errorf("cache: %s is damaged or cut off (%w): remove it; its replies will be asked for again", name, err)
	}
	return keys, records, nil
}

// each reads an object at a time.
func (s *objectCache) each(visit func(file string, k Key, r *Record) error) error {
	files, err := s.files()
	if err != nil {
		return err
	}
	for _, f := range files {
		keys, records, err := s.readObject(f.Name)
		if err != nil {
			return err
		}
		for i, k := range keys {
			if err := visit(f.Name, k, records[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkWritable finds what keeps objects from being put, before there are any.
func (s *objectCache) checkWritable() error {
	t, err := s.within.Store.Create(store.Join(s.dir, hashName(nil)))
	if err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	return t.Discard()
}

// add records replies of the mirror that the store lacks, and sends them if they are many.
func (s *objectCache) add(keys []Key) error {
	s.mu.Lock()
	for _, k := range keys {
		s.unsent[k] = struct{}{}
	}
	many := len(s.unsent) >= sendAt
	s.mu.Unlock()
	if !many || !s.sending.TryLock() {
		return nil
	}
	defer s.sending.Unlock()
	return s.sendObjects()
}

// keepReplies returns once all that was added is in the store.
func (s *objectCache) keepReplies() error {
	s.sending.Lock()
	defer s.sending.Unlock()
	return s.sendObjects()
}

// sendObjects puts what is unsent. The caller holds sending.
func (s *objectCache) sendObjects() error {
	s.mu.Lock()
	unsent := s.unsent
	s.unsent = map[Key]struct{}{}
	s.mu.Unlock()
	keys := slices.SortedFunc(maps.Keys(unsent), func(a, b Key) int { return bytes.Compare(a[:], b[:]) })
	if err := s.put(keys); err != nil {
		s.mu.Lock()
		maps.Copy(s.unsent, unsent)
		s.mu.Unlock()
		return fmt.Errorf("cache: %d %s not in %s: %w", len(keys), text.Plural(len(keys), "reply is", "replies are"), s.dir, err)
	}
	return nil
}

// put puts replies of the mirror, which is not held meanwhile.
func (s *objectCache) put(keys []Key) error {
	mirror := Cache{own: s.mirror}
	w := objectWriter{objects: s}
	for some := range slices.Chunk(keys, 512) {
		records := make([]*Record, len(some))
		if err := mirror.Get(some, records); err != nil {
			return err
		}
		for i, k := range some {
			if records[i] == nil {
				return scratchError(fmt.Errorf("reply %s: %w", k, errSum))
			}
			if err := w.add(k, records[i]); err != nil {
				return err
			}
		}
	}
	return w.flush()
}

// objectWriter puts replies, in the order of their keys, as objects.
type objectWriter struct {
	objects *objectCache
	lines   bytes.Buffer
	names   []string // of what was put
}

// add adds a reply, and puts an object if it is full.
func (w *objectWriter) add(k Key, r *Record) error {
	line, err := json.Marshal(keyed{k.String(), r})
	if err != nil {
		return err
	}
	w.lines.Write(line)
	w.lines.WriteByte('\n')
	if w.lines.Len() < fullObject {
		return nil
	}
	return w.flush()
}

// flush puts what was added. An object that is there is the same.
func (w *objectWriter) flush() error {
	if w.lines.Len() == 0 {
		return nil
	}
	base, object, err := packObject(w.lines.Bytes())
	if err != nil {
		return err
	}
	w.lines.Reset()
	name := store.Join(w.objects.dir, base)
	if err := store.WriteFile(w.objects.within.Store, name, object); err != nil && !errors.Is(err, store.ErrExists) {
		return err
	}
	w.names = append(w.names, name)
	return nil
}
