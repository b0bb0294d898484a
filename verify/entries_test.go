package verify_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strings"

	"capgraph/folder"
	"capgraph/internal/counts"
	"capgraph/internal/parquetio"
	"capgraph/schemas"
)

const (
	parseEntry = ".capgraph/entries/parse/" + first + ".json"
	countEntry = ".capgraph/entries/count/all.json"
	indexFile  = ".capgraph/index.json"
)

// figure changes a number of an entry.
func (f damaged) figure(entry, of, name string, change func(float64) float64) {
	f.edit(entry, func(e map[string]any) {
		n, _ := e[of].(map[string]any)[name].(float64)
		e[of].(map[string]any)[name] = change(n)
	})
}

func more(n float64) float64 { return n + 1 }

// counts changes the counts of a file, which an entry names at that place.
func (f damaged) counts(pass folder.Pass, shard string, file int, change func([]schemas.Count) []schemas.Count) {
	name := folder.CountsFile(pass, shard)
	if pass == folder.PassCount {
		name = folder.ReducedFile(folder.Vocabulary)
	}
	in := bytes.NewReader(f.read(name))
	var all []schemas.Count
	for c, err := range counts.Read(in, in.Size()) {
		if err != nil {
			f.t.Fatal(err)
		}
		all = append(all, c)
	}
	var out strings.Builder
	rows := counts.Rows(func(yield func(schemas.Count) bool) {
		for _, c := range change(all) {
			if !yield(c) {
				return
			}
		}
	})
	if err := counts.Write(&out, rows, parquetio.WriterOptions{}); err != nil {
		f.t.Fatal(err)
	}
	f.write(name, []byte(out.String()))
	f.sign(pass, shard, file)
}

// indexed changes the first source file or shard of the index.
func (f damaged) indexed(what string, at int, change func(map[string]any)) {
	f.edit(indexFile, func(x map[string]any) { change(x[what].([]any)[at].(map[string]any)) })
}

