package archtest

import (
	"go/ast"
	"path"
	"slices"
	"testing"
)

// vague are the names that say nothing of what a package is for.
var vague = []string{"util", "utils", "common", "helper", "helpers", "misc", "shared", "base", "lib"}

// clockless are the packages whose results are data: the same input gives the
// same bytes, so they read no clock.
var clockless = []string{"schemas", "scenegraph", "clean", "curate", "counts", "balance", "ruleparse", "negatives", "sources", "stages", "internal/lexicon", "internal/ngrams", "internal/portable"}

func TestNamesSayWhatAPackageIsFor(t *testing.T) {
	for _, f := range files(t) {
		for _, name := range vague {
			if path.Base(f.folder) == name || f.syntax.Name.Name == name {
				t.Errorf("%s: %q says nothing of what the package is for", f.path, name)
			}
		}
	}
}

func TestEveryPackageHasADocComment(t *testing.T) {
	documented := map[string]bool{}
	for _, f := range files(t) {
		if !f.test {
			documented[f.folder] = documented[f.folder] || f.syntax.Doc.Text() != ""
		}
	}
	for folder, ok := range documented {
		if !ok {
			t.Errorf("package %s has no doc comment", folder)
		}
	}
}

func TestNothingRunsBeforeMain(t *testing.T) {
	for _, f := range files(t) {
		for _, d := range f.syntax.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				t.Errorf("%s has an init function", f.path)
			}
		}
	}
}

func TestRandomnessIsAHash(t *testing.T) {
	for _, f := range files(t) {
		for _, imported := range f.imports {
			if !f.test && (imported == "math/rand" || imported == "math/rand/v2") {
				t.Errorf("%s imports %s: randomness is a hash of seed, stage, image key and text", f.path, imported)
			}
		}
	}
}

func TestDataReadsNoClock(t *testing.T) {
	for _, f := range files(t) {
		if f.test || !inAny(f.folder, clockless) {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if p, ok := s.X.(*ast.Ident); ok && p.Name == "time" && (s.Sel.Name == "Now" || s.Sel.Name == "Since") {
					t.Errorf("%s reads the clock with time.%s", f.path, s.Sel.Name)
				}
			}
			return true
		})
	}
}

func inAny(folder string, trees []string) bool {
	for _, tree := range trees {
		if within(folder, tree) {
			return true
		}
	}
	return false
}

// TestRequestsGoWhereTheyAreSent lets internal/direct alone make HTTP clients: any other
// follows redirects, with keys and captions.
func TestRequestsGoWhereTheyAreSent(t *testing.T) {
	clients := []string{"Client", "DefaultClient", "Get", "Head", "Post", "PostForm"}
	for _, f := range files(t) {
		if f.test || inAny(f.folder, []string{"internal/direct", "testing/storetest"}) {
			continue
		}
		pointers := map[ast.Expr]bool{} // *http.Client is the type of one that was made elsewhere
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.StarExpr:
				pointers[n.X] = true
			case *ast.SelectorExpr:
				if p, ok := n.X.(*ast.Ident); ok && p.Name == "http" && slices.Contains(clients, n.Sel.Name) && !pointers[n] {
					t.Errorf("%s uses http.%s: make the client with direct.Client", f.path, n.Sel.Name)
				}
			}
			return true
		})
	}
}

// What takes long is left out in one way.
func TestLongTestsAskLongtest(t *testing.T) {
	for _, f := range files(t) {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == "Short" {
				if of, ok := s.X.(*ast.Ident); ok && of.Name == "testing" {
					t.Errorf("%s calls testing.Short: ask testing/longtest", f.path)
				}
			}
			return true
		})
	}
}
