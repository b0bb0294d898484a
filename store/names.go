package store

import (
	"net/url"
	"path"
	"strings"
)

// Scheme returns the part of a name before "://": s3, gs and azblob for object stores, hf for the
// Hugging Face Hub, file for local files. It is empty for a plain path.
func Scheme(name string) string {
	scheme, _, ok := strings.Cut(name, "://")
	if !ok || scheme == "" || strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz0123456789+.-") != "" {
		return ""
	}
	return scheme
}

// IsURL reports whether a name begins with a scheme, as s3://bucket/key does.
func IsURL(name string) bool { return Scheme(name) != "" }

// LocalPath returns the path of a local file: a plain path unchanged, or the path in a file:// URL.
// It returns false for other URLs.
func LocalPath(name string) (string, bool) {
	switch Scheme(name) {
	case "":
		return name, true
	case "file":
		u, err := url.Parse(name)
		if err != nil || u.Host != "" && u.Host != "localhost" || u.RawQuery != "" || u.Fragment != "" || u.Path == "" {
			return "", false
		}
		return u.Path, true
	}
	return "", false
}

// Join joins the elements of a name as path.Join does. The scheme and the bucket of a URL are kept.
func Join(dir string, parts ...string) string {
	root, below := splitRoot(dir)
	joined := path.Join(append([]string{below}, parts...)...)
	if root == "" {
		return joined
	}
	if joined = strings.TrimPrefix(path.Join("/", joined), "/"); joined == "" {
		return root
	}
	return root + "/" + joined
}

// Dir returns the folder of a name as path.Dir does. The folder of a bucket is the bucket.
func Dir(name string) string {
	root, below := splitRoot(name)
	if root == "" {
		return path.Dir(name)
	}
	return Join(root, path.Dir("/"+below))
}

// Clean returns the shortest equivalent name as path.Clean does.
func Clean(name string) string {
	if IsURL(name) {
		return Join(name)
	}
	return path.Clean(name)
}

// splitRoot splits a URL into root, its scheme and bucket, and the rest. For a plain path root is empty.
func splitRoot(name string) (root, below string) {
	scheme := Scheme(name)
	if scheme == "" {
		return "", name
	}
	rest := name[len(scheme)+len("://"):]
	bucket, below, _ := strings.Cut(rest, "/")
	return scheme + "://" + bucket, below
}
