//go:build !stores

package objectstore

// newBucket returns an error: this build has no SDK of an object store.
func (*Files) newBucket(_, _, root string) (backend, error) {
	return nil, &Error{
		op: "open", name: root, cause: "this build of capgraph reads no object stores",
		remedy: "use a release or the wheel, or build with: go build -tags stores ./cmd/capgraph",
	}
}
