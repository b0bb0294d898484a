package curate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// wura returns WURA's settings, with a list of one word.
func wura(t *testing.T) Options {
	t.Helper()
	words := filepath.Join(t.TempDir(), "words.txt")
	if err := os.WriteFile(words, []byte("BadWord\n\nvery bad\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return Options{MinDistinctWords: 4, MaxRepetition: 0.2, MaxDigits: 0.4, Tags: TagsReject, OffensiveWords: words}
}

func TestRulesByExample(t *testing.T) {
	f, err := New(wura(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules {
		if got := f.Check(r.example); got != r.reason {
			t.Errorf("%q is turned away for %q, want %q", r.example, got, r.reason)
		}
	}
}

func TestCheck(t *testing.T) {
	f, err := New(wura(t))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"A man on a bike with a dog on a leash": "",
		"":                                      ReasonFewWords,
		"...":                                   ReasonFewWords,
		"a woman, very bad at tennis":           ReasonOffensive,
		"a woman at badwords, very tall":        "",
		"A VERY BAD day at the beach":           ReasonOffensive,
		"一 二 三 四 五":                             "",
		"12 34 56 78 90 red buses":              ReasonDigits,
		strings.Repeat("shoe ", 5000):           ReasonFewWords,
		"one two three four " + strings.Repeat("shoe ", 5000):             ReasonRepetition,
		"the the the the of of of a tall giraffe eats green leaves":       "",
		"a tall giraffe and a tall giraffe and a tall giraffe and leaves": ReasonRepetition,
	} {
		if got := f.Check(text); got != want {
			t.Errorf("%.40q is turned away for %q, want %q", text, got, want)
		}
	}
}

func TestDefaultsRejectNothing(t *testing.T) {
	f, err := New(Defaults())
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "1", "shoe shoe shoe", "Ein Hund"} {
		if reason := f.Check(text); reason != "" {
			t.Errorf("%q is turned away for %s", text, reason)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for want, change := range map[string]func(*Options){
		"min_distinct_words:": func(o *Options) { o.MinDistinctWords = -1 },
		"max_repetition:":     func(o *Options) { o.MaxRepetition = 1.1 },
		"max_digits:":         func(o *Options) { o.MaxDigits = -0.1 },
		"offensive_words:":    func(o *Options) { o.OffensiveWords = filepath.Join(t.TempDir(), "absent") },
	} {
		o := Defaults()
		change(&o)
		if _, err := New(o); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s error %v", want, err)
		}
	}
}

// A list means its words in any encoding, or is refused.
func TestListsAsTheyAreSaved(t *testing.T) {
	const caption = "people who don't like the caf\u00e9"
	o := wura(t)
	for data, want := range map[string]string{
		"caf\u00e9\n":          ReasonOffensive,
		"cafe\u0301\n":         ReasonOffensive,
		"DON\u2019T like\n":    ReasonOffensive,
		"\ufeffdon't\r\n":      ReasonOffensive,
		"who\u00a0 don't":      ReasonOffensive,
		"\U0001f595\nteapot\n": "",
		"":                     "words.txt: holds no word (write one word or phrase a line",
		"\ufeff\n \n***\n":     "words.txt: holds no word",
		"dog\ncaf\xe9\n":       `words.txt: line 2 is not UTF-8: "caf\xe9\n" (save the file as UTF-8`,
		"caf\ufffd\n":          "words.txt: line 1 is not UTF-8",
		"do\x00g\n":            "words.txt: line 1 is not UTF-8",
		"\xff\xfed\x00o\x00":   "words.txt: is UTF-16 (convert it: iconv",
		"\xfe\xff\x00d\x00o":   "words.txt: is UTF-16",
		"d\x00o\x00g\x00":      "words.txt: is UTF-16",
		"\x1f\x8b\x08\x00abc":  "words.txt: line 1 is not UTF-8",
	} {
		if err := os.WriteFile(o.OffensiveWords, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := New(o)
		switch {
		case err != nil && (want == "" || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, want %q", data, err, want)
		case err == nil && f.Check(caption) != want:
			t.Errorf("%q: the caption is turned away for %q, want %q", data, f.Check(caption), want)
		}
	}
}

func TestVersionFollowsTheWords(t *testing.T) {
	o := wura(t)
	a, _ := New(o)
	if err := os.WriteFile(o.OffensiveWords, []byte("other\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b, _ := New(o)
	if a.Version() == b.Version() {
		t.Error("another file of words has the same version")
	}
}

func firstGeneration(string) int { return 0 }

// Of equal rows one of the earliest generation stays, whatever the names of the files are.
func TestDropKeepsTheEarliestGeneration(t *testing.T) {
	of := map[string]int{"a.tsv": 2, "b.tsv": 1, "c.tsv": 0, "d.tsv": 1}
	for _, c := range []struct{ rows, dropped string }{
		{"a0", ""},
		{"a0 b0", "a0"},
		{"a0 b0 c0 c1 d0", "a0 b0 c1 d0"},
		{"a0 a1 b0 d0", "a0 a1 d0"},
		{"b0 b1 d0", "b1 d0"},
	} {
		var got []string
		drops := NewDrops(func(source string) int { return of[source] }, func(place string) error {
			row, err := PlaceRow(place)
			got = append(got, fmt.Sprintf("%c%d", place[0], row))
			return err
		})
		for _, bucket := range []string{"0", "1"} {
			for _, row := range strings.Fields(c.rows) {
				if err := drops.Add(bucket + separator + Place(row[:1]+".tsv", int64(row[1]-'0')) + separator + "key"); err != nil {
					t.Fatal(err)
				}
			}
		}
		slices.Sort(got)
		if got = slices.Compact(got); strings.Join(got, " ") != c.dropped {
			t.Errorf("of %s are dropped %q, want %s", c.rows, got, c.dropped)
		}
	}
}

// drop returns the dropped rows of captions, which have one key.
func drop(t *testing.T, mode string, captions ...string) []int {
	t.Helper()
	var keys, places []string
	for i, c := range captions {
		EachKey(mode, c, "file.tsv", int64(i), "key", func(_, key string, _ int64) { keys = append(keys, key) })
	}
	slices.Sort(keys)
	drops := NewDrops(firstGeneration, func(place string) error {
		places = append(places, place)
		return nil
	})
	for _, key := range keys {
		if err := drops.Add(key); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(places)
	places = slices.Compact(places)
	var rows []int
	for i := range captions {
		if slices.Contains(places, Place("file.tsv", int64(i))) {
			rows = append(rows, i)
		}
	}
	if len(rows) != len(places) {
		t.Errorf("%d rows have the places %q", len(rows), places)
	}
	return rows
}

func TestDropKeepsTheLowestRow(t *testing.T) {
	captions := []string{
		"A man riding a wave on a surfboard in the blue ocean near a beach with many people and tall green palm trees",
		"a dog on a couch",
		"the man riding a wave on a surfboard in the blue ocean near a beach with many people and tall green palm trees.",
		"A man riding a wave on a surfboard in the blue ocean near a beach with many people and tall green palm trees today",
		"A cat under a table",
		"a dog on a couch",
		"", "",
	}
	for mode, want := range map[string][]int{
		DedupeOff:   nil,
		DedupeExact: {2, 5, 7},
		DedupeNear:  {2, 3, 5, 7},
	} {
		if got := drop(t, mode, captions...); !slices.Equal(got, want) {
			t.Errorf("%s drops %v, want %v", mode, got, want)
		}
	}
}

func TestDropOrdersRowsAsNumbers(t *testing.T) {
	captions := make([]string, 11)
	for i := range captions {
		captions[i] = fmt.Sprintf("number %d of its own kind %d", i, i*i)
	}
	captions[2], captions[10] = "a dog", "a dog"
	if got := drop(t, DedupeExact, captions...); !slices.Equal(got, []int{10}) {
		t.Errorf("dropped %v, want row 10", got)
	}
}

func TestDropRefuses(t *testing.T) {
	full := errors.New("full")
	drops := NewDrops(firstGeneration, func(string) error { return full })
	if err := drops.Add("x"); err == nil {
		t.Error("a key without its parts is no error")
	}
	if err := drops.Add("bucket\x00a.tsv\x000\x00key"); err != nil {
		t.Errorf("the first of a bucket: %v", err)
	}
	if err := drops.Add("bucket\x00a.tsv\x001\x00key"); err != full {
		t.Errorf("error %v, want that of who takes the places", err)
	}
}

func BenchmarkCheck(b *testing.B) {
	f, err := New(Options{MinDistinctWords: 4, MaxRepetition: 0.2, MaxDigits: 0.4})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		f.Check("A young boy with an umbrella who is touching the horn of a cow.")
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "captions/s")
}

func BenchmarkEachKey(b *testing.B) {
	for _, mode := range []string{DedupeExact, DedupeNear} {
		b.Run(mode, func(b *testing.B) {
			for b.Loop() {
				EachKey(mode, "A young boy with an umbrella who is touching the horn of a cow.", "file.tsv", 7, "000000007", func(string, string, int64) {})
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "captions/s")
		})
	}
}
