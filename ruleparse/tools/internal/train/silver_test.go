package train

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"

	"capgraph/ruleparse/internal/model"
	"capgraph/ruleparse/internal/tokens"
	"capgraph/ruleparse/tools/internal/examples"
	"capgraph/ruleparse/tools/internal/lessons"
	"capgraph/testing/longtest"
)

// silverFile returns a file of answers about texts.
func silverFile(t *testing.T, p *tokens.Reader, texts []string, answers string) []byte {
	t.Helper()
	hash := sha256.New()
	if err := lessons.WriteQuestions(p, texts, hash); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	fmt.Fprintf(z, "%s%x\n%s", silverMagic, hash.Sum(nil), answers)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A dog, surely, on something that is a sofa by two thirds.
const dogOnSofa = "\x0f\x00\x00" + "\x10\xf0\x00" + "\x0f\x00\x00" + "\x15\xa0\x00" + "\x00" + "\x01\x00\x01\x00"

func TestSilverIsRead(t *testing.T) {
	p := embeddedReader(t)
	texts := []string{"a dog on sofa", ""}
	xs, err := readSilver(p, silverFile(t, p, texts, dogOnSofa+"\x00\x00"), texts)
	if err != nil {
		t.Fatal(err)
	}
	x := xs[0]
	if len(x.Nodes) != 2 || len(x.Edges) != 1 || x.Edges[0].Candidate.N != 1 || x.Edges[0].Candidate.Words[0] != 2 {
		t.Errorf("%+v: want a dog on a sofa", x)
	}
	if got := fmt.Sprint(x.SoftLabels); got != "[[1 0 0 0 0] [0 1 0 0 0] [1 0 0 0 0] [0.33333334 0.6666667 0 0 0]]" {
		t.Errorf("labels are likely %v", got)
	}
	if len(xs[1].Nodes) > 0 {
		t.Errorf("an empty caption has %+v", xs[1])
	}
}

func TestSilverOfOtherCaptionsIsRefused(t *testing.T) {
	p := embeddedReader(t)
	texts := []string{"a dog on sofa"}
	whole := silverFile(t, p, texts, dogOnSofa)
	if _, err := readSilver(p, whole, []string{"a cat on sofa"}); err == nil || !strings.Contains(err.Error(), "other captions") {
		t.Errorf("other captions: %v", err)
	}
	for name, bad := range map[string][]byte{
		"empty":        nil,
		"cut off":      whole[:len(whole)-10],
		"too short":    silverFile(t, p, texts, dogOnSofa[:len(dogOnSofa)-1]),
		"too long":     silverFile(t, p, texts, dogOnSofa+"\x00"),
		"no labels":    silverFile(t, p, texts, ""),
		"no such node": silverFile(t, p, texts, strings.Replace(dogOnSofa, "\x01\x00\x01\x00", "\x01\x00\x05\x00", 1)),
		"backwards":    silverFile(t, p, texts, strings.Replace(dogOnSofa, "\x01\x00\x01\x00", "\x01\x01\x00\x00", 1)),
	} {
		if _, err := readSilver(p, bad, texts); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestSilverIsLeftOut(t *testing.T) {
	p := embeddedReader(t)
	if xs, err := readSilverExamples(&examples.Source{Data: "", Reader: p}, Options{}); err != nil || xs != nil {
		t.Errorf("without answers: %d captions, %v", len(xs), err)
	}
	if _, err := readSilverExamples(&examples.Source{Data: "", Reader: p}, Options{Silver: []byte("any"), Holdout: examples.HeldOutRows + 1}); err == nil || !strings.Contains(err.Error(), "has seen all but the last 4000") {
		t.Errorf("a holdout that the teacher has seen: %v", err)
	}
	if _, err := readSilverExamples(&examples.Source{Data: t.TempDir(), Reader: p}, Options{Silver: []byte("any")}); err == nil || !strings.Contains(err.Error(), "train_5000.parquet") {
		t.Errorf("a folder without captions: %v", err)
	}
}

func FuzzSilver(f *testing.F) {
	p := embeddedReader(f)
	f.Add("a dog on sofa", []byte(dogOnSofa))
	f.Add("", []byte{0, 0})
	f.Fuzz(func(t *testing.T, text string, b []byte) {
		r := silverReader{b: b}
		if x, err := r.readExample(p, text); err == nil && len(x.SoftLabels) != len(x.Tokens) {
			t.Errorf("%d soft labels of %d tokens", len(x.SoftLabels), len(x.Tokens))
		}
	})
}

// The trainer's file is about the captions that the trainer finds.
func TestSilverOfTheTrainer(t *testing.T) {
	const data = "../../../../../shared/data"
	if _, err := os.Stat(data); err != nil {
		t.Skip("needs ../shared:", err)
	}
	longtest.Only(t, "it reads 54,000 captions")
	b, err := os.ReadFile("../../train/silver.bin.gz")
	if err != nil {
		t.Fatal(err)
	}
	p := embeddedReader(t)
	texts, err := (&examples.Source{Data: data, Reader: p}).ReadQuestionTexts()
	if err != nil {
		t.Fatal(err)
	}
	xs, err := readSilver(p, b, texts)
	if err != nil {
		t.Fatal(err)
	}
	relations := 0
	for _, x := range xs {
		relations += len(x.Edges)
	}
	if len(xs) < 50000 || relations < len(xs) {
		t.Errorf("%d captions with %d relations", len(xs), relations)
	}
}

// embeddedReader returns the reader of the embedded model, without the models that the trainer makes
// last.
func embeddedReader(t testing.TB) *tokens.Reader {
	t.Helper()
	m, err := model.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	m.Reader.Tagger.Plurals, m.Reader.Tagger.Verbs = nil, nil
	return m.Reader
}
