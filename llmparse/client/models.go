package client

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"capgraph/internal/direct"
)

// maxModelList is the most bytes that a list of models may have.
const maxModelList = 4 << 20

// boundedDoer fails if a response has more than maxModelList bytes.
type boundedDoer struct{ openai.HTTPDoer }

func (d boundedDoer) Do(r *http.Request) (*http.Response, error) {
	response, err := d.HTTPDoer.Do(r)
	if err == nil {
		response.Body = &boundedBody{response.Body, maxModelList}
	}
	return response, err
}

type boundedBody struct {
	io.ReadCloser
	left int
}

func (b *boundedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left+1)])
	if n > b.left {
		return 0, fmt.Errorf("the list of models has more than %d bytes", maxModelList)
	}
	b.left -= n
	return n, err
}

// listTimeout is how long a server may take to list its models.
const listTimeout = 20 * time.Second

// ListModels returns the names of the models at the first endpoint.
func ListModels(ctx context.Context, opts Options) ([]string, error) {
	key, err := opts.Key()
	if err != nil {
		return nil, &optionError{err}
	}
	transport := newTransport(1)
	defer transport.CloseIdleConnections()
	config := openai.DefaultConfig(key)
	config.BaseURL, config.HTTPClient = opts.Endpoints[0], boundedDoer{direct.Client(transport)}
	within, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	list, err := openai.NewClientWithConfig(config).ListModels(within)
	if err != nil {
		return nil, fmt.Errorf("%s/models: %w", opts.Endpoints[0], redactKey(refusalError(err), key))
	}
	var names []string
	for _, m := range list.Models {
		names = append(names, m.ID)
	}
	return names, nil
}
