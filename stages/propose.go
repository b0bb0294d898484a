package stages

import (
	"capgraph/config"
	"capgraph/llmparse"
	"capgraph/negatives"
)

// asked says how a model is asked for replacements; nil that none is.
type asked struct{ options llmparse.Options }

func askedOf(c *config.Config) *asked {
	if c.Negatives.Replacements != negatives.FromLLM {
		return nil
	}
	return &asked{c.Parse.Options}
}

// settings are what the replacements depend on, for the plan of a pass.
func (a *asked) settings() any {
	if a == nil {
		return nil
	}
	return a.options.FillSettings()
}

// batches is how many a stage holds at once while it waits for the model.
func (a *asked) batches() int {
	if a == nil {
		return 0
	}
	return 4
}

// open opens the cache; nil where no model is asked. Close it.
func (a *asked) open() (*model, error) {
	if a == nil {
		return nil, nil
	}
	client, err := llmparse.NewClient(a.options)
	if err != nil {
		return nil, err
	}
	return &model{client}, nil
}

// model is a client that proposes replacements; nil is none.
type model struct{ client *llmparse.Client }

func (m *model) proposer() negatives.Proposer {
	if m == nil {
		return nil
	}
	return llmparse.NewProposer(m.client)
}

// imagesAtOnce are the images of a batch that wait for a model together. Each
// asks for all its slots at once.
const imagesAtOnce = 64

func (m *model) atOnce() int {
	if m == nil {
		return 1
	}
	return imagesAtOnce
}

// Close closes the cache and the connections.
func (m *model) Close() error {
	if m == nil {
		return nil
	}
	return m.client.Close()
}
