//go:build !lingua

package curate

import "errors"

// languages accepts any text: the models have 120 MB, and only a build with the tag lingua
// has them.
type languages struct{}

func newLanguages(codes []string) (*languages, error) {
	if len(codes) > 0 {
		return nil, errors.New("this capgraph was built without language models: build it with go build -tags lingua ./cmd/capgraph")
	}
	return nil, nil
}

func (*languages) isWanted(string) bool { return true }
