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

// newCorpus returns a corpus of files with names relative to base.
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

// fileKey returns the prefix of the keys of a file's rows, for rows without keys of their own: 12
// hexadecimal digits of the XXH64 hash of the file's name. It does not change if files are appended.
func fileKey(name string) string { return fmt.Sprintf("%016x", xxhash.Sum64String(name))[:12] }

// commonFolder returns the folder that all files share, with a final slash, or "" if they share
// none.
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

// cleanName returns a path as path.Clean does, and a URL unchanged.
func cleanName(name string) string {
	if store.IsURL(name) {
		return name
	}
	return path.Clean(name)
}

// folderPrefix returns the prefix of all paths in a folder: "a/" for "a", "" for ".".
func folderPrefix(folder string) string {
	switch folder {
	case ".":
		return ""
	case "/":
		return folder
	}
	return folder + "/"
}

// relativeName returns the name of a file relative to base, a folder with a final slash: "b/c.tsv"
// for "a/b/c.tsv" and "a/". A file elsewhere gets "../" steps. If they share no folder, it returns
// the path.
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
