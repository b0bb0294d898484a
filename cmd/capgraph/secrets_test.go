package main

import (
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"capgraph/config"
	"capgraph/train"
)

// secretWord is what no output may hold.
const secretWord = "SECRETPW7"

// recipeField is a key of a recipe and what its field says of it.
type recipeField struct {
	path   string
	of     reflect.Type
	secret bool
}

// fieldsOfRecipe walks the type of a recipe, so that a new field is among those that are tried.
func fieldsOfRecipe(t reflect.Type, prefix string) (fields []recipeField) {
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		_, secret := f.Tag.Lookup("secret")
		below := f.Type
		for below.Kind() == reflect.Slice || below.Kind() == reflect.Pointer {
			below = below.Elem()
		}
		switch {
		case options == "inline":
			fields = append(fields, fieldsOfRecipe(f.Type, prefix)...)
		case name == "" || name == "-":
		default:
			fields = append(fields, recipeField{prefix + name, f.Type, secret})
			if below.Kind() == reflect.Struct {
				fields = append(fields, fieldsOfRecipe(below, prefix+name+".")...)
			}
		}
	}
	return fields
}

// inYAML is a recipe with one key.
func inYAML(path, value string) string {
	var b strings.Builder
	for i, name := range strings.Split(path, ".") {
		fmt.Fprintf(&b, "\n%s%s:", strings.Repeat("  ", i), name)
	}
	return b.String() + " " + value + "\n"
}

// addresses hold the secret wherever a text is wanted, and are refused in every field.
var secretAddresses = []string{
	"s3://id:" + secretWord + "@bucket/x", "http://user:" + secretWord + "@127.0.0.1:1/v1", "http://" + secretWord + "@127.0.0.1:1",
	"s3:/id:" + secretWord + "@bucket/x", "https://box.blob.core.windows.net/c/k?sv=1&sig=" + secretWord,
	"https://b.s3.amazonaws.com/k?X-Amz-Credential=x&X-Amz-Signature=" + secretWord,
	"[a, 's3://id:" + secretWord + "@bucket/x']", "{a: 's3://id:" + secretWord + "@bucket/x'}",
}

// secretValues hold it in each way in which a field that may hold a credential can be wrong.
var secretValues = append([]string{
	"sk-" + secretWord, "hf_a" + secretWord, "user:" + secretWord + "@127.0.0.1:1", "127.0.0.1:" + secretWord, "ftp://" + secretWord, "http://[" + secretWord,
	"http://127.0.0.1:1/v1?key=" + secretWord, "http://127.0.0.1:1/#" + secretWord, "sk " + secretWord, "{api_key: " + secretWord + "}", "{x: {Authorization: Bearer " + secretWord + "}}",
	"{" + secretWord + "}", "[[" + secretWord + "]]", "{a: [" + secretWord + "]}", "[" + secretWord, "'" + secretWord, `"` + secretWord, "*" + secretWord, "!!int " + secretWord, "| " + secretWord,
	"%" + secretWord, "@" + secretWord, "- " + secretWord, "a: b: " + secretWord, `"\q` + secretWord + `"`, "{a: 1, a: " + secretWord + "}",
}, secretAddresses...)

// holdsSecret fails the test where an output has the secret.
func holdsSecret(t *testing.T, what string, outputs ...string) {
	t.Helper()
	for _, out := range outputs {
		if strings.Contains(out, secretWord) {
			t.Errorf("%s: an output has the secret:\n%.600s", what, out)
		}
	}
}

