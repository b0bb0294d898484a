package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"capgraph/folder"
	"capgraph/internal/counts"
	"capgraph/internal/parquetio"
	"capgraph/negatives/plausible"
	"capgraph/negatives/vocabulary"
	"capgraph/schemas"
)

// corpus writes the counts of a run in which people ride horses and elephants.
func corpus(t *testing.T) (dir string) {
	t.Helper()
	var rows []schemas.Count
	add := func(kind string, n int64, keys ...string) {
		for _, k := range keys {
			rows = append(rows, schemas.Count{Kind: kind, Key: k, N: n})
		}
	}
	for _, s := range people {
		add(vocabulary.Between, 9, s+"\thorse\triding", s+"\telephant\triding")
		add(vocabulary.Usage, 9, s+"\ta")
	}
	for _, o := range []string{"horse", "elephant", "fish"} {
		add(vocabulary.Object, 9, o)
		add(vocabulary.Usage, 9, o+"\ta")
		add(vocabulary.ObjectOf, 9, "riding\t"+o)
	}
	slices.SortFunc(rows, func(a, b schemas.Count) int {
		return strings.Compare(a.Kind+"\x00"+a.Key, b.Kind+"\x00"+b.Key)
	})
	var file bytes.Buffer
	var all iter.Seq2[schemas.Count, error] = func(yield func(schemas.Count, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
	if err := counts.Write(&file, all, parquetio.WriterOptions{}); err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, folder.MetaDir), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, folder.ReducedFile(folder.Vocabulary)), file.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

var people = []string{"man", "woman", "boy", "girl", "soldier", "farmer", "doctor", "king", "queen", "nurse", "teacher", "sailor", "dancer", "singer", "player", "worker"}

// judgedBy has pairs by a reader who finds an elephant good and a fish not.
func judgedBy(t *testing.T) (file string) {
	t.Helper()
	var lines bytes.Buffer
	e := json.NewEncoder(&lines)
	for _, s := range people {
		for _, words := range []string{"a %s riding a horse", "a %s is riding a horse", "there is a %s riding a horse"} {
			for other, verdict := range map[string]string{"an elephant": "good", "a fish": "implausible"} {
				positive := fmt.Sprintf(words, s)
				if err := e.Encode(map[string]string{"source": "s", "replacements": "corpus", "method": "replace_object",
					"positive": positive, "negative": strings.Replace(positive, "a horse", other, 1), "verdict": verdict}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	file = filepath.Join(t.TempDir(), "pairs.jsonl")
	sorted := slices.Sorted(strings.SplitSeq(strings.TrimSpace(lines.String()), "\n"))
	if err := os.WriteFile(file, []byte(strings.Join(sorted, "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestFitLearnsWhatAReaderSays writes weights by which pairs of other captions are told apart as the reader did, the
// same bytes twice.
func TestFitLearnsWhatAReaderSays(t *testing.T) {
	pairs, run := judgedBy(t), "s="+corpus(t)
	var files, tables [2]string
	for i := range files {
		out := filepath.Join(t.TempDir(), "judge.tsv")
		var table bytes.Buffer
		if err := fitJudge(pairs, out, []string{run}, &table); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		files[i], tables[i] = string(b), table.String()
	}
	if files[0] != files[1] || tables[0] != tables[1] {
		t.Error("two fits differ")
	}
	if !strings.Contains(tables[0], "\ns: 48 good, 48 bad, area 1.000,") {
		t.Errorf("pairs are not told apart:\n%s", tables[0])
	}
	for _, methods := range plausible.JudgedMethods() {
		for _, m := range methods {
			if !strings.Contains(files[0], m.String()+"\tcut\t") {
				t.Errorf("%s has no cut", m)
			}
		}
		for _, name := range plausible.EvidenceNames(methods[0]) {
			if !strings.Contains("\n"+files[0], "\n"+methods[0].String()+"\t"+name+"\t") {
				t.Errorf("%s has no weight of %s", methods[0], name)
			}
		}
	}
	if strings.Contains(files[0], "NaN") {
		t.Errorf("a weight is no number:\n%s", files[0])
	}
}

func TestFitRefuses(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.jsonl")
	if err := os.WriteFile(empty, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	run := "s=" + corpus(t)
	for _, c := range []struct{ pairs, source, want string }{
		{empty, run, "no good pair is judged"},
		{empty, "coco", `"coco": want SOURCE=RUN`},
		{empty, "s=" + t.TempDir(), "vocabulary"},
		{filepath.Join(t.TempDir(), "none.jsonl"), run, "none.jsonl"},
	} {
		out := filepath.Join(t.TempDir(), "judge.tsv")
		if err := fitJudge(c.pairs, out, []string{c.source}, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s: %v, want %q", c.pairs, c.source, err, c.want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s, %s: something was written", c.pairs, c.source)
		}
	}
}

func TestVerdictsHaveNoTexts(t *testing.T) {
	for _, c := range []struct{ positive, negative, gone, come string }{
		{"a man riding a horse", "A man riding an elephant", "a horse", "an elephant"},
		{"a red cup and a blue cup", "a blue cup and a red cup", "", ""},
		{"a cat", "a black cat", "", "black"},
		{"", "", "", ""},
	} {
		if gone, come := wordsThatDiffer(c.positive, c.negative); gone != c.gone || come != c.come {
			t.Errorf("%q of %q: %q for %q", c.negative, c.positive, come, gone)
		}
	}
	pairs, out := judgedBy(t), filepath.Join(t.TempDir(), "verdicts.tsv.gz")
	if err := writeVerdicts(pairs+","+pairs, out); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	if want := 2 * 3 * len(people); len(lines) != want || strings.Contains(string(b), "riding") ||
		!slices.ContainsFunc(lines, func(l string) bool {
			return strings.HasSuffix(l, "\treplace_object\thorse\tfish\timplausible\timplausible")
		}) {
		t.Errorf("%d lines, want %d, such as %q", len(lines), want, lines[0])
	}
}
