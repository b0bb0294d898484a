package archtest

import (
	"strings"
	"testing"
)

// layers are the packages from the ground up. A package imports from the layers
// below its own and from its own row. A row names a folder with all that is
// below it; the longest row that fits holds.
var layers = [][]string{
	{".", "schemas", "store", "internal/ngrams", "internal/panics", "internal/portable", "internal/archtest", "internal/fakevllm", "internal/browser"},
	{"scenegraph", "clean", "counts", "internal/lexicon"},
	{"sources", "ruleparse", "negatives", "evalneg", "evalgraphs", "balance", "curate"},
	{"llmparse"},
	{"pipeline"},
	{"config"},
	{"stages"},
	{"inspect"},
	{"report", "export", "verify"},
	{"serve"},
	{"cmd"},
	{"bench"},
}

// never are imports that the layers would allow.
var never = []struct{ importer, imported, because string }{
	{"pipeline", "clean", "the engine knows no stage"},
	{"pipeline", "ruleparse", "the engine knows no stage"},
	{"pipeline", "llmparse", "the engine knows no stage"},
	{"pipeline", "negatives", "the engine knows no stage"},
	{"negatives", "sources", "a generator sees graphs, never files"},
	{"ruleparse", "store", "a parser sees texts, never files"},
}

func TestImportsPointDown(t *testing.T) {
	for _, f := range files(t) {
		from, row := layer(f.folder)
		if from < 0 {
			t.Errorf("%s: package %s is in no layer: add it to layers in internal/archtest/imports_test.go", f.path, f.folder)
			continue
		}
		if f.test {
			continue
		}
		for _, imported := range f.imports {
			target, ok := ownFolder(imported)
			if !ok {
				continue
			}
			to, targetRow := layer(target)
			if to > from || to == from && row != targetRow {
				t.Errorf("%s imports %s, which is not below it", f.path, imported)
			}
			for _, n := range never {
				if within(f.folder, n.importer) && within(target, n.imported) {
					t.Errorf("%s imports %s: %s", f.path, imported, n.because)
				}
			}
		}
	}
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
