//go:build !lingua

package curate

import "errors"

// languages identifies none: the models are 120 MB, and so in a build with the
// tag lingua only.
type languages struct{}

func newLanguages(codes []string) (*languages, error) {
	if len(codes) > 0 {
		return nil, errors.New("this capgraph was built without language models: build it with go build -tags lingua ./cmd/capgraph")
	}
	return nil, nil
}

func (*languages) isWanted(string) bool { return true }