// TestNoSecretInErrorsOfRecipes sets every field of both recipes to what holds a secret, in the file
// and with --set, for the commands that read them.
func TestNoSecretInErrorsOfRecipes(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	pipelines := [][]string{{"run", "--progress", "json"}, {"plan"}, {"plan", "--slurm", "2"}, {"plan", "--tasks", "2"}, {"plan", "--kubernetes", "2", "--image", "i"}, {"llm", "export", dir}, {"llm", "import", "answers.jsonl"}}
	trainings := [][]string{{"train"}, {"train", "--dry-run"}}
	base := "source: {format: cc12m, paths: none.tsv}\noutput: {dir: out}\nparse: {parser: llm, model: m}\n"
	for _, r := range []struct {
		of       reflect.Type
		usual    string
		base     []string
		commands [][]string
		load     func(file string, sets []string) error
	}{
		{reflect.TypeFor[config.Config](), "pipeline.yaml", []string{"source.format=cc12m", "source.paths=none.tsv", "output.dir=out", "parse.parser=llm", "parse.model=m"}, pipelines,
			func(file string, sets []string) error { _, err := config.Load(file, sets); return err }},
		{reflect.TypeFor[train.Recipe](), "train.yaml", []string{"output.dir=out", "world.train=100", "world.dir=world"}, trainings,
			func(file string, sets []string) error { _, err := train.Load(file, sets); return err }},
	} {
		for _, f := range fieldsOfRecipe(r.of, "") {
			for _, value := range secretAddresses {
				text, set := inYAML(f.path, value), f.path+"="+value
				writeRecipe(t, r.usual, text)
				for what, err := range map[string]error{text: r.load(r.usual, besides(r.base, f.path)), set: r.load("", append(besides(r.base, f.path), set))} {
					if err == nil {
						t.Errorf("%q: no error", what)
					} else {
						holdsSecret(t, what, err.Error())
					}
				}
			}
			for j, value := range secretValues {
				command := r.commands[j%len(r.commands)]
				if f.of.Kind() == reflect.Map { // plan carries what has no name of a secret
					command = r.commands[0]
				}
				if f.secret {
					refused(t, r.usual, inYAML(f.path, value), command, r.base, f.path+"="+value)
				}
			}
		}
		// What the recipe does not know may be anything.
		for _, name := range []string{"api_key", "key", "token", "access_token", "secret", "password", "apikey_env", "x"} {
			for _, section := range []string{"", "parse.", "store.", "source.", "output.", "data."} {
				refused(t, r.usual, inYAML(section+name, "sk-"+secretWord), r.commands[0], r.base, section+name+"=sk-"+secretWord)
			}
		}
	}
	for _, text := range []string{ // a secret beside another mistake
		"seed: many\nparse: {api_key: " + secretWord + "}\n",
		"parse: {parser: none, endpoints: 'http://user:" + secretWord + "@h/v1'}\n",
		"parse:\n  endpoints: http://user:" + secretWord + "@h/v1\n  max_tokens: many\n",
		"# api_key: " + secretWord + "\nsead: 3\n",
		"parse: {model: m, api_key " + secretWord + "}\n",
		"parse:\n  api_key = " + secretWord + "\n", "parse:\n api_key: " + secretWord + "\n  model: m\n",
		"parse: &a {sampling: {x: " + secretWord + ", y: *a}}\n", "parse: sk-" + secretWord + "\n", "parse: [sk-" + secretWord + "]\n",
		"parse: {endpoints: {" + secretWord + ": 1}}\n", "store: {endpoint: [" + secretWord + "], region: {}}\n", "? " + secretWord + "\n: 1\n", secretWord + "\n", "- " + secretWord + "\n",
		"--- " + secretWord + "\n--- {}\n", "%YAML " + secretWord + "\n---\n", "parse: |" + secretWord + "\n", "parse: !" + secretWord + " x\n", "parse: {\"" + secretWord + "\": 1, \"" + secretWord + "\": 2}\n",
	} {
		refused(t, "pipeline.yaml", text, pipelines[0], nil)
		refused(t, "pipeline.yaml", base+text, pipelines[0], nil)
	}
	for _, set := range []string{secretWord, "sk-" + secretWord, "parse.api_key:" + secretWord, "parse.api_key_env:sk-" + secretWord, "=" + secretWord, "parse={api_key: " + secretWord + "}",
		"parse={parser: none, endpoints: 'http://user:" + secretWord + "@h'}", "parse.sampling.api_key=" + secretWord, "parse.api_key_env=#" + secretWord, "sk-" + secretWord + "=1", "parse.sampling.x.Authorization=Bearer " + secretWord, "source={api_key: " + secretWord + "}"} {
		refused(t, "pipeline.yaml", base, pipelines[0], nil, set)
	}
	for _, args := range [][]string{ // what is meant for --set, elsewhere
		{"run", "parse.api_key=" + secretWord}, {"plan", "key=" + secretWord}, {"run", "--sett", "parse.api_key=" + secretWord}, {"run", "pipeline.yaml", "parse.token=" + secretWord},
		{"run", "--parse.api_key=" + secretWord}, {"run", "s3://id:" + secretWord + "@b/p.yaml"}, {"init", "s3://id:" + secretWord + "@b/x"}, {"cat", "https://h/x?sig=" + secretWord},
		{"verify", "s3://id:" + secretWord + "@b/x"}, {"cache", "stats", "gs://id:" + secretWord + "@b/x"}, {"verify", "s3://id:" + secretWord + "/b"}, {"train", "s3://id:" + secretWord + "@b/t.yaml"},
	} {
		code, out, errs := command("", args...)
		if code == 0 {
			t.Errorf("%q: exit 0", args)
		}
		holdsSecret(t, strings.Join(args, " "), out, errs)
	}
	if left, err := filepath.Glob("out*"); err != nil || len(left) > 0 {
		t.Errorf("written: %v, %v", left, err)
	}
}

