package archtest

import (
	"strings"
	"testing"
)

// layers are the packages from the ground up. A package imports from the layers
// below its own and from its own row. A row names a folder with all that is
// below it; the longest row that fits holds.
var layers = [][]string{
	{"internal/parquetio", "internal/licences", "internal/redact"},
	{".", "schemas", "store", "internal/ngrams", "internal/panics", "internal/portable", "internal/strictyaml", "internal/text", "internal/usage", "internal/direct", "internal/archtest", "internal/metrics"},
	{"scenegraph", "clean", "internal/counts", "kernels", "internal/lexicon", "internal/progress", "internal/build", "store/objectstore", "train/tokenizer", "ruleparse/internal/penn", "internal/linear", "internal/wordpiece"},
	{"schemas/drawing"},
	{"llmparse/replies"},
	{"llmparse/client"},
	{"internal/annotated", "internal/phrases", "train/model", "images", "train/group", "train/device", "ruleparse/internal/tokens", "ruleparse/internal/encoder"},
	{"train/checkpoint", "train/loader", "train/optimiser", "ruleparse/internal/analysis", "ruleparse/internal/factual"},
	{"testing", "train/objective", "ruleparse/internal/rules", "ruleparse/internal/model"},
	{"negatives/slots", "negatives/truth"},
	{"negatives/grammar"},
	{"negatives/vocabulary"},
	{"negatives/words"},
	{"negatives/say", "negatives/siblings", "negatives/quality"},
	{"negatives/methods"},
	{"negatives/plausible"},
	{"negatives/whole"},
	{"sources", "ruleparse", "negatives", "negatives/publiccounts", "negatives/balance", "negatives/textonly", "clean/curate", "eval/graphs"},
	{"llmparse", "negatives/llm", "eval/negatives", "ruleparse/tools/internal/examples"},
	{"synth", "train/metrics", "eval/clip", "ruleparse/tools/internal/lessons"},
	{"train/features", "ruleparse/tools/internal/train"},
	{"train/benchmarks"},
	{"folder", "ruleparse/tools/train", "ruleparse/tools/teach"},
	{"pipeline", "train"},
	{"config"},
	{"stages"},
	{"worker"},
	{"look/inspect"},
	{"look/report", "export", "verify"},
	{"look/serve", "export/join"},
	{"cmd"},
	{"tools"},
}

// engine is all that pipeline imports of this module: it knows no stage.
var engine = []string{"folder", "internal/parquetio", "sources", "internal/counts", "schemas", "store", "internal/progress", "internal/text", "internal/usage"}

// never are packages that others need neither directly nor through others, though the
// layers would allow it.
var never = []struct{ importer, imported, because string }{
	{"negatives", "sources", "a generator sees graphs, never files"},
	{"ruleparse", "store", "a parser sees texts, never files"},
	{"train", "ruleparse", "a trainer reads texts, and would carry the parser's model of 12 MB"},
	{"eval/clip", "ruleparse", "the benchmarks get their tagger as an argument"},
	{"eval", "train", "the benchmarks measure any encoder, and need no trainer"},
	{"cmd", "testing", "the program links no test support"},
	{"folder", "sources", "who opens a folder reads no captions, and would link eleven readers"},
	{"folder", "internal/progress", "who opens a folder shows no progress, and would link its bars"},
}

func TestImportsPointDown(t *testing.T) {
	for _, f := range files(t) {
		if from, _ := layer(f.folder); from < 0 {
			t.Errorf("%s: package %s is in no layer: add it to layers in internal/archtest/imports_test.go", f.path, f.folder)
			continue
		}
		for _, imported := range f.imports {
			if why := forbidden(f.folder, imported); why != "" && !f.test {
				t.Errorf("%s imports %s: %s", f.path, imported, why)
			}
		}
	}
}

// TestForbiddenDependencies follows imports through other packages to those of never.
func TestForbiddenDependencies(t *testing.T) {
	imports := map[string][]string{} // by folder
	for _, f := range files(t) {
		for _, imported := range f.imports {
			if target, ok := ownFolder(imported); ok && !f.test {
				imports[f.folder] = append(imports[f.folder], target)
			}
		}
	}
	for _, n := range never {
		from := map[string]string{} // the importer of each folder reached
		var queue []string
		for folder := range imports {
			if within(folder, n.importer) {
				from[folder], queue = "", append(queue, folder)
			}
		}
		for ; len(queue) > 0; queue = queue[1:] {
			folder := queue[0]
			if within(folder, n.imported) {
				chain := folder
				for up := from[folder]; up != ""; up = from[up] {
					chain = up + " > " + chain
				}
				t.Errorf("%s: %s", chain, n.because)
				continue
			}
			for _, target := range imports[folder] {
				if _, reached := from[target]; !reached {
					from[target], queue = folder, append(queue, target)
				}
			}
		}
	}
}

func TestForbiddenImports(t *testing.T) {
	for _, c := range []struct {
		folder, imported string
		forbidden        bool
	}{
		{"pipeline", "capgraph/schemas", false},
		{"pipeline", "capgraph/testing/faultstore", true},
		{"pipeline", "io", false},
		{"pipeline", "capgraph/negatives/balance", true},
		{"pipeline", "capgraph/scenegraph", true},
		{"pipeline", "capgraph/stages", true},
		{"stages", "capgraph/pipeline", false},
		{"stages", "capgraph/negatives/balance", false},
		{"schemas", "capgraph/store", true},
		{"negatives", "capgraph/negatives/say", false},
		{"negatives/words", "capgraph/negatives", true},
		{"negatives", "capgraph/negatives/whole", false},
		{"negatives/whole", "capgraph/negatives", true},
		{"negatives/say", "capgraph/negatives/plausible", true},
		{"ruleparse", "capgraph/scenegraph", false},
		{"ruleparse", "capgraph/ruleparse/tools/internal/train", true},
		{"ruleparse/internal/analysis", "capgraph/ruleparse/internal/rules", true},
		{"ruleparse", "capgraph/store", true},
	} {
		if why := forbidden(c.folder, c.imported); (why != "") != c.forbidden {
			t.Errorf("%s imports %s: %q", c.folder, c.imported, why)
		}
	}
}

// forbidden tells why a package may not import another; "" where it may.
func forbidden(folder, imported string) string {
	target, ok := ownFolder(imported)
	if !ok {
		return ""
	}
	from, row := layer(folder)
	to, targetRow := layer(target)
	if to > from || to == from && row != targetRow {
		return "it is not below"
	}
	if within(folder, "pipeline") && !within(target, "pipeline") && !inAny(target, engine) {
		return "the engine knows no stage"
	}
	for _, n := range never {
		if within(folder, n.importer) && within(target, n.imported) {
			return n.because
		}
	}
	return ""
}

// layer returns the number of the layer of a folder and its row there, or -1.
func layer(folder string) (number int, row string) {
	number = -1
	for i, rows := range layers {
		for _, r := range rows {
			if (within(folder, r) || r == folder) && len(r) >= len(row) {
				number, row = i, r
			}
		}
	}
	return number, row
}

// ownFolder returns the folder of an import path of this module.
func ownFolder(imported string) (string, bool) {
	if imported == module {
		return ".", true
	}
	return strings.CutPrefix(imported, module+"/")
}
