package objectstore

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// The kinds of repositories of the Hugging Face Hub that can be read.
const (
	hubDatasets = "datasets"
	hubBuckets  = "buckets"
)

// hubPath is the path of a file or a folder in a repository.
type hubPath struct {
	kind     string // hubDatasets or hubBuckets
	repo     string // ORG/NAME
	revision string // of a dataset
	below    string // path in the repository; "" for its root
	prefix   string // ORG/NAME or ORG/NAME@REV as the user wrote it
}

// repositoryName matches the Hub's names of users, organisations and repositories.
var repositoryName = regexp.MustCompile(`^[A-Za-z0-9_][\w.-]*$`)

// specialRevision matches revisions that may be written with unescaped slashes.
var specialRevision = regexp.MustCompile(`^refs/(?:convert/[\w.-]+|pr/\d+)(?:/|$)`)

// parseHubPath parses ORG/NAME[@REV][/PATH]. Slashes in a revision must be escaped as %2F, except in
// refs/convert/NAME and refs/pr/N.
func parseHubPath(kind, key string) (hubPath, error) {
	org, rest, _ := strings.Cut(key, "/")
	name, below, _ := strings.Cut(rest, "/")
	name, revision, hasRevision := strings.Cut(name, "@")
	p := hubPath{kind: kind, repo: org + "/" + name, below: below}
	if !repositoryName.MatchString(org) || !repositoryName.MatchString(name) {
		return p, fmt.Errorf("hf://%s/%s names no repository: want hf://%s/ORG/NAME/PATH", kind, key, kind)
	}
	switch {
	case kind == hubBuckets && hasRevision:
		return p, fmt.Errorf("hf://%s/%s: a bucket has no revisions: leave out @%s", kind, key, revision)
	case !hasRevision:
		p.prefix, p.revision = p.repo, "main"
		return p, nil
	}
	if ref := specialRevision.FindString(revision + "/" + below); ref != "" {
		revision, p.below = strings.TrimSuffix(ref, "/"), (revision + "/" + below)[len(ref):]
	}
	p.prefix = p.repo + "@" + revision
	plain, err := url.PathUnescape(revision)
	if err != nil || plain == "" || strings.ContainsFunc(plain, func(r rune) bool { return r <= ' ' || r == 0x7f || strings.ContainsRune(`?#\`, r) }) {
		return p, fmt.Errorf("hf://%s/%s: no such revision: want a branch, a tag or a commit after @", kind, key)
	}
	p.revision = strings.Replace(plain, "~parquet", "refs/convert/parquet", 1)
	return p, nil
}

// keyBelow returns the key of another path in the same repository.
func (p hubPath) keyBelow(below string) string {
	if below == "" {
		return p.prefix
	}
	return p.prefix + "/" + below
}

// treeAddress returns the URL path of the API that lists a folder.
func (p hubPath) treeAddress() string {
	address := "/api/" + p.kind + "/" + p.repo + "/tree"
	if p.kind == hubDatasets {
		address += "/" + url.PathEscape(p.revision)
	}
	if p.below != "" {
		address += "/" + url.PathEscape(p.below)
	}
	return address
}

// fileAddress returns the URL path at which the Hub serves a file or redirects to it.
func (p hubPath) fileAddress() string {
	address := "/" + p.kind + "/" + p.repo + "/resolve/"
	if p.kind == hubDatasets {
		address += url.PathEscape(p.revision) + "/"
	}
	segments := strings.Split(p.below, "/")
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	return address + strings.Join(segments, "/")
}
