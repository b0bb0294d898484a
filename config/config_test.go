package config

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"capgraph/internal/strictyaml"
	"capgraph/internal/strictyaml/yamlschema"
)

var update = flag.Bool("update", false, "write golden files")

const minimal = "source:\n  format: cc12m\n  paths: a.tsv\noutput:\n  dir: out\n"

func load(t *testing.T, text string, sets ...string) (*Config, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipeline.yaml")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	c, err := Load(path, sets)
	if err != nil {
		return nil, errorIn{strings.ReplaceAll(err.Error(), path, "pipeline.yaml")}
	}
	return c, nil
}

type errorIn struct{ text string }

func (e errorIn) Error() string { return e.text }

func TestTheRecipeOfTheRepositoryIsValid(t *testing.T) {
	c, err := Load("../pipeline.yaml", nil)
	if err != nil {
		t.Fatal(err)
	}
	defaults := Defaults()
	defaults.Source, defaults.Output.Dir = c.Source, c.Output.Dir
	if !reflect.DeepEqual(*c, defaults) {
		t.Errorf("the recipe has other values than the defaults that it says it has:\n%+v\nwant\n%+v", *c, defaults)
	}
	if c.Source.Format != "cc12m" || !reflect.DeepEqual(c.Source.Paths, []string{"testdata/cc12m.tsv"}) {
		t.Errorf("got %+v", c.Source)
	}
}

func TestSetsGoOverTheFile(t *testing.T) {
	c, err := load(t, minimal+"clean:\n  min_words: 3\n", "source.format=karpathy", "source.paths=[a.json, b.json]",
		"seed=9", "clean.max_words=50")
	if err != nil {
		t.Fatal(err)
	}
	if c.Source.Format != "karpathy" || c.Seed != 9 || c.Clean.MinWords != 3 || c.Clean.MaxWords != 50 {
		t.Errorf("got %+v", c)
	}
	if !reflect.DeepEqual(c.Source.Paths, []string{"a.json", "b.json"}) {
		t.Errorf("got %+v", c.Source)
	}
	if c, err = load(t, minimal, "source.format=parquet", "source.columns.caption=TEXT", "source.columns.image=URL"); err != nil || !slices.Equal(c.Source.Columns["caption"], []string{"TEXT"}) || !slices.Equal(c.Source.Columns["image"], []string{"URL"}) {
		t.Errorf("got %+v, %v", c, err)
	}
	if c.Output.Dir != "out" || c.Output.ShardRows != Defaults().Output.ShardRows {
		t.Errorf("what is not set changed: %+v", c.Output)
	}
}

// TestEmptyTextsAreSet says which keys nothing is a value of: texts and lists.
func TestEmptyTextsAreSet(t *testing.T) {
	recipe := minimal + "filter: {offensive_words: words.txt}\nnegatives: {methods: swap_objects}\nparse: {endpoints: http://a/v1, api_key_env: KEY}\n"
	c, err := load(t, recipe, "filter.offensive_words=", "negatives.methods=", "parse.endpoints=", "parse.api_key_env=", "parse.cache=", "source.where.url=")
	if err != nil {
		t.Fatal(err)
	}
	value, there := c.Source.Where["url"]
	if c.Filter.OffensiveWords != "" || len(c.Negatives.Methods) > 0 || len(c.Parse.Endpoints) > 0 || c.Parse.APIKeyEnv != "" || value != "" || !there {
		t.Errorf("got %+v", c)
	}
}

