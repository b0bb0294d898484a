package tokenizer

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"capgraph/store"
	"capgraph/testing/longtest"
)

// unigram is the tokenizer of testdata/unigram.py.
func unigram(t testing.TB) *Unigram {
	t.Helper()
	u, err := OpenUnigram(store.Local{}, "testdata/unigram.json")
	if err == nil {
		u, err = u.WithContext(16)
	}
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestUnigramIsAsOpenCLIP(t *testing.T) {
	u := unigram(t)
	content, err := os.ReadFile("testdata/unigram.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(content) {
		var g golden
		if err := json.Unmarshal(line, &g); err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second time words come from the cache
			if got := u.Encode([]int32{7}, g.Text); got[0] != 7 || !slices.Equal(got[1:], g.IDs) {
				t.Errorf("%q: ids %v, open_clip has %v", g.Text, got[1:], g.IDs)
			}
		}
	}
}

// TestUnigramOfCorporaIsAsOpenCLIP needs open_clip, and the corpora.
func TestUnigramOfCorporaIsAsOpenCLIP(t *testing.T) {
	longtest.Only(t, "it starts Python")
	interpreter, file := python(t), os.Getenv("CAPGRAPH_UNIGRAM") // such as SigLIP's tokenizer.json
	if exec.Command(interpreter, "-c", "import open_clip, transformers").Run() != nil {
		t.Skip("open_clip is absent")
	}
	if file == "" {
		file = "testdata/unigram.json"
	}
	u, err := OpenUnigram(store.Local{}, file)
	if err == nil {
		u, err = u.WithContext(16)
	}
	if err != nil {
		t.Fatal(err)
	}
	texts := slices.Concat(coco(t)[:500], cc3m(t)[:500], web(t)[:1000])
	input, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(interpreter, "testdata/unigram.py", file)
	cmd.Stdin = bytes.NewReader(input)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var want [][]int32
	if err := json.Unmarshal(out, &want); err != nil || len(want) != len(texts) {
		t.Fatalf("%d of %d texts, %v", len(want), len(texts), err)
	}
	wrong := 0
	for i, text := range texts {
		if got := u.Encode(nil, text); !slices.Equal(got, want[i]) {
			if wrong++; wrong < 10 {
				t.Logf("%q: ids %v, open_clip has %v", text, got, want[i])
			}
		}
	}
	// A few captions were decoded with the wrong encoding, which ftfy repairs.
	if wrong*1000 > len(texts) {
		t.Errorf("%d of %d texts have other ids", wrong, len(texts))
	}
}

// changed returns testdata/unigram.json with one text replaced.
func changed(t testing.TB, old, new string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/unigram.json")
	if err != nil {
		t.Fatal(err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, data); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(compact.String(), old) {
		t.Fatalf("there is no %s", old)
	}
	return []byte(strings.Replace(compact.String(), old, new, 1))
}

func TestUnigramRefusesWhatItDoesNotSupport(t *testing.T) {
	for _, c := range [][3]string{
		{`"type":"Unigram"`, `"type":"BPE"`, "only Unigram is supported"},
		{`"unk_id":2`, `"unk_id":null`, "unk_id is missing"},
		{`"unk_id":2`, `"unk_id":300`, "unk_id is missing"},
		{`"type":"Strip"`, `"type":"NFKC"`, `"NFKC" is not supported`},
		{`" {2,}"`, `" *"`, "is not supported"},
		{`"type":"Metaspace"`, `"type":"ByteLevel"`, "only Metaspace"},
		{`"prepend_scheme":"always"`, `"prepend_scheme":"first"`, "only always or never"},
		{`"content":"\u003cpad\u003e"`, `"content":"pad"`, "may be part of a text"},
		{`"ids":[1]`, `"ids":[1000]`, "no id of the vocabulary"},
		{`"precompiled_charsmap":"AAQAAA`, `"precompiled_charsmap":"AAQAQA`, "cut off"},
	} {
		old := c[0]
		if strings.Contains(old, "pad") {
			old = `"content":"<pad>"`
		}
		if _, err := decodeUnigram(changed(t, old, c[1])); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s: %v", c[1], err)
		}
	}
	if _, err := unigram(t).WithContext(1); err == nil {
		t.Error("a context of 1 is no error")
	}
}

func TestUnigramBytes(t *testing.T) {
	var pieces strings.Builder
	for b := range 256 {
		pieces.WriteString(`["<0x` + strings.ToUpper(string("0123456789abcdef"[b/16])+string("0123456789abcdef"[b%16])) + `>",0],`)
	}
	data := changed(t, `"vocab":[`, `"vocab":[`+pieces.String())
	data = bytes.Replace(data, []byte(`"byte_fallback":false`), []byte(`"byte_fallback":true`), 1)
	data = bytes.Replace(data, []byte(`"unk_id":2`), []byte(`"unk_id":258`), 1)
	data = bytes.Replace(data, []byte(`"ids":[1]`), []byte(`"ids":[257]`), 1)
	for id := range 2 {
		data = bytes.Replace(data, []byte(`{"id":`+string(rune('0'+id))+`,"content"`), []byte(`{"id":25`+string(rune('6'+id))+`,"content"`), 1)
	}
	u, err := decodeUnigram(data)
	if err != nil {
		t.Fatal(err)
	}
	if got := u.Encode(nil, "日")[:5]; !slices.Equal(got, []int32{260, 0xe6, 0x97, 0xa5, 257}) {
		t.Errorf("%v", got)
	}
}

// checkUnigram is what holds of the ids of any text.
func checkUnigram(t *testing.T, u *Unigram, text string) {
	ids := u.Encode(nil, text)
	if len(ids) != u.Context() || ids[len(ids)-1] != u.end {
		t.Fatalf("%q: ids %v of a context of %d", text, ids, u.Context())
	}
	for _, id := range ids {
		if id < 0 || int(id) >= u.Size() {
			t.Fatalf("%q: id %d of %d", text, id, u.Size())
		}
	}
}

func FuzzUnigram(f *testing.F) {
	for _, g := range tricky(f) {
		f.Add(g.Text)
	}
	u := unigram(f)
	f.Fuzz(func(t *testing.T, text string) { checkUnigram(t, u, text) })
}

func FuzzUnigramFile(f *testing.F) {
	f.Add(changed(f, `"unk_id":2`, `"unk_id":2`))
	f.Add([]byte(`{"post_processor":{"single":[{},{"SpecialToken":{"id":"e"}}],"special_tokens":{"e":{"ids":[0]}}},"pre_tokenizer":{"type":"Metaspace","replacement":"_"},
		"normalizer":{"type":"Precompiled","precompiled_charsmap":"BAAAAAABAABh"},"model":{"unk_id":0,"vocab":[["a",-1],["",-2]]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if u, err := decodeUnigram(data); err == nil {
			checkUnigram(t, u, "abc ab a B é 日本 x\u0302")
		}
	})
}
