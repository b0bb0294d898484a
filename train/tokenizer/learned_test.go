package tokenizer

import (
	"bytes"
	"encoding/json"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"capgraph/store"
)

// corpus is a small one of our own.
var corpus = []string{
	"a red square left of a blue circle", "a blue circle right of a red square", "A green triangle above the Red circle.",
	"two dogs and a cat", "the dogs' ball", "Größe der Häuser", "日本語 日本", "the the the other there then", "",
}

func learned(t testing.TB, size int) *Learned {
	t.Helper()
	l, err := Learn(slices.Values(corpus), size)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// pieces spells the ids between the marks by their names.
func (l *Learned) pieces(text string) string {
	names := pieceNames(l.merges)
	var all []string
	ids := l.Encode(nil, text)
	for _, id := range ids[1 : len(ids)-1] {
		all = append(all, names[id])
	}
	return strings.Join(all, " ")
}

func TestLearnFollowsTheCounts(t *testing.T) {
	// Of equal counts the name that comes first wins: "a b" before "b c</w>".
	l, err := Learn(slices.Values([]string{"abc abc", "xy xy xy", "q"}), 600)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	names := pieceNames(l.merges)
	for _, m := range l.merges {
		got = append(got, names[m[0]]+"+"+names[m[1]])
	}
	if want := []string{"x+y</w>", "a+b", "ab+c</w>"}; !slices.Equal(got, want) {
		t.Errorf("merges %v, not %v", got, want)
	}
	if l.Size() != 512+3+2 || l.Start() != 515 || l.End() != 516 {
		t.Errorf("size %d, start %d, end %d", l.Size(), l.Start(), l.End())
	}
	for text, want := range map[string]string{
		"abc": "abc</w>", "ABC xy": "abc</w> xy</w>", "abd": "ab d</w>", "xyz": "x y z</w>", "é": "Ã ©</w>", "": "", "q7": "q</w> 7</w>",
	} {
		if got := l.pieces(text); got != want {
			t.Errorf("%q: %s, not %s", text, got, want)
		}
	}
}

func TestLearnIsTheSameInAnyOrder(t *testing.T) {
	want := learned(t, 1024)
	backwards := slices.Clone(corpus)
	slices.Reverse(backwards)
	got, err := Learn(slices.Values(backwards), 1024)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.merges, want.merges) {
		t.Error("the order of the texts changed the merges")
	}
}

// TestLearnAsByCounting compares with a learner that counts all anew for every merge.
func TestLearnAsByCounting(t *testing.T) {
	want := slowly(corpus, 60)
	if got := learned(t, alphabet+60+marks).merges; !slices.Equal(got, want) {
		t.Errorf("merges %v, not %v", got, want)
	}
}

func slowly(texts []string, n int) []pair {
	var words [][]int32
	for _, text := range texts {
		for word, rest := nextWord(appendLowerNFC(nil, text)); len(word) > 0; word, rest = nextWord(rest) {
			words = append(words, spellBytes(word))
		}
	}
	var merges []pair
	for range n {
		names := pieceNames(merges)
		counts := map[pair]int{}
		for _, w := range words {
			for j := range len(w) - 1 {
				counts[pair{w[j], w[j+1]}]++
			}
		}
		var best pair
		for p, count := range counts {
			if slices.Contains(names, names[p[0]]+names[p[1]]) {
				continue
			}
			a, b := names[p[0]]+" "+names[p[1]], names[best[0]]+" "+names[best[1]]
			if count > counts[best] || count == counts[best] && a < b {
				best = p
			}
		}
		if counts[best] < minPairCount {
			break
		}
		for i, w := range words {
			words[i] = joinPair(w, best, int32(alphabet+len(merges)))
		}
		merges = append(merges, best)
	}
	return merges
}

func TestLearnErrors(t *testing.T) {
	for _, c := range []struct {
		texts []string
		size  int
		want  string
	}{
		{corpus, 513, "514"}, {corpus, 0, "514"}, {corpus, 1 << 17, "65536"}, {nil, 600, "no word"}, {[]string{"", " \n"}, 600, "no word"},
	} {
		if _, err := Learn(slices.Values(c.texts), c.size); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v of %d: %v, which does not say %q", c.texts, c.size, err, c.want)
		}
	}
	if l, err := Learn(slices.Values([]string{"a"}), 514); err != nil || l.Size() != 514 {
		t.Errorf("514 ids: %v", err)
	}
}

