package strictyaml

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

type recipe struct {
	Seed   uint64     `yaml:"seed"`
	Kind   string     `yaml:"kind" jsonschema:"enum=small,enum=large"`
	Only   []string   `yaml:"only" jsonschema:"enum=a,enum=b"`
	Share  []float64  `yaml:"share" jsonschema:"exclusiveMinimum=0,maximum=3"`
	Sizes  []int      `yaml:"sizes" jsonschema:"minimum=1"`
	Rate   *float64   `yaml:"rate" jsonschema:"minimum=0"`
	Times  *int       `yaml:"times" jsonschema:"minimum=1,maximum=10"`
	Data   List[data] `yaml:"data"`
	Nested struct {
		Files files `yaml:"files"`
	} `yaml:"nested"`
}

type data struct {
	Texts  string  `yaml:"texts"`
	Weight float64 `yaml:"weight"`
	Files  files   `yaml:"files"`
}

type files struct {
	Path  string `yaml:"path"`
	Count int    `yaml:"count"`
	Form  string `yaml:"form" jsonschema:"enum=,enum=tar,enum=folder"`
}

func (d *data) UnmarshalYAML(decode func(any) error) error {
	type plain data
	if *d == (data{}) {
		d.Weight = 1
	}
	return decode((*plain)(d))
}

func form() Form[recipe] {
	return Form[recipe]{
		File: "small.yaml", Example: "seed=3",
		Defaults: func() recipe { return recipe{Kind: "small", Share: []float64{1}} },
		Check: func(r *recipe) error {
			for i, d := range r.Data {
				if !(d.Weight > 0) {
					return At("data["+string(rune('0'+i))+"].weight", errors.New("want more than 0"))
				}
			}
			return nil
		},
	}
}

func read(t *testing.T, text string, sets ...string) (*recipe, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "small.yaml")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := form().Load(path, sets)
	if err != nil {
		return nil, errors.New(strings.ReplaceAll(err.Error(), path, "small.yaml"))
	}
	return r, nil
}

// TestOneStandsForAList lets a single section be written, and set, without the
// list, and keeps the defaults of its elements.
func TestOneStandsForAList(t *testing.T) {
	one, two := data{Texts: "a", Weight: 1}, data{Texts: "b", Weight: 3, Files: files{Count: 2}}
	for _, c := range []struct {
		text string
		sets []string
		want List[data]
	}{
		{"", nil, nil},
		{"data: {texts: a}", nil, List[data]{one}},
		{"data: [{texts: a}]", nil, List[data]{one}},
		{"data:\n- texts: a\n- {texts: b, weight: 3, files: {count: 2}}", nil, List[data]{one, two}},
		{"data: []", nil, List[data]{}},
		{"", []string{"data.texts=b", "data.weight=3", "data.files.count=2"}, List[data]{two}},
		{"data: [{texts: a, weight: 3}]", []string{"data.texts=b", "data.files.count=2"}, List[data]{two}},
		{"data: [{texts: a}, {texts: c}]", []string{"data=[{texts: a}]"}, List[data]{one}},
	} {
		r, err := read(t, c.text, c.sets...)
		if err != nil {
			t.Errorf("%q %q: %v", c.text, c.sets, err)
		} else if !reflect.DeepEqual(r.Data, c.want) {
			t.Errorf("%q %q: %+v, want %+v", c.text, c.sets, r.Data, c.want)
		}
	}
}

// The order of settings does not matter, also of a section and a key in it.
func TestSettingsInAnyOrder(t *testing.T) {
	for _, sets := range [][]string{
		{"data.texts=b", "data.weight=3", "data.files.count=2"},
		{"data.weight=3", "data=[{texts: b}]", "data.files.count=2"},
		{"data.files.count=2", "data.texts=b", "data={texts: c, weight: 3}"},
		{"data.files.count=2", "data.files={}", "data.texts=b", "data.weight=3"},
	} {
		for range sets {
			sets = append(sets[1:], sets[0])
			r, err := read(t, "", sets...)
			if want := (List[data]{{Texts: "b", Weight: 3, Files: files{Count: 2}}}); err != nil || !reflect.DeepEqual(r.Data, want) {
				t.Errorf("%q: %+v, %v", sets, r, err)
			}
		}
	}
	if r, err := read(t, "", "seed=4", "seed=3"); err != nil || r.Seed != 3 {
		t.Errorf("the last of two values does not count: %+v, %v", r, err)
	}
}

func TestNothingKeepsTheDefaults(t *testing.T) {
	for _, text := range []string{"", "# nothing\n", "---\n", "~", "nested:\n", "share: ~\ndata: ~"} {
		r, err := read(t, text, "seed=3")
		want := form().Defaults()
		want.Seed = 3
		if err != nil || !reflect.DeepEqual(*r, want) {
			t.Errorf("%q: %+v, %v", text, r, err)
		}
	}
}

func TestOneNumberStandsForAList(t *testing.T) {
	for text, want := range map[string][]float64{"": {1}, "share: 0.5": {0.5}, "share: [0.5, 2]": {0.5, 2}, "share: 3": {3}, "share: []": {}, "share: [1e-3]": {0.001}} {
		if r, err := read(t, text); err != nil || !reflect.DeepEqual(r.Share, want) {
			t.Errorf("%q: %+v, %v", text, r, err)
		}
	}
	for text, want := range map[string][]int{"": nil, "sizes: 5": {5}, "sizes: [3, 4]": {3, 4}} {
		if r, err := read(t, text); err != nil || !reflect.DeepEqual(r.Sizes, want) {
			t.Errorf("%q: %+v, %v", text, r, err)
		}
	}
}

