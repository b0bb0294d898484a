package verify_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph/folder"
	"capgraph/internal/parquetio"
	"capgraph/schemas"
	"capgraph/store"
	"capgraph/verify"
)

const (
	first  = "train-00000-of-00005"
	second = "train-00001-of-00005"
)

func check(t *testing.T, dir string) []verify.Problem {
	t.Helper()
	var problems []verify.Problem
	result, err := verify.Run(context.Background(), folder.Folder{Store: store.Local{}, Dir: dir}, verify.Options{Workers: 2}, func(p verify.Problem) { problems = append(problems, p) })
	if err != nil {
		t.Fatal(err)
	}
	if result.Problems+result.Notes != int64(len(problems)) {
		t.Errorf("%d problems are counted and %d told", result.Problems, len(problems))
	}
	return problems
}

// damaged is a folder that is being damaged.
type damaged struct {
	t   *testing.T
	dir string
}

func (f damaged) path(name string) string { return filepath.Join(f.dir, name) }

func (f damaged) read(name string) []byte {
	data, err := os.ReadFile(f.path(name))
	if err != nil {
		f.t.Fatal(err)
	}
	return data
}

func (f damaged) write(name string, data []byte) {
	if err := os.WriteFile(f.path(name), data, 0o666); err != nil {
		f.t.Fatal(err)
	}
}

func (f damaged) remove(name string) {
	if err := os.Remove(f.path(name)); err != nil {
		f.t.Fatal(err)
	}
}

// edit changes a JSON file. An entry gets the sum of what it then has, which other checks read.
func (f damaged) edit(name string, change func(map[string]any)) {
	var v map[string]any
	if err := json.Unmarshal(f.read(name), &v); err != nil {
		f.t.Fatal(err)
	}
	change(v)
	data, err := json.Marshal(v)
	if err == nil && strings.HasPrefix(name, ".capgraph/entries/") {
		var e folder.Entry
		if err = errors.Join(json.Unmarshal(data, &e), e.Seal()); err == nil {
			data, err = json.Marshal(&e)
		}
	}
	if err != nil {
		f.t.Fatal(err)
	}
	f.write(name, data)
}

// replace replaces a part of a file, which is there.
func (f damaged) replace(name, old, by string) {
	text := f.read(name)
	if !bytes.Contains(text, []byte(old)) {
		f.t.Fatalf("%s does not have %q", name, old)
	}
	f.write(name, bytes.Replace(text, []byte(old), []byte(by), 1))
}

// rewrite writes a shard with other rows, and its entry so that the hash is
// that of what is written.
func (f damaged) rewrite(pass folder.Pass, shard string, change func(arrow.Record) arrow.Record) {
	name := folder.DataFile(pass, shard)
	in := bytes.NewReader(f.read(name))
	r, err := parquetio.NewReader(in, in.Size(), parquetio.ReaderOptions{})
	if err != nil {
		f.t.Fatal(err)
	}
	defer r.Close()
	var out strings.Builder
	var w *parquetio.Writer
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			f.t.Fatal(err)
		}
		changed := change(rec)
		if w == nil {
			if w, err = parquetio.NewWriter(&out, changed.Schema(), parquetio.WriterOptions{Metadata: r.Metadata()}); err != nil {
				f.t.Fatal(err)
			}
		}
		if err := w.Write(changed); err != nil {
			f.t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		f.t.Fatal(err)
	}
	f.remove(name)
	f.write(name, []byte(out.String()))
	f.sign(pass, shard, 0)
}

// sign puts the hash of a file into its entry.
func (f damaged) sign(pass folder.Pass, shard string, file int) {
	local := folder.Folder{Store: store.Local{}, Dir: f.dir}
	e, err := local.ReadEntry(pass, shard)
	if err != nil {
		f.t.Fatal(err)
	}
	if e.Files[file], err = local.HashFile(e.Files[file].Name); err != nil {
		f.t.Fatal(err)
	}
	f.remove(folder.EntryFile(pass, shard))
	if err := local.DeclareDone(e); err != nil {
		f.t.Fatal(err)
	}
}

