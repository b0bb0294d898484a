package verify_test

const (
	parseEntry = ".capgraph/entries/parse/" + first + ".json"
	countEntry = ".capgraph/entries/count/all.json"
)

// figure changes a number of an entry.
func (f folder) figure(entry, of, name string, change func(float64) float64) {
	f.edit(entry, func(e map[string]any) {
		n, _ := e[of].(map[string]any)[name].(float64)
		e[of].(map[string]any)[name] = change(n)
	})
}

func more(n float64) float64 { return n + 1 }

var damagesOfEntries = []damage{
	{"an entry names no file", func(f folder) { f.edit(textsEntry, func(e map[string]any) { e["files"] = nil }) }, "files", "it does not name " + textsFile},
	{"an entry does not name the counts", func(f folder) {
		f.edit(parseEntry, func(e map[string]any) { e["files"] = e["files"].([]any)[:2] })
	}, "files", "it does not name " + countsFile},
	{"an entry names another file", func(f folder) {
		f.edit(parseEntry, func(e map[string]any) { e["files"].([]any)[1] = e["files"].([]any)[0] })
	}, "files", "it names " + graphsFile + ", which is none of its pass' files or is named before"},
	{"the vocabulary is in no entry", func(f folder) {
		f.edit(countEntry, func(e map[string]any) { e["files"] = e["files"].([]any)[:1] })
	}, "files", "it does not name .capgraph/vocabulary.parquet"},
	{"rows are rejected for another reason", func(f folder) {
		f.figure(parseEntry, "rejects", "empty", func(n float64) float64 { return n - 1 })
		f.figure(parseEntry, "rejects", "other", more)
	}, "rejects", "it has 0 rows rejected as other, and its entry says 1"},
	{"fewer than no rows are rejected", func(f folder) {
		f.figure(parseEntry, "rejects", "other", func(float64) float64 { return -1 })
	}, "accounts", "other of its rejects is -1"},
	{"a figure is below none", func(f folder) {
		f.figure(textsEntry, "stats", "dropped_cap", func(float64) float64 { return -1 })
	}, "accounts", "dropped_cap of its stats is -1"},
	{"a figure of a whole pass is below none", func(f folder) {
		f.figure(countEntry, "stats", "duplicates", func(float64) float64 { return -1 })
	}, "accounts", "duplicates of its stats is -1"},
	{"an entry counts other objects", func(f folder) { f.figure(parseEntry, "stats", "objects", more) }, "graphs", "and its rows have"},
	{"an entry counts other relations", func(f folder) { f.figure(parseEntry, "stats", "relations", more) }, "graphs", "its relations are"},
	{"an entry counts an empty graph", func(f folder) { f.figure(parseEntry, "stats", "empty_graphs", more) }, "graphs", "its empty_graphs are"},
	{"an entry counts other positives", func(f folder) { f.figure(textsEntry, "stats", "positives", more) }, "texts", "its positives are"},
	{"an entry counts other negatives", func(f folder) { f.figure(textsEntry, "stats", "negatives", more) }, "texts", "its negatives are"},
	{"an entry counts a caption without a negative", func(f folder) {
		f.figure(textsEntry, "stats", "without_negative", more)
	}, "texts", "its without_negative are"},
}