func TestMistakesBelowListsHaveTheirPlace(t *testing.T) {
	for _, c := range []struct {
		text string
		sets []string
		want []string
	}{
		{"kind: big", nil, []string{`small.yaml:1:7: kind: "big" is none of small, large`}},
		{"", []string{"kind=big"}, []string{`--set kind=big: kind: "big" is none of small, large`}},
		{"sizes: [3, 0]", nil, []string{"small.yaml:1:12: sizes[1]: 0 is less than 1"}},
		{"sizes: 1.5", nil, []string{"want a whole number or a list of whole numbers"}},
		{"only: [a, c]", nil, []string{`small.yaml:1:11: only[1]: "c" is none of a, b`}},
		{"nested: {files: {form: zip}}", nil, []string{`small.yaml:1:24: nested.files.form: "zip" is none of , tar, folder`}},
		{"data: [{texts: a}, {files: {form: zip}}]", nil, []string{`small.yaml:1:35: data[1].files.form: "zip"`}},
		{"data: {files: {form: zip}}", nil, []string{`small.yaml:1:22: data.files.form: "zip"`}},
		{"data: [{texts: a, weight: 0}]", nil, []string{"small.yaml:1:27: data[0].weight: want more than 0"}},
		{"data: {texts: a}", []string{"data.weight=0", "data.texts=b"}, []string{"--set data.weight=0: data[0].weight: want more than 0"}},
		{"data: [{texts: a}, {texts: b}]", []string{"data.weight=2"}, []string{"--set data.weight=2: ", "there are several: give the whole list"}},
		{"data: [{texts: a, wieght: 2}]", nil, []string{"small.yaml:1:19: ", `the nearest valid key is "data.weight"`}},
		{"data: [{texts: a, files: {paht: 2}}]", nil, []string{`the nearest valid key is "data.files.path"`}},
		{"nested: {files: {paht: 2}}", nil, []string{`the nearest valid key is "nested.files.path"`}},
		{"nested: {weight: 2}", nil, []string{`the nearest valid key is "data.weight"`}},
		{"data: [{files: {count: 2.5}}]", nil, []string{"small.yaml:1:24: data[0].files.count: 2.5: want a whole number"}},
		{"data: [{texts: [a]}]", nil, []string{"data[0].texts: [a]: want a text"}},
		{"data: [3]", nil, []string{"small.yaml:1:7: data: element 1 is 3: want keys with values"}},
		{"data: [~]", nil, []string{"data: element 1 is null: want keys with values"}},
		{"data: 3", nil, []string{"small.yaml:1:7: data: 3: want keys with values"}},
		{"share: [1, many]", nil, []string{"small.yaml:1:8: share: many: want a number or a list of numbers"}},
		{"share: {a: 1}", nil, []string{"want a number or a list of numbers"}},
		{"", []string{"share=true"}, []string{"share: true: want a number or a list of numbers"}},
		{"share: [1, 0]", nil, []string{"small.yaml:1:12: share[1]: 0 is not above 0"}},
		{"share: 4", nil, []string{"small.yaml:1:8: share: 4 is more than 3"}},
		{"share: .nan", nil, []string{"NaN is not a finite number"}},
		{"rate: .inf", nil, []string{"small.yaml:1:7: rate: +Inf is not a finite number"}},
		{"only: !!int a", nil, []string{"small.yaml:1:7: a tag: a recipe has none but !!str before a text"}},
		{"data: !x [{texts: a}]", nil, []string{"small.yaml:1:7: a tag"}},
		{"", []string{"data=!!str"}, []string{"--set data=…: ", "YAML reads no value there"}},
		{"rate: -1", nil, []string{"small.yaml:1:7: rate: -1 is less than 0"}},
		{"rate: fast", nil, []string{"small.yaml:1:7: rate: fast: want a number"}},
		{"times: 1.5", nil, []string{"small.yaml:1:8: times: 1.5: want a whole number"}},
		{"", []string{"times=0"}, []string{"--set times=0: times: 0 is less than 1"}},
		{"", []string{"sead=3"}, []string{"--set sead=…: unknown field"}},
		{"", []string{"nested.txt=3"}, []string{"--set nested.txt=…: unknown field"}},
		{"", []string{"seed"}, []string{"--set seed: want key.path=value, such as seed=3"}},
	} {
		_, err := read(t, c.text, c.sets...)
		if err == nil {
			t.Errorf("%q %q: no error", c.text, c.sets)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q %q: the error lacks %q:\n%v", c.text, c.sets, want, err)
			}
		}
	}
}

func TestKeysListWhatIsBelowLists(t *testing.T) {
	want := "seed kind only share sizes rate times data data.texts data.weight data.files data.files.path data.files.count data.files.form" +
		" nested nested.files nested.files.path nested.files.count nested.files.form"
	if got := strings.Join(Keys[recipe](), " "); got != want {
		t.Errorf("got %s", got)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("data: {texts: a}", "data.weight=2")
	f.Add("data: [{texts: &a b}, *a]", "share=[1, 2]")
	f.Add("only: [a]\nkind: [", "data[0].texts=a")
	f.Add("only: !!str a\nrate: !!int 3", "only=!!seq [a]")
	f.Add("sizes: !x\nshare: !!str", "data=!!map {texts: a}")
	f.Add("? a\n: b\nnested: ~\ndata: [~]", "times=~")
	f.Fuzz(func(t *testing.T, text, set string) {
		path := filepath.Join(t.TempDir(), "small.yaml")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		form().Load(path, []string{set})
	})
}
