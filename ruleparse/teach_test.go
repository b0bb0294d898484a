package ruleparse

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestAskListsWhatIsToBeDecided(t *testing.T) {
	p := newParser(t)
	in := `{"text":"a black dog on a red sofa","labels":[0,3,1,0,0,3,1]}` + "\n" + `{"text":"","labels":[]}` + "\n"
	var out bytes.Buffer
	if err := p.Ask(strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(&out)
	var l, empty Lesson
	if err := d.Decode(&l); err != nil {
		t.Fatal(err)
	}
	if err := d.Decode(&empty); err != nil || len(empty.Nodes) > 0 {
		t.Errorf("an empty caption: %+v, %v", empty, err)
	}
	want := []LessonNode{{1, 2, true}, {2, 3, false}, {5, 6, true}, {6, 7, false}}
	if fmt.Sprint(l.Nodes) != fmt.Sprint(want) {
		t.Errorf("nodes %v, want %v", l.Nodes, want)
	}
	if len(l.Owners) != 2 || fmt.Sprint(l.Owners[0]) != "{0 [1 3] -1}" {
		t.Errorf("owners %v: black may be of the dog and of the sofa", l.Owners)
	}
	if len(l.Relations) != 2 || len(l.Relations[1].Before) != 1 {
		t.Fatalf("relations %v: the sofa has one object before it", l.Relations)
	}
	said := false
	for _, o := range l.Relations[1].Before[0].Options {
		said = said || fmt.Sprint(o) == "{[3] 0}"
	}
	if !said {
		t.Errorf("options %v: %q is not among them", l.Relations[1].Before[0].Options, "on")
	}
}

func TestAskRefusesLabelsThatDoNotFit(t *testing.T) {
	p := newParser(t)
	for _, bad := range []string{
		`{"text":"a dog","labels":[0]}`,
		`{"text":"a dog","labels":[0,2]}`,
		`{"text":"a dog","labels":[0,7]}`,
		`{"text":"a dog","labels":[0,-1]}`,
		`{"text":`,
	} {
		if err := p.Ask(strings.NewReader(bad), &bytes.Buffer{}); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}

// silverFile is a file of answers about texts.
func silverFile(t *testing.T, p *Parser, texts []string, answers string) []byte {
	t.Helper()
	hash := sha256.New()
	if err := p.questions(texts, hash); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	fmt.Fprintf(z, "%s%x\n%s", silverHead, hash.Sum(nil), answers)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A dog, surely, on something that is a sofa by two thirds.
const dogOnSofa = "\x0f\x00\x00" + "\x10\xf0\x00" + "\x0f\x00\x00" + "\x15\xa0\x00" + "\x00" + "\x01\x00\x01\x00"

func TestSilverIsRead(t *testing.T) {
	p := newParser(t)
	texts := []string{"a dog on sofa", ""}
	xs, err := p.readSilver(silverFile(t, p, texts, dogOnSofa+"\x00\x00"), texts)
	if err != nil {
		t.Fatal(err)
	}
	x := xs[0]
	if len(x.nodes) != 2 || len(x.edges) != 1 || x.edges[0].candidate.n != 1 || x.edges[0].candidate.words[0] != 2 {
		t.Errorf("%+v: want a dog on a sofa", x)
	}
	if got := fmt.Sprint(x.soft); got != "[[1 0 0 0 0] [0 1 0 0 0] [1 0 0 0 0] [0.33333334 0.6666667 0 0 0]]" {
		t.Errorf("labels are likely %v", got)
	}
	if len(xs[1].nodes) > 0 {
		t.Errorf("an empty caption has %+v", xs[1])
	}
}

func TestSilverOfOtherCaptionsIsRefused(t *testing.T) {
	p := newParser(t)
	texts := []string{"a dog on sofa"}
	whole := silverFile(t, p, texts, dogOnSofa)
	if _, err := p.readSilver(whole, []string{"a cat on sofa"}); err == nil || !strings.Contains(err.Error(), "other captions") {
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
		if _, err := p.readSilver(bad, texts); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestSilverIsLeftOut(t *testing.T) {
	p := newParser(t)
	if xs, err := p.silver(TrainOptions{Silver: []byte("any"), WithoutTreebank: true}); err != nil || xs != nil {
		t.Errorf("without the treebank: %d captions, %v", len(xs), err)
	}
	if _, err := p.silver(TrainOptions{Silver: []byte("any"), Holdout: untaught + 1}); err == nil || !strings.Contains(err.Error(), "has seen all but the last 4000") {
		t.Errorf("a holdout that the teacher has seen: %v", err)
	}
	if _, err := p.silver(TrainOptions{Silver: []byte("any"), Data: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "train_5000.parquet") {
		t.Errorf("a folder without captions: %v", err)
	}
}

func FuzzSilver(f *testing.F) {
	p := newParser(f)
	f.Add("a dog on sofa", []byte(dogOnSofa))
	f.Add("", []byte{0, 0})
	f.Fuzz(func(t *testing.T, text string, b []byte) {
		r := silverReader{b: b}
		if x, err := r.example(p, text); err == nil && len(x.soft) != len(x.spans) {
			t.Errorf("%d soft labels of %d tokens", len(x.soft), len(x.spans))
		}
	})
}

// The trainer's file is about the captions that the trainer finds.
func TestSilverOfTheTrainer(t *testing.T) {
	const data = "../../shared/data"
	if _, err := os.Stat(data); err != nil {
		t.Skip("needs ../shared:", err)
	}
	if testing.Short() {
		t.Skip("it reads 54,000 captions")
	}
	b, err := os.ReadFile("train/silver.bin.gz")
	if err != nil {
		t.Fatal(err)
	}
	p := newParser(t)
	texts, err := p.untold(data)
	if err != nil {
		t.Fatal(err)
	}
	xs, err := p.readSilver(b, texts)
	if err != nil {
		t.Fatal(err)
	}
	relations := 0
	for _, x := range xs {
		relations += len(x.edges)
	}
	if len(xs) < 50000 || relations < len(xs) {
		t.Errorf("%d captions with %d relations", len(xs), relations)
	}
}