// graphs changes the graph of the first row of each batch.
func (f damaged) graphs(change func(*schemas.Parsed)) {
	f.rewrite(folder.PassParse, first, func(rec arrow.Record) arrow.Record {
		tokens, err := schemas.NewTokensView(rec)
		if err != nil {
			f.t.Fatal(err)
		}
		graphs, err := schemas.NewGraphView(rec)
		if err != nil {
			f.t.Fatal(err)
		}
		b := schemas.NewParsedBuilder(memory.DefaultAllocator)
		for i := range int(rec.NumRows()) {
			var p schemas.Parsed
			p.Tokens = tokens.At(i, nil)
			graphs.WholeAt(i, &p.Graph)
			if len(p.Graph.Relations) > 0 && len(p.Graph.Objects) > 0 {
				change(&p)
				change = func(*schemas.Parsed) {}
			}
			b.Append(&p)
		}
		columns := b.NewColumns()
		return replace(replace(rec, schemas.ColTokens, columns[0]), schemas.ColGraph, columns[1])
	})
}

// texts changes the texts of one row.
func (f damaged) texts(change func(*schemas.Pool)) {
	f.rewrite(folder.PassTexts, first, func(rec arrow.Record) arrow.Record {
		view, err := schemas.NewPoolView(rec)
		if err != nil {
			f.t.Fatal(err)
		}
		var positives schemas.PositivesBuilder
		var negatives schemas.NegativesBuilder
		for i := range int(rec.NumRows()) {
			var p schemas.Pool
			if err := view.At(i, &p); err != nil {
				f.t.Fatal(err)
			}
			if len(p.Negatives) > 0 {
				change(&p)
				change = func(*schemas.Pool) {}
			}
			if err := errors.Join(positives.Append(p.Positives), negatives.Append(p.Negatives)); err != nil {
				f.t.Fatal(err)
			}
		}
		columns := append(positives.NewColumns(), negatives.NewColumns()...)
		for i, field := range append(schemas.PositiveFields(), schemas.NegativeFields()...) {
			rec = replace(rec, field.Name, columns[i])
		}
		return rec
	})
}

// replace puts another column in the place of one.
func replace(rec arrow.Record, name string, column arrow.Array) arrow.Record {
	columns := append([]arrow.Array{}, rec.Columns()...)
	columns[rec.Schema().FieldIndices(name)[0]] = column
	return array.NewRecord(rec.Schema(), columns, rec.NumRows())
}

const (
	textsEntry  = ".capgraph/entries/texts/" + first + ".json"
	tallyEntry  = ".capgraph/entries/tally/" + first + ".json"
	textsFile   = "texts/" + first + ".parquet"
	graphsFile  = "graphs/" + first + ".parquet"
	rejectsFile = ".capgraph/rejects/parse/" + first + ".parquet"
	countsFile  = ".capgraph/counts/tally/" + first + ".parquet"
)

// damage is a way in which a folder can be damaged, with the check that finds it
// and what it says.
type damage struct {
	name  string
	do    func(damaged)
	check string
	says  string
}

