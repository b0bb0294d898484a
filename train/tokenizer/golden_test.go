package tokenizer

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"capgraph/store"
)

// data is where the corpora are, which are not part of the project.
const data = "../../../shared/data/"

// shared reads a file of the corpora, or skips the test.
func shared(t testing.TB, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(data + name)
	if os.IsNotExist(err) {
		t.Skipf("%s is absent", data+name)
	}
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// clip is CLIP's tokenizer, or skips the test.
func clip(t testing.TB) *CLIP {
	t.Helper()
	shared(t, "clip/"+Vocabulary)
	c, err := OpenCLIP(store.Local{}, data+"clip/"+Vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// golden is a text of testdata/tricky.jsonl with the ids of open_clip.
type golden struct {
	Text string
	IDs  []int32
}

func tricky(t testing.TB) []golden {
	t.Helper()
	content, err := os.ReadFile("testdata/tricky.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var all []golden
	for line := range bytes.Lines(content) {
		var g golden
		if err := json.Unmarshal(line, &g); err != nil {
			t.Fatal(err)
		}
		all = append(all, g)
	}
	return all
}

func TestTrickyTextsAreAsOpenCLIP(t *testing.T) {
	c := clip(t)
	for _, g := range tricky(t) {
		// The second time the words come from the cache.
		for range 2 {
			if got := c.Encode(nil, g.Text); !slices.Equal(got, g.IDs) {
				t.Errorf("%q: ids %v, open_clip has %v", g.Text, got, g.IDs)
			}
		}
	}
}

func TestCorporaAreAsOpenCLIP(t *testing.T) {
	c := clip(t)
	content, err := os.ReadFile("testdata/corpora.json")
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]struct {
		Texts  int
		SHA256 string
	}
	if err := json.Unmarshal(content, &want); err != nil {
		t.Fatal(err)
	}
	for name, texts := range map[string][]string{"coco": coco(t), "karpathy": karpathy(t), "cc3m": cc3m(t), "web": web(t)} {
		sum := sha256.New()
		var ids []int32
		for _, text := range texts {
			ids = c.Encode(append(ids[:0], 0), text)
			ids[0] = int32(len(ids) - 1)
			binary.Write(sum, binary.LittleEndian, ids)
		}
		if len(texts) != want[name].Texts {
			t.Errorf("%s has %d texts, not %d", name, len(texts), want[name].Texts)
		}
		if got := hex.EncodeToString(sum.Sum(nil)); got != want[name].SHA256 {
			t.Errorf("%s: the ids of %d texts have the SHA-256 %s, those of open_clip %s", name, len(texts), got, want[name].SHA256)
		}
	}
}

func coco(t testing.TB) []string {
	var file struct {
		Annotations []struct{ Caption string }
	}
	if err := json.Unmarshal(shared(t, "coco/captions_val2017.json"), &file); err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, a := range file.Annotations {
		texts = append(texts, a.Caption)
	}
	return texts
}

func karpathy(t testing.TB) []string {
	var rows []struct{ Caption []string }
	if err := json.Unmarshal(shared(t, "coco/karpathy_val_minus_val2017.json"), &rows); err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, r := range rows {
		texts = append(texts, r.Caption...)
	}
	return texts
}

func cc3m(t testing.TB) []string {
	var texts []string
	lines := bufio.NewScanner(bytes.NewReader(shared(t, "cc3m/cc3m_val_first8000.tsv")))
	for lines.Scan() {
		caption, _, _ := strings.Cut(lines.Text(), "\t")
		texts = append(texts, caption)
	}
	return texts
}

func web(t testing.TB) []string {
	type row struct {
		Text *string `parquet:"TEXT,optional"`
	}
	var texts []string
	for _, name := range []string{"train_5000", "test_1000"} {
		content := shared(t, "webalt/"+name+".parquet")
		rows, err := parquet.Read[row](bytes.NewReader(content), int64(len(content)))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			if r.Text != nil {
				texts = append(texts, *r.Text)
			}
		}
	}
	return texts
}