// besides are the sets of other keys than that at path.
func besides(sets []string, path string) (others []string) {
	for _, set := range sets {
		if !strings.HasPrefix(set, path+"=") {
			others = append(others, set)
		}
	}
	return others
}

func writeRecipe(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// refused runs a command with a recipe in its file, and with sets, unless there are none, over base: all
// are refused as configuration, without the secret.
func refused(t *testing.T, usual, text string, args, base []string, sets ...string) {
	t.Helper()
	writeRecipe(t, usual, text)
	try := func(args []string) {
		t.Helper()
		code, out, errs := command("", args...)
		if what := fmt.Sprintf("%q of %q", args, text); code != exitUsage {
			t.Errorf("%s: exit %d, %s%s", what, code, out, errs)
		} else {
			holdsSecret(t, what, out, errs)
		}
	}
	if sets == nil || base != nil {
		var setArgs []string
		path, _, _ := strings.Cut(strings.Join(sets, " "), "=")
		for _, set := range besides(base, path) {
			setArgs = append(setArgs, "--set", set)
		}
		try(append(args[:len(args):len(args)], setArgs...))
		if err := os.Remove(usual); err != nil {
			t.Fatal(err)
		}
		args = append(args[:len(args):len(args)], setArgs...)
	}
	if len(sets) > 0 {
		for _, set := range sets {
			args = append(args[:len(args):len(args)], "--set", set)
		}
		try(args)
	}
}

// TestFieldsOfSecretsAreMarked wants the tag of every text that is named as one that may hold a
// credential: its values are kept out of errors.
func TestFieldsOfSecretsAreMarked(t *testing.T) {
	named := regexp.MustCompile(`(endpoint|secret|password|credential|header|token|api_key|addr|proxy|url|host|sampling)`)
	found := 0
	for _, recipe := range []reflect.Type{reflect.TypeFor[config.Config](), reflect.TypeFor[train.Recipe]()} {
		for _, f := range fieldsOfRecipe(recipe, "") {
			last := f.path[strings.LastIndexByte(f.path, '.')+1:]
			text := f.of.Kind() == reflect.String || f.of == reflect.TypeFor[[]string]() || f.of.Kind() == reflect.Map
			if text && named.MatchString(last) {
				found++
				if !f.secret {
					t.Errorf("%s is not marked: add secret:\"true\" to the field's tag", f.path)
				}
			}
		}
	}
	if found < 6 {
		t.Errorf("%d fields are named so", found)
	}
}

// TestNoSecretInOutputs runs with a key that is where it belongs, and with settings that a run does not
// look at: neither the outputs nor any file of the folder has them.
func TestNoSecretInOutputs(t *testing.T) {
	t.Setenv("LLM_KEY", "sk-"+secretWord)
	dir := t.TempDir()
	keyFile := filepath.Join(dir, secretWord)
	if err := os.WriteFile(keyFile, []byte("sk-"+secretWord), 0o600); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "your key is "+r.Header.Get("Authorization"), http.StatusUnauthorized)
	}))
	defer server.Close()
	source := []string{"--progress", "json", "--set", "source.format=cc12m", "--set", "source.paths=../../testdata/cc12m.tsv", "--set", "parse.cache=" + filepath.Join(dir, "replies")}
	model := append(source[:len(source):len(source)], "--set", "parse.parser=llm", "--set", "parse.model=m", "--set", "parse.endpoints="+server.URL)
	for name, c := range map[string]struct {
		args []string
		code int
	}{
		"a name that is not used": {append(source[:len(source):len(source)], "--set", "parse.api_key_env="+secretWord), 0},
		"a file that is not used": {append(source[:len(source):len(source)], "--set", "parse.api_key_file="+keyFile), 0},
		"a variable":              {append(model[:len(model):len(model)], "--set", "parse.api_key_env=LLM_KEY"), exitFailed},
		"a file":                  {append(model[:len(model):len(model)], "--set", "parse.api_key_file="+keyFile), exitFailed},
		"no such variable":        {append(model[:len(model):len(model)], "--set", "parse.api_key_env="+secretWord), exitUsage},
		"no such file":            {append(model[:len(model):len(model)], "--set", "parse.api_key_file="+dir+"/none/"+secretWord), exitUsage},
		"a folder":                {append(model[:len(model):len(model)], "--set", "parse.api_key_file="+filepath.Dir(keyFile)+"/"), exitUsage},
	} {
		out := filepath.Join(dir, "out", name)
		code, said, errs := command("", append(append([]string{"run"}, c.args...), "--set", "output.dir="+out)...)
		if code != c.code {
			t.Errorf("%s: exit %d, %s", name, code, errs)
		}
		holdsSecret(t, name, said, errs)
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path == keyFile {
			return err
		}
		data, err := os.ReadFile(path)
		holdsSecret(t, path, string(data))
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
