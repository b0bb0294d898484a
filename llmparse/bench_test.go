package llmparse

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"capgraph/schemas"
	"capgraph/testing/fakevllm"

	bolt "go.etcd.io/bbolt"
)

// BenchmarkDecode is the work on a reply once it has come: reading, grounding
// and tagging.
func BenchmarkDecode(b *testing.B) {
	o := Defaults()
	o.Model, o.Cache = "m", b.TempDir()
	p, err := New(onDisk, o, rules(b))
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	e := promptExamples[4]
	r := &Record{Content: e.answer, Finish: "stop"}
	var out schemas.Parsed
	b.ReportAllocs()
	for b.Loop() {
		if err := p.decodeReply(&question{text: e.caption}, r, &out); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkTokens is the share of the rule tagger in BenchmarkDecode.
func BenchmarkTokens(b *testing.B) {
	r, e := rules(b), promptExamples[4]
	var out []schemas.Token
	b.ReportAllocs()
	for b.Loop() {
		out = r.Tokens(e.caption, out)
	}
}

var replies = flag.Int("replies", 100_000, "how many replies BenchmarkOpenFromStore opens")

// BenchmarkOpenFromStore opens a folder of replies in a store that is on this machine, and
// looks each up.
func BenchmarkOpenFromStore(b *testing.B) {
	files, dir, kept := aShelf(b)
	w := objectWriter{objects: files.backend(dir).(*objectCache)}
	keys, records := make([]Key, *replies), make([]*Record, sendAt)
	for i := range keys {
		keys[i] = newKey(fmt.Sprint(i))
	}
	for some := range slices.Chunk(slices.Clone(keys), sendAt) {
		slices.SortFunc(some, func(a, b Key) int { return bytes.Compare(a[:], b[:]) })
		for _, k := range some {
			text := fmt.Sprintf("a dog of kind %s on a table near number %d", k.String()[:12], k[0])
			w.add(k, &Record{Model: "meta-llama/Meta-Llama-3-8B-Instruct", Prompt: PromptVersion, Text: text, Form: ReplySchema, Content: fakevllm.Answer(text), Finish: "stop", LogProb: new(float64), In: 411, Out: 57, Room: 256})
		}
		if err := w.flush(); err != nil {
			b.Fatal(err)
		}
	}
	var packed int64
	for _, name := range objectsIn(b, kept) {
		info, err := os.Stat(filepath.Join(kept, name))
		if err != nil {
			b.Fatal(err)
		}
		packed += info.Size()
	}
	for b.Loop() {
		c, err := files.backend(dir).open()
		if err != nil {
			b.Fatal(err)
		}
		for some := range slices.Chunk(keys, sendAt) {
			if err := c.Get(some, records[:len(some)]); err != nil || records[0] == nil {
				b.Fatal(err)
			}
		}
		var mirror int64
		c.own.View(func(tx *bolt.Tx) error { mirror = tx.Size(); return nil })
		b.ReportMetric(float64(mirror)/float64(len(keys)), "mirror_B/reply")
		if err := c.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(packed)/float64(len(keys)), "object_B/reply")
	b.ReportMetric(float64(len(keys)*b.N)/b.Elapsed().Seconds(), "replies/s")
}