// TestTextsAreSetAsTheyStand takes globs and names of files for what they are,
// whatever YAML makes of them, and lists and quotes for YAML's.
func TestTextsAreSetAsTheyStand(t *testing.T) {
	for value, want := range map[string][]string{
		"*.tsv": {"*.tsv"}, "[a].tsv": {"[a].tsv"}, "{a,b}.tsv": {"{a,b}.tsv"}, "a: b.tsv": {"a: b.tsv"}, "a #b.tsv": {"a #b.tsv"},
		"'it": {"'it"}, "it's *": {"it's *"}, "&a: it's": {"&a: it's"}, " a.tsv": {"a.tsv"},
		"a\tb.tsv": {"a\tb.tsv"}, `"a\nb.tsv"`: {"a\nb.tsv"}, `["a\tb.tsv", "\u2028"]`: {"a\tb.tsv", "\u2028"},
		"'*.tsv'": {"*.tsv"}, `"a #b.tsv"`: {"a #b.tsv"}, "['*.tsv', b.tsv]": {"*.tsv", "b.tsv"}, "[a.tsv]": {"a.tsv"},
	} {
		c, err := load(t, minimal, "source.paths="+value)
		if err != nil || !slices.Equal(c.Source.Paths, want) {
			t.Errorf("source.paths=%s: %q, %v, want %q", value, c.Source.Paths, err, want)
		}
	}
	c, err := load(t, minimal, "output.dir=a: b", "source.where.url=*", "source.where={caption: b}", "seed=3")
	if err != nil || c.Output.Dir != "a: b" || c.Source.Where["url"] != "*" || c.Source.Where["caption"] != "b" || c.Seed != 3 {
		t.Errorf("got %+v, %v", c, err)
	}
}

// TestTextsAreKeptAsWritten reads no number where a text is wanted.
func TestTextsAreKeptAsWritten(t *testing.T) {
	for _, text := range []string{"2026_11_23", "0042", "007", "3.10", "1.50", "0x10", "0b11", "1_000", "+5", "-0", ".5", "1e1", "True", ".inf", "2026-11-23"} {
		recipe := "source: {format: parquet, paths: [a.parquet, " + text + "], columns: {caption: " + text + "}, where: {code: " + text + ", n: &n " + text + ", m: *n}}\n" +
			"output:\n  dir: " + text + " # here\nparse:\n  model: !!str " + text + "\n  endpoints:\n  - http://" + text + "/v1\n"
		fromFile, err := load(t, recipe)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		fromSets, err := load(t, minimal, "source.format=parquet", "source.paths=[a.parquet, "+text+"]", "source.columns.caption="+text, "source.where={code: "+text+"}",
			"source.where.n="+text, "source.where.m="+text, "output.dir="+text, "parse.model="+text)
		if err != nil {
			t.Errorf("--set, %s: %v", text, err)
			continue
		}
		for from, c := range map[string]*Config{"file": fromFile, "--set": fromSets} {
			got := []string{c.Source.Paths[1], c.Source.Columns["caption"][0], c.Source.Where["code"], c.Source.Where["n"], c.Source.Where["m"], c.Output.Dir, c.Parse.Model}
			if slices.ContainsFunc(got, func(g string) bool { return g != text }) {
				t.Errorf("%s, %s: got %q", from, text, got)
			}
		}
	}
	c, err := load(t, minimal, "source.paths=007", "source.where={url: ~}")
	if err != nil || !slices.Equal(c.Source.Paths, []string{"007"}) || c.Source.Where["url"] != "" {
		t.Errorf("got %+v, %v", c, err)
	}
}

