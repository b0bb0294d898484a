package llmparse

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"

	"capgraph/llmparse/client"
	"capgraph/llmparse/replies"
	"capgraph/schemas"
	"capgraph/testing/fakevllm"
)

// inFile changes the values of a file of replies.
func inFile(t *testing.T, dir string, change func(b *bolt.Bucket) error) {
	t.Helper()
	db, err := bolt.Open(filepath.Join(dir, "replies-00000.db"), 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bolt.Tx) error { return change(tx.Bucket([]byte("replies/2"))) })
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

// A reply with a flipped bit, one under another key, and one that answers another question are misses:
// there is a warning, they are counted, and asked for again.
func TestDamagedRepliesAreAskedForAgain(t *testing.T) {
	for what, damage := range map[string]func(a, b replies.Key) func(*bolt.Bucket) error{
		"a bit": func(a, _ replies.Key) func(*bolt.Bucket) error {
			return func(in *bolt.Bucket) error {
				v := bytes.Clone(in.Get(a[:]))
				v[bytes.Index(v, []byte("dog"))+1] ^= 1
				return in.Put(a[:], v)
			}
		},
		"another's reply": func(a, b replies.Key) func(*bolt.Bucket) error {
			return func(in *bolt.Bucket) error { return in.Put(a[:], bytes.Clone(in.Get(b[:]))) }
		},
		"nothing": func(a, _ replies.Key) func(*bolt.Bucket) error {
			return func(in *bolt.Bucket) error { return in.Put(a[:], nil) }
		},
		"another's reply with a checksum": nil,
		"no checksum": func(a, _ replies.Key) func(*bolt.Bucket) error {
			return func(in *bolt.Bucket) error { return in.Put(a[:], []byte("{}")) }
		},
	} {
		t.Run(what, func(t *testing.T) {
			s := serverFor(t, fakevllm.Config{})
			o := optionsFor(t, s)
			o.Reply = client.ReplyPlain
			texts := captions(20)
			var words told
			run := func() (out []schemas.Parsed, requests int, damaged int64) {
				before := s.Counts().Requests
				p, err := New(o, rules(t))
				if err != nil {
					t.Fatal(err)
				}
				p.SetWarn(words.add)
				out = parse(t, p, texts...)
				damaged = p.Stats().Damaged
				if err := p.Close(); err != nil {
					t.Fatal(err)
				}
				return out, s.Counts().Requests - before, damaged
			}
			first, _, _ := run()
			p, err := New(o, rules(t))
			if err != nil {
				t.Fatal(err)
			}
			a, b := p.keyOf(texts[3]), p.keyOf(texts[4])
			if err := p.Close(); err != nil {
				t.Fatal(err)
			}
			if damage == nil { // another question's reply, with its checksum
				putReply(t, o.Cache, a, storedIn(t, o.Cache, b))
			} else {
				inFile(t, o.Cache, damage(a, b))
			}
			graphs := func(out []schemas.Parsed) (lines []string) {
				for i := range out {
					lines = append(lines, line(texts[i], &out[i].Graph))
				}
				return lines
			}
			again, requests, damaged := run()
			if requests != 1 || damaged != 1 || !slices.Equal(graphs(again), graphs(first)) {
				t.Errorf("%d requests, %d damaged, want 1 and 1, and the same graphs", requests, damaged)
			}
			if said := words.all(); strings.Count(said, "\n") != 0 || !strings.Contains(said, a.String()) || !strings.Contains(said, "counts as missing") {
				t.Errorf("told:\n%s", said)
			}
			if third, requests, damaged := run(); requests != 0 || damaged != 0 || !slices.Equal(graphs(third), graphs(first)) {
				t.Errorf("then %d requests, %d damaged", requests, damaged)
			}
		})
	}
}

// A cache is on this machine: the message of one in an object store says what to do.
func TestACacheInAStoreIsRefused(t *testing.T) {
	o := client.Defaults()
	o.Model, o.Cache = "m", "s3://bucket/replies"
	_, err := New(o, rules(t))
	for what, err := range map[string]error{"New": err, "HasAny": second(replies.HasAny(o.Cache)), "Merge": second(replies.Merge(o.Cache))} {
		if err == nil || !strings.Contains(err.Error(), "is no folder of this machine") || !strings.Contains(err.Error(), "copy its files") {
			t.Errorf("%s: error is %v", what, err)
		}
	}
	o.Cache = "file://" + t.TempDir()
	p, err := New(o, rules(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
}

func second[T any](_ T, err error) error { return err }

// storedIn returns the reply to a key in a folder of replies.
func storedIn(t *testing.T, dir string, k replies.Key) *replies.Record {
	t.Helper()
	c, err := replies.OpenReadOnly(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var r [1]*replies.Record
	if err := c.Get([]replies.Key{k}, r[:]); err != nil || r[0] == nil {
		t.Fatal(r[0], err)
	}
	return r[0]
}

// putReply stores a reply under a key.
func putReply(t *testing.T, dir string, k replies.Key, r *replies.Record) {
	t.Helper()
	c, err := replies.Open(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(c.Put(k, r), c.Close()); err != nil {
		t.Fatal(err)
	}
}
