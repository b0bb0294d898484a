package clip

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"capgraph/kernels"
	"capgraph/ruleparse"
	"capgraph/schemas"
	"capgraph/store"
)

// hashed encodes images and texts as eight whole numbers of a hash of their names,
// so that products are exact and ties are many.
type hashed struct{}

func feature(name string) []float32 {
	sum := sha256.Sum256([]byte(name))
	row := make([]float32, 8)
	for i := range row {
		row[i] = float32(int(sum[i]%16) - 8)
	}
	return row
}

func (hashed) EncodeImages(_ context.Context, images []Image) ([][]float32, map[int]error, error) {
	var rows [][]float32
	for _, i := range images {
		box := ""
		if p := i.Part; !p.Empty() {
			box = fmt.Sprint(p.Min.X, p.Min.Y, p.Max.X, p.Max.Y)
		}
		rows = append(rows, feature("image "+i.Name+" "+box))
	}
	return rows, nil, nil
}

func (hashed) EncodeTexts(_ context.Context, texts []string) ([][]float32, error) {
	var rows [][]float32
	for _, t := range texts {
		rows = append(rows, feature("text "+t))
	}
	return rows, nil
}

// Spans gives each span a whole number, for three layers.
func (hashed) Spans(_ context.Context, texts []string) (charts [][]Chart, err error) {
	for _, text := range texts {
		words := strings.Fields(text)
		of := make([]Chart, 3)
		for layer := range of {
			of[layer] = make(Chart, len(words))
			for i := range words {
				for j := i; j < len(words); j++ {
					of[layer][i] = append(of[layer][i], float64(feature(fmt.Sprintf("span %d %d %d of %s", layer, i, j, strings.Join(words, " ")))[0]))
				}
			}
		}
		charts = append(charts, of)
	}
	return charts, nil
}

// small are the files of testdata, and how many cases they have.
var small = []struct {
	kind, file string
	cases      int
}{
	{"sugarcrepe", "sugarcrepe.json", 12},
	{"sugarcrepe++", "sugarcrepepp.json", 12},
	{"aro", "aro_relation.json", 12},
	{"aro", "aro_attribution.json", 40},
	{"aro-order", "aro_order.json", 21},
	{"valse", "valse.json", 6},
	{"vl-checklist", "vlchecklist.json", 12},
	{"crepe", "crepe_syst.csv", 21},
	{"crepe", "crepe_prod.csv", 12},
	{"cola", "cola.json", 12},
	{"svo", "svo_probes.csv", 12},
	{"winoground", "winoground.jsonl", 12},
	{"colorswap", "colorswap.json", 12},
	{"bivlc", "bivlc.jsonl", 14},
	{"eqben", "eqben_subset.json", 12},
	{"eqben", "eqben.json", 12},
	{"naturalbench", "naturalbench.json", 12},
	{"negbench", "negbench_mcq.csv", 15},
	{"cc-neg", "cc_neg.json", 12},
	{"half-truths", "half_truths.jsonl", 14},
	{"mmvp-vlm", "mmvp_vlm.csv", 12},
	{"spec", "image2text.json", 12},
	{"spec", "text2image.json", 12},
	{"whatsup", "whatsup.json", 12},
	{"whatsup-coco", "whatsup_coco.json", 12},
	{"whatsup-gqa", "whatsup_gqa.json", 12},
	{"vsr", "vsr.jsonl", 12},
	{"own", "own_groups.jsonl", 12},
	{"own", "own_confusion.jsonl", 14},
}

func TestScoresAreThoseOfAPlainCountInPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3: the scores are not counted again")
	}
	got := map[string]map[string]float64{}
	options := filepath.Join(t.TempDir(), "order.json")
	for _, f := range small {
		b, err := Read(store.Local{}, f.kind, "testdata/"+f.file, tagger(t))
		if err != nil {
			t.Fatal(err)
		}
		if len(b.Cases) != f.cases {
			t.Errorf("%s: %d cases, want %d", f.file, len(b.Cases), f.cases)
		}
		if f.kind == "aro-order" {
			writeOptions(t, options, b)
		}
		r, err := Score(t.Context(), hashed{}, b, Options{Batch: 5})
		if err != nil {
			t.Fatal(err)
		}
		got[f.file] = map[string]float64{}
		for i := range r.Measures {
			got[f.file][r.Measures[i].Name] = r.Measures[i].Value()
		}
	}
	var results []*Result
	var captions []Captioned
	for _, f := range [][2]string{{"negbench_retrieval.csv"}, {"docci.jsonlines", "test"}, {"urban1k"}, {"captions.json"}} {
		var err error
		if captions, err = ReadCaptions(t.Context(), store.Local{}, "testdata/"+f[0], f[1]); err != nil {
			t.Fatal(err)
		}
		r, err := Retrieve(t.Context(), kernels.NewReference(), hashed{}, f[0], captions, Options{Batch: 7})
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
	}
	labels, err := ReadLabelled(store.Local{}, "testdata/labels.csv")
	if err != nil {
		t.Fatal(err)
	}
	templates := []string{DefaultTemplate, "the {}"}
	classified, err := Classify(t.Context(), hashed{}, "labels.csv", labels, ClassesOf(labels), templates, Options{Batch: 7})
	if err != nil {
		t.Fatal(err)
	}
	var firsts []string
	for _, c := range captions {
		firsts = append(firsts, c.Texts[0])
	}
	trees, err := TreeScores(t.Context(), hashed{}, "tree of captions.json", firsts, Options{Batch: 7})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range append(results, classified, trees) {
		got[r.Name] = map[string]float64{}
		for i := range r.Measures {
			got[r.Name][r.Measures[i].Name] = r.Measures[i].Value()
		}
	}
	out, err := exec.Command(python, "testdata/count.py", options).Output()
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]map[string]float64
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	for file, measures := range want {
		if len(measures) != len(got[file]) {
			t.Errorf("%s: measures %v, want %v", file, got[file], measures)
		}
		for name, value := range measures {
			if math.Abs(got[file][name]-value) > 1e-12 {
				t.Errorf("%s, %s: %v, want %v", file, name, got[file][name], value)
			}
		}
	}
	if len(want) != len(got) {
		t.Errorf("%d files were counted, not %d", len(want), len(got))
	}
}

