package pipeline

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"capgraph/internal/usage"
	"capgraph/sources"
	"capgraph/store"
)

// newCorpus returns the corpus of files, with names relative to base.
func newCorpus(st store.Store, o sources.Options, files []sources.File, base string) (*Corpus, error) {
	c := &Corpus{Store: st, Options: o, Files: files, Names: make([]string, len(files))}
	paths := make(map[string]string, len(files))
	for i, f := range files {
		name := relativeName(base, cleanName(f.Path))
		if !utf8.ValidString(name) { // the column source would not be text
			return nil, usage.Errorf("source.paths: the name of the file %q is not UTF-8: rename it", f.Path)
		}
		if other, taken := paths[name]; taken {
			return nil, usage.Errorf("source.paths: the files %s and %s would both be named %s: name them by absolute paths", other, f.Path, name)
		}
		paths[name] = f.Path
		c.Names[i], files[i].Key = name, fileKey(name)
	}
	return c, nil
}

// fileKey begins the keys of the rows of a file that have none of their own: 12 hexadecimal
// digits of the XXH64 hash of its name, which stays whatever files join it.
func fileKey(name string) string { return fmt.Sprintf("%016x", xxhash.Sum64String(name))[:12] }

// commonFolder is the folder that all files share, with the slash at its end; empty if
// they share none.
func commonFolder(files []sources.File) string {
	if len(files) == 0 {
		return ""
	}
	common := store.Dir(cleanName(files[0].Path))
	for _, f := range files {
		for !strings.HasPrefix(cleanName(f.Path), folderPrefix(common)) {
			above := store.Dir(common)
			if above == common { // in another bucket
				return ""
			}
			common = above
		}
	}
	return folderPrefix(common)
}

// cleanName is a path without what does not lead anywhere; a URL is what it is.
func cleanName(name string) string {
	if store.IsURL(name) {
		return name
	}
	return path.Clean(name)
}

// folderPrefix is what the paths in a folder begin with.
func folderPrefix(folder string) string {
	switch folder {
	case ".":
		return ""
	case "/":
		return folder
	}
	return folder + "/"
}

// relativeName is the name of a file from a base, a folder with the slash at its end: what
// follows it, and of a file that lies elsewhere the way from there, or, where they share
// no folder, the path.
func relativeName(base, name string) string {
	if rest, below := strings.CutPrefix(name, base); below {
		return rest
	}
	up := ""
	for folder := strings.TrimSuffix(base, "/"); ; folder = store.Dir(folder) {
		rest, below := strings.CutPrefix(name, folderPrefix(folder))
		if folder == "." {
			below = !strings.HasPrefix(base, "../") && !strings.HasPrefix(name, "/") && !store.IsURL(name)
		}
		switch {
		case below:
			return up + rest
		case store.Dir(folder) == folder:
			return name
		}
		up += "../"
	}
}
