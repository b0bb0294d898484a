package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
)

const module = "capgraph"

// file is a Go file of the module.
type file struct {
	path    string // relative to the root, with slashes
	folder  string // of path; "." is the root
	test    bool
	imports []string
	syntax  *ast.File
}

// files reads every Go file of the module.
func files(t *testing.T) []file {
	t.Helper()
	root := os.DirFS("../..")
	var found []file
	err := fs.WalkDir(root, ".", func(p string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if p != "." && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || name == "third_party") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		data, err := fs.ReadFile(root, p)
		if err != nil {
			return err
		}
		syntax, err := parser.ParseFile(token.NewFileSet(), p, data, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		f := file{path: p, folder: path.Dir(p), test: strings.HasSuffix(name, "_test.go"), syntax: syntax}
		for _, spec := range syntax.Imports {
			f.imports = append(f.imports, strings.Trim(spec.Path.Value, `"`))
		}
		found = append(found, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		t.Fatal("no Go files found")
	}
	return found
}

// within reports whether folder is tree or below it.
func within(folder, tree string) bool {
	return folder == tree || strings.HasPrefix(folder, tree+"/")
}
