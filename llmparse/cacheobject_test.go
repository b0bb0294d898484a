package llmparse

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// An object that is not what was put is an error that names it and what to do. Once it
// is removed, all others are there.
func TestDamagedObjectsAreNamed(t *testing.T) {
	files, dir, kept := aShelf(t)
	for _, question := range []string{"a", "b"} {
		c := open(t, files, dir)
		put(t, c, question, "of "+question, 0)
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	names := objectsIn(t, kept)
	victim := filepath.Join(kept, names[0])
	whole, other := bytesOf(t, victim), bytesOf(t, filepath.Join(kept, names[1]))
	flipped := bytes.Clone(whole)
	flipped[len(flipped)/2] ^= 1
	for what, data := range map[string][]byte{
		"empty": {}, "text": []byte("not an object\n"), "half": whole[:len(whole)/2], "but one byte": whole[:len(whole)-1],
		"one bit": flipped, "another's": other, "twice": append(bytes.Clone(whole), whole...),
	} {
		writeTo(t, victim, data)
		c, err := files.backend(dir).open()
		if err == nil {
			c.Close()
		}
		for does, err := range map[string]error{"open": err, "export": files.ExportCache(dir, new(bytes.Buffer)), "merge": second(files.MergeCache(dir))} {
			if err == nil || !strings.Contains(err.Error(), dir+"/"+names[0]) || !strings.Contains(err.Error(), "remove it; its replies will be asked for again") {
				t.Errorf("%s, %s: error is %v", what, does, err)
			}
		}
	}
	if got := objectsIn(t, kept); !slices.Equal(got, names) {
		t.Errorf("objects are %v, were %v", got, names)
	}
	if err := os.Remove(victim); err != nil {
		t.Fatal(err)
	}
	c := open(t, files, dir)
	if a, b := contentOf(t, c, "a"), contentOf(t, c, "b"); (a == "") == (b == "") {
		t.Errorf("replies are %q and %q, want one of them", a, b)
	}
}

func bytesOf(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func writeTo(t testing.TB, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func second[T any](_ T, err error) error { return err }

// Whatever lies under the name of an object, it is read as it was put, or is an error.
func FuzzReadObject(f *testing.F) {
	line := func(key, rest string) string { return `{"key":"` + newKey(key).String() + `"` + rest + "}\n" }
	f.Add([]byte(line("a", `,"model":"m","content":"x"`)), true)
	f.Add([]byte(line("a", ``)+line("a", ``)), true)
	f.Add([]byte(`{"key":"00"}`), true)
	f.Add([]byte("null\n"), true)
	f.Add([]byte(""), true)
	_, packed, err := packObject([]byte(line("a", `,"logprob":-0.5,"round":1`)))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(packed, false)
	f.Fuzz(func(t *testing.T, data []byte, lines bool) {
		name, object := "replies-00000000000000000000000000000000.jsonl.zst", data
		if lines {
			if name, object, err = packObject(data); err != nil {
				t.Fatal(err)
			}
		}
		keys, records, err := unpackObject(path.Join("s3://b", name), object)
		if err != nil {
			return
		}
		files, dir, kept := aShelf(t)
		w := objectWriter{objects: files.backend(dir).(*objectCache)}
		for i, k := range keys {
			if err := w.add(k, records[i]); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.flush(); err != nil {
			t.Fatal(err)
		}
		n := 0
		err = files.backend(dir).each(func(_ string, k Key, r *Record) error {
			if k != keys[n] || r.Content != records[n].Content || r.Round != records[n].Round {
				t.Errorf("reply %d is %+v, was %+v", n, r, records[n])
			}
			n++
			return nil
		})
		if err != nil || n != len(keys) || n == 0 {
			t.Errorf("%d of %d replies of %v, %v", n, len(keys), objectsIn(t, kept), err)
		}
	})
}