func TestWholeNumbersAndDocuments(t *testing.T) {
	for _, text := range []string{"seed: 1e3\n", "seed: 1000.0\n", "seed: 1_000\n"} {
		if c, err := load(t, minimal+text); err != nil || c.Seed != 1000 {
			t.Errorf("%q: %+v, %v", text, c, err)
		}
	}
	for _, text := range []string{"\ufeff" + minimal, "---\n" + minimal, "# recipe\n---\n" + minimal + "---\n", "%YAML 1.2\n---\n" + minimal} {
		if _, err := load(t, text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestMistakesAreNamedWithTheirPlace(t *testing.T) {
	for _, c := range []struct {
		name, text string
		sets       []string
		want       []string
	}{
		{"unknown key", minimal + "claen:\n  min_words: 2\n", nil, []string{"pipeline.yaml:6:1", `unknown field "claen"`, `nearest valid key is "clean"`}},
		{"unknown key below", minimal + "clean:\n  min_wrods: 2\n", nil, []string{"pipeline.yaml:7:3", `nearest valid key is "clean.min_words"`}},
		{"wrong type", minimal + "seed: many\n", nil, []string{"pipeline.yaml:6:7: seed: many: want a whole number"}},
		{"negative seed", minimal + "seed: -1\n", nil, []string{"pipeline.yaml:6:7: seed: -1: want a whole number, 0 or more"}},
		{"impossible value", minimal + "clean:\n  min_words: 0\n", nil, []string{"pipeline.yaml:7:14", "clean.min_words: 0 is less than 1"}},
		{"unknown format", strings.Replace(minimal, "cc12m", "cc13m", 1), nil, []string{"pipeline.yaml:2:11", "source.format", "cc12m"}},
		{"not YAML", "source: [", nil, []string{"pipeline.yaml:"}},
		{"no paths", "output:\n  dir: out\n", nil, []string{"source.paths", "no file is named"}},
		{"empty file", "", nil, []string{"source.paths"}},
		{"twice the same key", minimal + "seed: 1\nseed: 2\n", nil, []string{"pipeline.yaml:7:1", "seed", "a key stands once: leave one of the two"}},
		{"a tab", minimal + "clean:\n\tmin_words: 2\n", nil, []string{"pipeline.yaml:7:1", "YAML indents with spaces: put some in place of the tab"}},
		{"a number for a section", minimal + "clean: 3\n", nil, []string{"pipeline.yaml:6:8: clean: 3: want keys with values"}},
		{"a truth for a section", minimal + "negatives: {balance: false}\n", nil, []string{"pipeline.yaml:6:22: negatives.balance: false: want keys with values, such as {enabled: false}"}},
		{"set of a truth for a section", minimal, []string{"negatives.balance=false"}, []string{"--set negatives.balance=…: ", "such as {enabled: false}"}},
		{"a number for names", minimal, []string{"source.where=3"}, []string{"--set source.where=3: ", "source.where: 3: want keys with values"}},
		{"a text for sampling", minimal + "parse: {sampling: hot}\n", nil, []string{"pipeline.yaml:6:19: parse.sampling: …: want keys with values"}},
		{"set without value", minimal, []string{"seed"}, []string{"--set seed: want key.path=value"}},
		{"set of an unknown key", minimal, []string{"sead=3"}, []string{"--set sead=…", `nearest valid key is "seed"`}},
		{"set of an impossible value", minimal, []string{"output.shards=many"}, []string{"output.shards", `"many" is none of`}},
		{"set below a key", minimal, []string{"source.columns.caption=x", "seed=3"}, []string{"--set source.columns.caption=x: source.columns: the columns of cc12m are fixed: leave it out"}},
		{"set of a whole section", minimal, []string{"source={where: {size: big}}"}, []string{"--set source=…: source.where: "}},
		{"set of a list", minimal, []string{"parse={parser: llm, model: m}", "parse.endpoints=gpu1"}, []string{"--set parse.endpoints=…: parse.endpoints[0]: want the address of a server"}},
		{"a list of one", minimal + "parse: {parser: llm, model: m, endpoints: gpu1}\n", nil, []string{"pipeline.yaml:6:43: parse.endpoints: "}},
		{"a default", minimal, []string{"parse.parser=llm"}, []string{"pipeline.yaml: parse.model: name the model", "it is a default)"}},
		{"set to two lines", minimal, []string{"source.paths=a\nb.tsv"}, []string{`--set source.paths="a\nb.tsv": `, "a line break", `in double quotes with an escape`}},
		{"set to two lines in quotes", minimal, []string{"output.dir='a\r\nb'"}, []string{"--set output.dir=", "a line break"}},
		{"set to an escape of a terminal", minimal, []string{"output.dir=\x1b[31m"}, []string{`--set output.dir="\x1b[31m": `, "control character"}},
		{"set to a line separator", minimal, []string{"source.where={url: \u2028}"}, []string{"--set source.where=", "a line break"}},
		{"set to NUL", minimal, []string{"output.dir=a\x00b"}, []string{"--set output.dir=", "control character"}},
		{"set to an escaped NUL", minimal, []string{`output.dir="a\x00b"`}, []string{"output.dir: holds a NUL character"}},
		{"set to another encoding", minimal, []string{"output.dir=o\xff"}, []string{"--set output.dir=", "not UTF-8"}},
		{"set of a key in another encoding", minimal, []string{"o\xff=3"}, []string{"--set …=…: ", "not UTF-8"}},
		{"another encoding", minimal + "dedupe: off\nfilter: {offensive_words: o\xff}\n", nil, []string{"pipeline.yaml:7:1: the line is not UTF-8"}},
		{"NUL", strings.Replace(minimal, "dir: out", `dir: "a\0b"`, 1), nil, []string{"pipeline.yaml:5:8: output.dir: holds a NUL character"}},
		{"set to nothing", minimal, []string{"source.paths="}, []string{"--set source.paths=: source.paths: no file is named"}},
		{"set a number to nothing", minimal, []string{"seed="}, []string{"--set seed=: ", `"": want a whole number`}},
		{"set to a comment", minimal, []string{"output.dir=#1"}, []string{"--set output.dir=#1: YAML reads no value there"}},
		{"set to a list of what YAML cannot read", minimal, []string{"source.paths=[b.tsv, *.tsv]"}, []string{"--set source.paths=[b.tsv, *.tsv]: an alias", "stands in quotes: '*.tsv'"}},
		{"a glob without quotes", strings.Replace(minimal, "a.tsv", "*.tsv", 1), nil, []string{"pipeline.yaml:3:1", "stands in quotes: '*.tsv'"}},
		{"no folder", minimal, []string{"output.dir="}, []string{"--set output.dir=: output.dir: no folder is named"}},
		{"empty path", strings.Replace(minimal, "a.tsv", `""`, 1), nil, []string{"pipeline.yaml:3:10", "no file is named"}},
		{"fraction", minimal + "clean:\n  min_words: 2.9\n", nil, []string{"pipeline.yaml:7:14: clean.min_words: 2.9: want a whole number"}},
		{"set of a fraction", minimal, []string{"output.shard_rows=30.9"}, []string{"--set output.shard_rows=30.9", "output.shard_rows: 30.9: want a whole number"}},
		{"fraction of the seed", minimal + "seed: 1.9\n", nil, []string{"pipeline.yaml:6:7: seed: 1.9: want a whole number, 0 or more"}},
		{"a truth for names", minimal, []string{"source.columns=true"}, []string{"source.columns: true: want keys with values"}},
		{"a number among names", minimal + "clean: {}\n", []string{"source.where={caption: [a]}"}, []string{"--set source.where={caption: [a]}", "source.where: caption is [a]: want a text"}},
		{"a seed beyond 64 bits", minimal + "seed: 18446744073709551616\n", nil, []string{"pipeline.yaml:6:7: seed: 18446744073709551616 is too large"}},
		{"a seed that no float holds", minimal + "seed: 9007199254740993.0\n", nil, []string{"pipeline.yaml:6:7: seed: ", "is too large"}},
		{"rows beyond 64 bits", minimal, []string{"output.shard_rows=1e19"}, []string{"output.shard_rows: 1e19 is too large"}},
		{"no device", minimal, []string{"parse.device=gpu"}, []string{`--set parse.device=gpu: parse.device: "gpu" is none of cpu, cuda, cuda:0`}},
		{"no number", minimal, []string{"parse.parser=hybrid", "parse.model=m", "parse.endpoints=http://a:1/v1", "parse.threshold=.nan"}, []string{"parse.threshold: NaN is not in 0 to 1"}},
		{"a threshold where no model is asked", minimal + "parse:\n  threshold: 2\n", nil, []string{"pipeline.yaml:7:14: parse.threshold: 2 is not in 0 to 1"}},
		{"an infinite number", minimal, []string{"negatives.balance.ridge=.inf"}, []string{"negatives.balance.ridge: +Inf is not above 0 and up to 1e9"}},
		{"fraction in quotes", minimal + "seed: '1.9'\n", nil, []string{"pipeline.yaml:6:7: seed: 1.9: want a whole number"}},
		{"duration without a unit", minimal + "parse:\n  timeout: 5\n", nil, []string{"pipeline.yaml:7:12: parse.timeout: 5: want a duration, such as 5s"}},
		{"no duration", minimal, []string{"parse.timeout=soon"}, []string{"--set parse.timeout=soon", "parse.timeout: soon: want a duration, such as 5s"}},
		{"second document", minimal + "---\nseed: 3\n", nil, []string{"pipeline.yaml:6:1: a second YAML document begins here"}},
		{"a list among paths", strings.Replace(minimal, "a.tsv", "[a.tsv, [3]]", 1), nil, []string{"pipeline.yaml:3:10: source.paths: element 2 is [3]: want a text (quote it)"}},
		{"nothing among paths", strings.Replace(minimal, "a.tsv", "[a.tsv, ~]", 1), nil, []string{"pipeline.yaml:3:10: source.paths: element 2 is null: want a text (quote it)"}},
		{"keys for paths", strings.Replace(minimal, "a.tsv", "{a: b}", 1), nil, []string{"pipeline.yaml:3:10: source.paths: ", "want a text or a list of texts"}},
		{"a list for a text", strings.Replace(minimal, "dir: out", "dir: [out]", 1), nil, []string{"pipeline.yaml:5:8: output.dir: [out]: want a text"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := load(t, c.text, c.sets...)
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("the error lacks %q:\n%v", want, err)
				}
			}
		})
	}
}

// TestMoreAreMadeToChooseFrom makes what balance.candidates says where negatives
// are balanced, and never less than was asked for.
func TestMoreAreMadeToChooseFrom(t *testing.T) {
	for _, c := range []struct {
		enabled               bool
		candidates, toBalance int
		want                  int
	}{
		{false, 1, 3, 1},
		{true, 1, 3, 3},
		{true, 5, 3, 5},
	} {
		n := Defaults().Negatives
		n.Candidates, n.Balance.Enabled, n.Balance.Candidates = c.candidates, c.enabled, c.toBalance
		if got := n.Generator().Candidates; got != c.want {
			t.Errorf("%+v: %d candidates", c, got)
		}
	}
}

func TestAMissingRecipeSaysWhatToDo(t *testing.T) {
	_, err := Load(filepath.Join(t.TempDir(), "none.yaml"), nil)
	if err == nil || !strings.Contains(err.Error(), "none.yaml: no such file: name a pipeline.yaml") {
		t.Errorf("got %v", err)
	}
}

func TestTheSchemaIsOfTheseKeysAndAcceptsTheRecipe(t *testing.T) {
	data, err := yamlschema.Of[Config]("capgraph recipe")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("../pipeline.schema.json", data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	committed, err := os.ReadFile("../pipeline.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data, committed) {
		t.Fatal("pipeline.schema.json is out of date: go test ./config -update")
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("recipe.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("recipe.json")
	if err != nil {
		t.Fatal(err)
	}
	recipe, err := os.ReadFile("../pipeline.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text string
		ok   bool
	}{
		{string(recipe), true}, {minimal, true}, {"claen: {}", false}, {"seed: many", false}, {"source: {paths: [a, b]}", true},
		{"source: {where: {n: 3, b: true}}", true}, {"source: {where: {n: [3]}}", false},
	} {
		var value any
		if err := yaml.UnmarshalWithOptions([]byte(c.text), &value); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); (err == nil) != c.ok {
			t.Errorf("%q: %v", c.text, err)
		}
	}
	for _, key := range strictyaml.Keys[Config]() {
		last := key[strings.LastIndexByte(key, '.')+1:]
		if !bytes.Contains(data, []byte(`"`+last+`"`)) {
			t.Errorf("the schema lacks %s", key)
		}
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(minimal)
	f.Add("seed: [")
	f.Add("source: {paths: {a: b}}")
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "p.yaml")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		Load(path, nil)
	})
}