var damages = []damage{
	{"a bit of a file is flipped", func(f damaged) {
		data := f.read(textsFile)
		data[len(data)/2] ^= 1
		f.write(textsFile, data)
	}, "hashes", "its SHA-256 is"},
	{"a file is cut off", func(f damaged) { f.write(graphsFile, f.read(graphsFile)[:1000]) }, "hashes", "it has 1000 bytes"},
	{"a file is gone", func(f damaged) { f.remove(textsFile) }, "hashes", "it is not there"},
	{"the rejects are gone", func(f damaged) { f.remove(rejectsFile) }, "hashes", "it is not there"},
	{"the counts are damaged", func(f damaged) { f.write(countsFile, []byte("PAR1")) }, "hashes", "it has 4 bytes"},
	{"the vocabulary is damaged", func(f damaged) { f.write(".capgraph/vocabulary.parquet", nil) }, "hashes", "it has 0 bytes"},
	{"an entry is no JSON", func(f damaged) { f.write(textsEntry, []byte("{")) }, "index", "is damaged"},
	{"an entry is gone", func(f damaged) { f.remove(textsEntry) }, "accounts", "1 shard is not done: " + first},
	{"an entry is gone and its file stays", func(f damaged) { f.remove(textsEntry) }, "leftovers", "no entry names it"},
	{"an entry is another shard's", func(f damaged) { f.edit(textsEntry, func(e map[string]any) { e["shard"] = second }) }, "index", `is damaged: it is of pass "texts" and shard "` + second},
	{"an entry says nothing", func(f damaged) { f.write(textsEntry, []byte("null")) }, "index", `is damaged: it is of pass "" and shard ""`},
	{"an entry is of no shard", func(f damaged) {
		f.write(folder.EntryFile(folder.PassTexts, "other"), bytes.ReplaceAll(f.read(textsEntry), []byte(first), []byte("other")))
		f.edit(folder.EntryFile(folder.PassTexts, "other"), func(map[string]any) {})
		f.remove(textsEntry)
	}, "index", "of no shard"},
	{"rows are lost", func(f damaged) { f.edit(textsEntry, func(e map[string]any) { e["rows_out"] = 3 }) }, "accounts", "3 came out and 0 were rejected"},
	{"rows never came", func(f damaged) {
		f.edit(textsEntry, func(e map[string]any) { e["rows_out"], e["rows_in"] = 3, 3 })
	}, "accounts", "3 rows went in and there were"},
	{"an entry says other rows than its file", func(f damaged) { f.edit(textsEntry, func(e map[string]any) { e["rows_out"] = 3 }) }, "schema", "its entry says 3"},
	{"the index has other rows", func(f damaged) {
		f.edit(".capgraph/index.json", func(x map[string]any) { x["shards"].([]any)[0].(map[string]any)["rows"] = 60 })
	}, "accounts", "and there were 60"},
	{"the index names a shard twice", func(f damaged) {
		f.edit(".capgraph/index.json", func(x map[string]any) { x["shards"].([]any)[1].(map[string]any)["name"] = first })
	}, "index", "twice"},
	{"the index is of another plan", func(f damaged) { f.edit(".capgraph/index.json", func(x map[string]any) { x["plan"] = "0" }) }, "plans", "made by the plan 0"},
	{"a plan was changed", func(f damaged) {
		f.edit(".capgraph/plans/texts.json", func(p map[string]any) { p["settings"].(map[string]any)["seed"] = 9 })
	}, "plans", "it was made by the plan"},
	{"the plan of the input was changed", func(f damaged) {
		f.edit(".capgraph/plans/parse.json", func(p map[string]any) { p["version"] = "other" })
	}, "plans", "its input was"},
	{"a shard is done that the plan of the input is without", func(f damaged) {
		f.edit(".capgraph/plans/count.json", func(p map[string]any) { p["input"] = p["input"].(string) + " without " + first })
	}, "plans", " without " + first + " and is "},
	{"the record of a build was changed", func(f damaged) {
		builds, err := filepath.Glob(f.path(folder.BuildsDir(folder.PassTexts) + "/*"))
		if err != nil || len(builds) != 1 {
			f.t.Fatal(builds, err)
		}
		f.edit(folder.BuildsDir(folder.PassTexts)+"/"+filepath.Base(builds[0]), func(b map[string]any) { b["commit"] = "other" })
	}, "files", "it does not hold the build that its name is a hash of"},
	{"a plan is gone", func(f damaged) { f.remove(".capgraph/plans/count.json") }, "plans", "it is not there"},
	{"a pass is not done", func(f damaged) { f.remove(".capgraph/entries/balance/all.json") }, "accounts", "it is not done"},
	{"a file is left over", func(f damaged) { f.write("texts/old.parquet", f.read(textsFile)) }, "leftovers", "no entry names it"},
	{"a column is missing", func(f damaged) {
		f.rewrite(folder.PassParse, first, func(rec arrow.Record) arrow.Record {
			return array.NewRecord(arrow.NewSchema(rec.Schema().Fields()[1:], nil), rec.Columns()[1:], rec.NumRows())
		})
	}, "schema", `"key"`},
	{"a file is another shard's", func(f damaged) {
		f.write(textsFile, f.read("texts/"+second+".parquet"))
		f.sign(folder.PassTexts, first, 0)
	}, "texts", graphsFile + ` has the row "14cf795772c2-000000000" in its place`},
	{"keys come twice", func(f damaged) {
		f.write(graphsFile, f.read("graphs/"+second+".parquet"))
		f.sign(folder.PassParse, first, 0)
	}, "keys", "is in shard " + first + " and in shard " + second},
	{"more keys come twice than are named", func(f damaged) {
		f.write(graphsFile, f.read("graphs/"+second+".parquet"))
		f.sign(folder.PassParse, first, 0)
	}, "keys", "more keys"},
	{"a relation leads nowhere", func(f damaged) {
		f.graphs(func(p *schemas.Parsed) { p.Graph.Relations[0].Object = 99 })
	}, "graphs", "to 99 of"},
	{"a relation leads to itself", func(f damaged) {
		f.graphs(func(p *schemas.Parsed) { p.Graph.Relations[0].Object = p.Graph.Relations[0].Subject })
	}, "graphs", "leads from object"},
	{"an object is past the text", func(f damaged) {
		f.graphs(func(p *schemas.Parsed) { p.Graph.Objects[0].End = 9999 })
	}, "graphs", "to 9999 of a text"},
	{"an object has no name", func(f damaged) { f.graphs(func(p *schemas.Parsed) { p.Graph.Objects[0].Name = "" }) }, "graphs", "has no name"},
	{"an attribute has no form", func(f damaged) {
		f.graphs(func(p *schemas.Parsed) {
			p.Graph.Objects[0].Attributes = append(p.Graph.Objects[0].Attributes, schemas.Attribute{Text: "red", Begin: -1, End: -1})
		})
	}, "graphs", `has the form ""`},
	{"a token is past the text", func(f damaged) { f.graphs(func(p *schemas.Parsed) { p.Tokens[0].End = 9999 }) }, "graphs", "a token is bytes"},
	{"a negative is of no positive", func(f damaged) { f.texts(func(p *schemas.Pool) { p.Negatives[0].Of = 999 }) }, "texts", "neg_of 999 is no index of its"},
	{"a negative is of a positive below none", func(f damaged) { f.texts(func(p *schemas.Pool) { p.Negatives[0].Of = -1 }) }, "texts", "neg_of -1 is no index of its"},
	{"a negative is true", func(f damaged) {
		f.texts(func(p *schemas.Pool) { p.Negatives[0].Text = "The " + strings.ToUpper(p.Positives[0].Text) })
	}, "texts", "says what a positive of its image says"},
	{"an id is wrong", func(f damaged) { f.texts(func(p *schemas.Pool) { p.Positives[1].ID++ }) }, "texts", "the pos_id of"},
	{"the text is no positive", func(f damaged) {
		f.texts(func(p *schemas.Pool) { p.Positives[0], p.Positives[1] = p.Positives[1], p.Positives[0] })
	}, "texts", "its first positive is not its text"},
	{"a kind is unknown", func(f damaged) { f.texts(func(p *schemas.Pool) { p.Positives[1].Kind = "other" }) }, "texts", `is "other"`},
	{"a negative changes nothing known", func(f damaged) { f.texts(func(p *schemas.Pool) { p.Negatives[0].Changed = "" }) }, "texts", `neg_changed ""`},
	{"lists are not parallel", func(f damaged) {
		f.rewrite(folder.PassTexts, first, func(rec arrow.Record) arrow.Record {
			return replace(rec, schemas.ColNegMethod, rec.Column(rec.Schema().FieldIndices(schemas.ColPosKind)[0]))
		})
	}, "texts", "neg_method"},
}