func writeOptions(t *testing.T, name string, b Benchmark) {
	var list [][2]any
	for _, c := range b.Cases {
		list = append(list, [2]any{c.Images[0].Name, c.Texts})
	}
	data, err := json.Marshal(list)
	if err == nil {
		err = os.WriteFile(name, data, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// tagger returns the tagger of the rule parser.
func tagger(t testing.TB) Tagger {
	t.Helper()
	p, err := ruleparse.New()
	if err != nil {
		t.Fatal(err)
	}
	return func(text string) ([]schemas.Token, error) { return p.Tokens(text, nil), nil }
}

func TestWordOrderIsShuffledAsAROShufflesIt(t *testing.T) {
	tag := tagger(t)
	b, err := parseOrder([]byte(`[{"image": "a.jpg", "caption": "A small cat sleeps on the Red sofa, outside."}]`), tag)
	if err != nil || len(b.Cases) != 1 {
		t.Fatal(err, b.Cases)
	}
	texts := b.Cases[0].Texts
	if texts[0] != "a small cat sleeps on the red sofa, outside" || len(texts) != 5 {
		t.Fatalf("%q", texts)
	}
	for i, keeps := range []string{"a X X sleeps on the X X , outside", "X small cat X X X red sofa X X"} {
		words := strings.Fields(texts[i+1])
		for k, w := range strings.Fields(keeps) {
			if w != "X" && (k >= len(words) || words[k] != w) {
				t.Errorf("shuffle %d is %q, which does not keep %q", i, texts[i+1], keeps)
			}
		}
	}
	again, _ := parseOrder([]byte(`[{"image": "a.jpg", "caption": ["A small cat sleeps on the Red sofa, outside."]}]`), tag)
	if fmt.Sprint(again.Cases[0].Texts) != fmt.Sprint(texts) {
		t.Error("it is shuffled in another way the second time")
	}
	// One word cannot be shuffled: there is no false caption.
	if b, err := parseOrder([]byte(`[{"image": "a.jpg", "caption": "zebras"}]`), tag); err != nil || len(b.Cases) != 0 {
		t.Errorf("%v, %v", b.Cases, err)
	}
}

func TestFilesThatAreNotInForm(t *testing.T) {
	for _, c := range []struct{ kind, text, want string }{
		{"sugarcrepe++", `[{"filename": "a", "caption": "b", "negative_caption": "c"}]`, "entry 0: has no caption2"},
		{"sugarcrepe++", `[{"filename": "a"`, "entry 0: unexpected EOF"},
		{"sugarcrepe++", `[] 3`, "continues after the list"},
		{"sugarcrepe++", `[]`, "has no case that counts"},
		{"aro", `[{"image_path": "a", "bbox_x": 0, "bbox_y": 0, "bbox_w": -4, "bbox_h": 3, "true_caption": "a", "false_caption": "b"}]`, "entry 0: its box is empty"},
		{"aro", `[{"image_path": "a", "bbox_x": 1e300, "bbox_w": 1, "bbox_h": 3, "true_caption": "a", "false_caption": "b"}]`, "entry 0: its box is outside of any image"},
		{"aro", `{}`, "is not a JSON list"},
		{"aro-order", `[{"image": "a", "caption": 3}]`, "caption is neither"},
		{"valse", `{"a": {"image_file": "b", "caption": "c"}}`, `entry "a": has no foil`},
		{"valse", `{"a": {"image_file": "b", "caption": "c", "foil": "d", "mturk": {"caption": 1}}}`, "has no case that counts"},
		{"vl-checklist", `[["a", {"POS": [], "NEG": ["b"]}]]`, "has no text in POS"},
		{"vl-checklist", `[["a"]]`, "entry 0: has 1 parts"},
		{"cola", `[["a", "b", "c"]]`, "entry 0: has 3 texts"},
		{"winoground", "{}\n", "line 1: has no caption_0"},
		{"own", `{"images": "a", "captions": ["b"]}`, "line 1: has 1 images and 1 captions, nothing to choose from"},
		{"own", `{"images": [], "captions": ["b", "c"]}`, "nothing to choose from"},
		{"own", `[{"images": ["a", "b"], "captions": ["b", "c"]}, {"images": "a", "captions": ["b", "c"]}]`, "entry 1: has 1 images and 2 captions, the first entry 2 and 2"},
		{"own", `{"images": "a", "captions": ["b", "b"]}`, `caption 1 is empty or occurs twice: "b"`},
		{"own", `{"images": ["a", "a"], "captions": ["b"]}`, `image 1 is empty or occurs twice: "a"`},
		{"own", `{"images": 3, "captions": ["b"]}`, "line 1: "},
		{"own", `{"image": "a", "caption": "b"}`, "has 0 images and 0 captions"},
		{"winoground", "\n\n{\n", "line 3: unexpected end"},
		{"colorswap", `[{"caption_1": "a", "caption_2": "b", "image_1": "c"}]`, "entry 0: has no image_2"},
		{"colorswap", `[{"caption_1": ["a"]}]`, "entry 0: caption_1: json: cannot unmarshal array"},
		{"bivlc", `{"image": "a", "caption": "b", "negative_caption": null, "negative_image": "c"}`, "line 1: has no negative_caption"},
		{"eqben", `[{"image0": "a", "image1": "b", "caption0": "c"}]`, "entry 0: has no caption1"},
		{"eqben", `[{"image": "a", "caption": "b", "private_info": {"dataset": "d", "name": "c0i0", "sample_cnt": 7}}]`, `sample "d 7" has no entry named c1i1`},
		{"negbench", "image_path,caption_0,caption_1,correct_answer\na,b,c,2\n", `line 2: correct_answer is "2", not from 0 to 1`},
		{"negbench", "image_path,caption_0,correct_answer\n", "has no column caption_1"},
		{"cc-neg", `{"image_paths": ["a"], "annotations": []}`, "has 1 image_paths and 0 annotations"},
		{"cc-neg", `{"image_paths": ["a"], "annotations": [{"json": {"caption": "b"}}]}`, "entry 0: has no sop_data.negative-prompt"},
		{"half-truths", `{"image": "a", "anchor": "b", "half_truth": "c"}`, "line 1: has no full_truth"},
		{"mmvp-vlm", "Question ID,Type,Statement\n1,Color,a\n2,Color,b\n3,Color,c\n", "has an odd number of rows"},
		{"spec", `[{"query": "a.jpg", "keys": ["b", "c"], "label": 2}]`, "entry 0: has no label from 0 to 1"},
		{"spec", `[{"query": "a.jpg", "keys": ["b", "c"], "label": 1}, {"query": "a", "keys": ["b.jpg", "c.jpg"], "label": 1}]`, "entry 1: has a text as query"},
		{"vsr", `{"image": "a", "caption": "b", "label": 2}`, "line 1: has no label of 0 or 1"},
		{"whatsup", `[{"image_path": "a", "caption_options": ["b"]}]`, "entry 0: has no caption_options"},
		{"whatsup-coco", `[[1, "b"]]`, "entry 0: has 2 parts"},
		{"svo", "sentence,pos_image_id\na,1\n", "has no column neg_image_id"},
		{"svo", "", "is empty"},
		{"svo", "sentence,pos_image_id,neg_image_id\n\"a,1,2\n", `extraneous or missing`},
		{"svo", "sentence,pos_image_id,neg_image_id\na,1\n", `line 2: has no neg_image_id`},
		{"crepe", "image_id,caption,x,y,width,height,hard_negs\n1,a,0,0,3,3,\"['b', c]\"\n", `line 2: hard_negs: has "c]" instead of a string`},
		{"crepe", "image_id,caption,x,y,width,height,hard_negs\n1,a,0,0,3,x,\"['b']\"\n", `line 2: height: `},
		{"crepe", "image_id,caption,x,y,width,height\n1,a,0,0,3,3\n", `has no hard negatives`},
	} {
		name := filepath.Join(t.TempDir(), "x.json")
		if err := os.WriteFile(name, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := Read(store.Local{}, c.kind, name, nil)
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "(want ") {
			t.Errorf("%s, %s: %v, want %s", c.kind, c.text, err, c.want)
		}
	}
	if _, err := Read(store.Local{}, "mmlu", "x", nil); err == nil || !strings.Contains(err.Error(), "sugarcrepe++, aro") {
		t.Error(err)
	}
}

func TestBenchmarksAreNamedAfterTheirFiles(t *testing.T) {
	for _, c := range []struct{ kind, file, want string }{
		{"colorswap", "colorswap.json", "colorswap colorswap"},
		{"spec", "image2text.json", "spec testdata/image2text"}, // the file of each subset has this name
	} {
		if b, err := Read(store.Local{}, c.kind, "testdata/"+c.file, nil); err != nil || b.Name != c.want {
			t.Errorf("%q, %v, want %q", b.Name, err, c.want)
		}
	}
}

func TestCaptionsThatAreNotInForm(t *testing.T) {
	for _, c := range []struct{ file, split, text, want string }{
		{"a.csv", "", "filepath\na\n", "has no column captions"},
		{"a.csv", "", "captions\n['b']\n", "line 2: has no filepath"},
		{"a.csv", "", "filepath,captions\na,b\n", "line 2: captions: "},
		{"a.csv", "test", "filepath,captions\na,['b']\n", `no captions of split "test": it has no splits`},
		{"a.jsonlines", "", `{"image_file": "a"}`, "line 1: has no description"},
		{"a.jsonlines", "test", `{"image_file": "a", "description": "b", "split": "train"}`, `no captions of split "test": it has train`},
	} {
		name := filepath.Join(t.TempDir(), c.file)
		if err := os.WriteFile(name, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadCaptions(t.Context(), store.Local{}, name, c.split); err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s: %v, want %s", c.file, c.text, err, c.want)
		}
	}
}

func TestListsOfPython(t *testing.T) {
	for _, c := range []struct {
		in, want string
	}{
		{"", "[]"}, {"[]", "[]"}, {" [ ] ", "[]"}, {`['a']`, `["a"]`}, {`["b's", 'c"d',]`, `["b's" "c\"d"]`},
		{`['\'\n\x41\u00e9\U0001F600\\']`, `["'\nAé😀\\"]`}, {`['é']`, `["é"]`},
	} {
		if got, err := parsePythonList(c.in); err != nil || fmt.Sprintf("%q", got) != c.want {
			t.Errorf("%s: %q, %v", c.in, got, err)
		}
	}
	for _, bad := range []string{"x", "[", "['a", "['a'", "['a' 'b']", "[3]", `['\`, `['\x4`, `['\q']`, `['\UFFFFFFFF']`, "[,]"} {
		if got, err := parsePythonList(bad); err == nil {
			t.Errorf("%s: %q", bad, got)
		}
	}
}

func TestCasesThatAreRightTogether(t *testing.T) {
	cases := []Case{{Pair: "x"}, {}, {Pair: "y"}, {Pair: "x"}, {Pair: "y"}, {Pair: "z"}, {Pair: "z"}}
	m := newMeasure(&Metric{Margin: trueTextMargin, Together: func(c *Case) string { return c.Pair }}, cases, []float64{1, 1, 1, 2, -1, math.NaN(), 3})
	if fmt.Sprint(m.Margins) != "[1 -1 NaN]" || m.Value() != 0.5 || m.Scored() != 2 {
		t.Errorf("%v: %v of %d", m.Margins, m.Value(), m.Scored())
	}
}

func FuzzBenchmarks(f *testing.F) {
	for _, s := range small {
		data, err := os.ReadFile("testdata/" + s.file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data[:min(len(data), 600)])
		f.Add(data)
	}
	tag := tagger(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, k := range kindsWithTagger(tag) {
			b, err := k.parse(data)
			if err != nil {
				continue
			}
			for _, c := range b.Cases {
				if len(c.Images) == 0 || len(c.Texts) == 0 {
					t.Errorf("%s: a case without images or texts", k.Name)
				}
			}
		}
		if list, err := parseLabelled(data); err != nil && list != nil {
			t.Error("images and an error")
		}
	})
}