func TestSavedTokenizerIsTheSame(t *testing.T) {
	l, err := learned(t, 640).WithContext(20)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "tokenizer.json")
	for range 2 { // in place of the first
		if err := l.Save(store.Local{}, name); err != nil {
			t.Fatal(err)
		}
	}
	again, err := OpenLearned(store.Local{}, name)
	if err != nil {
		t.Fatal(err)
	}
	if again.Context() != 20 || again.Size() != l.Size() {
		t.Errorf("context %d, size %d", again.Context(), again.Size())
	}
	for _, g := range tricky(t) {
		if got, want := again.Encode(nil, g.Text), l.Encode(nil, g.Text); !slices.Equal(got, want) {
			t.Errorf("%q: %v, before %v", g.Text, got, want)
		}
	}
}

func TestFilesThatSaveDidNotWrite(t *testing.T) {
	whole, err := learned(t, 520).encodeFile()
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct{ from, to, want string }{
		"cut off":       {"", "", "capgraph saved"},
		"no lower case": {`"Lowercase"`, `"Strip"`, "another kind"},
		"more fields":   {`"dropout": null`, `"dropout": 0.1`, "another kind"},
		"unknown piece": {`"merges": [`, `"merges": ["zz q",`, "zz"},
		"no space":      {`"merges": [`, `"merges": ["ab",`, "merge 1"},
		"past the end":  {`"merges": [`, `"merges": ["a</w> b",`, "nothing follows"},
		"other id":      {`"!": 0`, `"!": 1`, "another kind"},
		"no room":       {`"max_length": 77`, `"max_length": 1`, "at least 2"},
	} {
		data := whole[:len(whole)/2]
		if c.from != "" {
			if !bytes.Contains(whole, []byte(c.from)) {
				t.Fatalf("%s: nothing to replace", what)
			}
			data = bytes.Replace(whole, []byte(c.from), []byte(c.to), 1)
		}
		if _, err := decodeFile(data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, which does not say %q", what, err, c.want)
		}
	}
	name := filepath.Join(t.TempDir(), "none.json")
	if _, err := OpenLearned(store.Local{}, name); err == nil || !strings.Contains(err.Error(), name) {
		t.Errorf("missing: %v", err)
	}
}

// TestHuggingFaceGivesTheSameIDs encodes with the Python package tokenizers, and
// decodes there.
func TestHuggingFaceGivesTheSameIDs(t *testing.T) {
	texts := slices.Clone(corpus)
	for _, g := range tricky(t) {
		texts = append(texts, g.Text)
	}
	var all iter.Seq[string] = slices.Values(texts)
	if _, err := os.Stat(data); err == nil {
		texts = append(append(texts, coco(t)[:5000]...), web(t)...)
		all = slices.Values(texts)
	}
	l, err := Learn(all, 1024)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "tokenizer.json")
	if err := l.Save(store.Local{}, name); err != nil {
		t.Fatal(err)
	}
	in, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python(t), "testdata/huggingface.py", name)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var theirs []struct {
		IDs  []int32
		Text string
	}
	if err := json.Unmarshal(out, &theirs); err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for i, text := range texts {
		if got := l.Encode(nil, text); !slices.Equal(got, theirs[i].IDs) {
			if wrong++; wrong < 20 {
				t.Errorf("%q: %v, Hugging Face has %v", text, got, theirs[i].IDs)
			}
		}
	}
	if wrong > 0 || len(theirs) != len(texts) {
		t.Errorf("%d of %d differ", wrong, len(texts))
	}
	if got := theirs[0].Text; got != startMark+"a red square left of a blue circle "+endMark {
		t.Errorf("%q is decoded as %q", texts[0], got)
	}
}

// python is an interpreter with the package tokenizers, or skips the test.
func python(t *testing.T) string {
	t.Helper()
	for _, name := range []string{os.Getenv("CAPGRAPH_PYTHON"), "python3"} {
		if name != "" && exec.Command(name, "-c", "import tokenizers").Run() == nil {
			return name
		}
	}
	t.Skip("no Python with the package tokenizers: name one in CAPGRAPH_PYTHON")
	return ""
}