var damagesOfEntries = []damage{
	{"an entry names no file", func(f damaged) { f.edit(textsEntry, func(e map[string]any) { e["files"] = nil }) }, "files", "it does not name " + textsFile},
	{"an entry does not name the counts", func(f damaged) {
		f.edit(tallyEntry, func(e map[string]any) { e["files"] = []any{} })
	}, "files", "it does not name " + countsFile},
	{"texts are of another vocabulary", func(f damaged) {
		f.edit(textsEntry, func(e map[string]any) {
			if want := fmt.Sprintf("%x", sha256.Sum256(f.read(folder.ReducedFile(folder.Vocabulary)))); e["vocabulary"] != want {
				f.t.Errorf("the entry is of the vocabulary %v, want %s", e["vocabulary"], want)
			}
			e["vocabulary"] = "0123456789abcdef"
		})
	}, "plans", "it was made with the vocabulary 0123456789ab…, and that of its plan is "},
	{"graphs are not counted", func(f damaged) { f.remove(tallyEntry) }, "accounts", "1 shard is not done: " + first},
	{"fewer graphs are counted", func(f damaged) { f.edit(tallyEntry, func(e map[string]any) { e["rows_in"] = 1 }) }, "accounts", "1 row went in and "},
	{"an entry names another file", func(f damaged) {
		f.edit(parseEntry, func(e map[string]any) { e["files"].([]any)[1] = e["files"].([]any)[0] })
	}, "files", "it names " + graphsFile + ", which is none of its pass' files or is named before"},
	{"a figure of balance is another", func(f damaged) {
		f.replace(folder.EntryFile(folder.PassBalance, folder.Whole), `"sampled_kept": `, `"sampled_kept": 1`)
	}, "index", "is damaged: its sum is "},
	{"the card leads to other files", func(f damaged) { f.replace("README.md", "data_files: texts/", "data_files: uexts/") }, "card", "its configs are others"},
	{"the card is of another corpus", func(f damaged) { f.replace("README.md", "205 captions", "206 captions") }, "card", "it says 206 captions, and texts/ has 205"},
	{"the card has no title", func(f damaged) { f.replace("README.md", "# Scene", "# Tcene") }, "card", "it is not a dataset card that capgraph wrote"},
	{"the card says another thing", func(f damaged) { f.replace("README.md", "| neg_method |", "| neg_methoe |") }, "card", "from line 38 on it is not as capgraph writes it"},
	{"the card is cut off", func(f damaged) { f.write("README.md", f.read("README.md")[:2000]) }, "card", "from line "},
	{"an entry names a file of another pass", func(f damaged) {
		f.edit(parseEntry, func(e map[string]any) { e["files"].([]any)[0].(map[string]any)["name"] = textsFile })
	}, "index", `is damaged: it names "` + textsFile + `", which is no file of its pass and shard`},
	{"the vocabulary is in no entry", func(f damaged) {
		f.edit(countEntry, func(e map[string]any) { e["files"] = e["files"].([]any)[:1] })
	}, "files", "it does not name .capgraph/vocabulary.parquet"},
	{"rows are rejected for another reason", func(f damaged) {
		f.figure(parseEntry, "rejects", "empty", func(n float64) float64 { return n - 1 })
		f.figure(parseEntry, "rejects", "other", more)
	}, "rejects", "it has 0 rows rejected as other, and its entry says 1"},
	{"fewer than no rows are rejected", func(f damaged) {
		f.figure(parseEntry, "rejects", "other", func(float64) float64 { return -1 })
	}, "accounts", "other of its rejects is -1"},
	{"a figure is below none", func(f damaged) {
		f.figure(textsEntry, "stats", "dropped_cap", func(float64) float64 { return -1 })
	}, "accounts", "dropped_cap of its stats is -1"},
	{"a figure of a whole pass is below none", func(f damaged) {
		f.figure(countEntry, "stats", "duplicates", func(float64) float64 { return -1 })
	}, "accounts", "duplicates of its stats is -1"},
	{"an entry counts other objects", func(f damaged) { f.figure(parseEntry, "stats", "objects", more) }, "graphs", "and its rows have"},
	{"an entry counts other relations", func(f damaged) { f.figure(parseEntry, "stats", "relations", more) }, "graphs", "its relations are"},
	{"an entry counts a doubtful graph", func(f damaged) { f.figure(parseEntry, "stats", "doubtful_graphs", more) }, "graphs", "its doubtful_graphs are"},
	{"an entry counts an empty graph", func(f damaged) { f.figure(parseEntry, "stats", "empty_graphs", more) }, "graphs", "its empty_graphs are"},
	{"an entry counts other positives", func(f damaged) { f.figure(textsEntry, "stats", "positives", more) }, "texts", "its positives are"},
	{"an entry counts other negatives", func(f damaged) { f.figure(textsEntry, "stats", "negatives", more) }, "texts", "its negatives are"},
	{"an entry counts a caption without a negative", func(f damaged) {
		f.figure(textsEntry, "stats", "without_negative", more)
	}, "texts", "its without_negative are"},

	{"a count of a shard is none", func(f damaged) {
		f.counts(folder.PassTally, first, 0, func(all []schemas.Count) []schemas.Count { all[3].N = 0; return all })
	}, "counts", "the count of row 3, of kind "},
	{"kinds of counts are not in order", func(f damaged) {
		f.counts(folder.PassTally, first, 0, func(all []schemas.Count) []schemas.Count {
			return append(all[1:], all[0])
		})
	}, "counts", "comes after kind"},
	{"the vocabulary counts more", func(f damaged) {
		f.counts(folder.PassCount, folder.Whole, 1, func(all []schemas.Count) []schemas.Count { all[0].N++; return all })
	}, "counts", "and those of the shards to"},
	{"the vocabulary lacks a kind", func(f damaged) {
		f.counts(folder.PassCount, folder.Whole, 1, func(all []schemas.Count) []schemas.Count {
			var some []schemas.Count
			for _, c := range all {
				if c.Kind != "object" {
					some = append(some, c)
				}
			}
			return some
		})
	}, "counts", "its counts of kind object add up to 0, and those of the shards to"},

	{"the index has another file", func(f damaged) {
		f.indexed("files", 0, func(x map[string]any) { x["name"] = "other.tsv" })
	}, "index", "file 0 is other.tsv, and cc12m.tsv in its plan"},
	{"the index has a file too many", func(f damaged) {
		f.edit(indexFile, func(x map[string]any) { x["files"] = append(x["files"].([]any), x["files"].([]any)[0]) })
	}, "index", "it has 2 files, and its plan 1"},
	{"a source file is too small for its shards", func(f damaged) {
		f.indexed("files", 0, func(x map[string]any) { x["size"] = 100 })
	}, "index", "of cc12m.tsv, which has 100"},
	{"a source file has rows and no bytes", func(f damaged) {
		f.indexed("files", 0, func(x map[string]any) { x["size"] = 0 })
	}, "index", "cc12m.tsv has 0 bytes and 242 rows"},
	{"a source file has other rows", func(f damaged) {
		f.indexed("files", 0, func(x map[string]any) { x["rows"] = 1 })
	}, "index", "the shards of cc12m.tsv have 242 rows, and it has 1"},
	{"a shard begins elsewhere", func(f damaged) {
		f.indexed("shards", 1, func(x map[string]any) { x["first"].(map[string]any)["Row"] = 7 })
	}, "index", "shard " + second + " begins at row 7 of cc12m.tsv, and the shards before it end at"},
}