func TestEveryDamageIsFound(t *testing.T) {
	whole := good(t)
	if problems := check(t, whole); len(problems) > 0 {
		t.Fatalf("nothing is wrong, and it says %v", problems)
	}
	for _, d := range slices.Concat(damages, damagesOfEntries, damagesOfRows) {
		t.Run(d.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			d.do(damaged{t, dir})
			problems := check(t, dir)
			for _, p := range problems {
				if p.Check == d.check && strings.Contains(p.What, d.says) {
					if p.Remedy == "" || p.Where == "" {
						t.Errorf("%+v", p)
					}
					// Its entry says that the run wrote the row, and another run would write it again.
					if strings.Contains(p.Where, ": row ") && (!strings.Contains(p.Remedy, "fault of capgraph") || strings.Contains(p.Remedy, "remove")) {
						t.Errorf("%+v", p)
					}
					return
				}
			}
			t.Errorf("%s does not say %q: %v", d.check, d.says, problems)
		})
	}
}

func TestReportsAreTheSameEachTime(t *testing.T) {
	dir := good(t)
	f := damaged{t, dir}
	for _, shard := range []string{first, second, "train-00002-of-00005"} {
		f.edit(folder.EntryFile(folder.PassTexts, shard), func(e map[string]any) { e["plan"], e["shard"] = "0", "other" })
		f.write(folder.EntryFile(folder.PassParse, shard), []byte("{"))
		f.remove(folder.DataFile(folder.PassTexts, shard))
	}
	once := check(t, dir)
	for range 10 {
		if again := check(t, dir); !slices.Equal(again, once) {
			t.Fatalf("it says\n%v\nand then\n%v", once, again)
		}
	}
}

func TestNoFolder(t *testing.T) {
	_, err := verify.Run(context.Background(), folder.Folder{Store: store.Local{}, Dir: t.TempDir()}, verify.Options{}, func(verify.Problem) {})
	if err == nil || !strings.Contains(err.Error(), "is not a folder that 'capgraph run' wrote") {
		t.Error(err)
	}
}
