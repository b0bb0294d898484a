package stages

import (
	"fmt"

	"capgraph/config"
	"capgraph/folder"
	"capgraph/internal/text"
	"capgraph/llmparse"
	"capgraph/negatives"
	"capgraph/pipeline"
	"capgraph/ruleparse"
)

// asked says how a model is asked for replacements and whole negatives; nil that none is.
type asked struct {
	replies llmparse.Files
	options llmparse.Options
	whole   negatives.WholeOptions
	rules   negatives.Reader // of whole negatives
	last    *model           // that was opened; nil for none
	open    func(llmparse.Files, llmparse.Options) (*llmparse.Client, error)
}

func askedOf(c *config.Config, replies llmparse.Files, rules negatives.Reader) *asked {
	if c.Negatives.Replacements != negatives.FromLLM {
		return nil
	}
	return &asked{replies: replies, options: c.Parse.Options, whole: c.Negatives.Whole, rules: rules, open: llmparse.NewClient}
}

// able tells what keeps the model from being asked.
func (a *asked) able() error {
	if a == nil {
		return nil
	}
	return answerable(a.replies, &a.options)
}

// askedThen says how a model that was asked with these settings gives the same
// again, from the cache in the folder dir; nil that none was.
func askedThen(s *llmparse.FillSettings, whole negatives.WholeOptions, replies llmparse.Files, dir string) (*asked, error) {
	if s == nil {
		return nil, nil
	}
	if _, err := replies.Store.Stat(dir); err != nil {
		return nil, fmt.Errorf("a model proposed the replacements; name the folder of its replies (parse.cache of the recipe) with --replies: %w", err)
	}
	o, err := s.Cached(dir)
	if err != nil {
		return nil, err
	}
	rules, err := ruleparse.New()
	return &asked{replies: replies, options: o, whole: whole, rules: rules, open: llmparse.Recall}, err
}

// settings are what replacements and whole negatives depend on, for the plan of a pass.
func (a *asked) settings() any {
	if a == nil {
		return nil
	}
	return a.options.FillSettings(a.whole.Enabled())
}

// version is that of the code that reads what is written; empty where nothing is.
func (a *asked) version() string {
	if a == nil || !a.whole.Enabled() {
		return ""
	}
	return " " + a.rules.Name()
}

// batchesAtOnce are the batches that wait for a model together.
const batchesAtOnce = 4

// batches is how many a stage holds at once while it waits for the model.
func (a *asked) batches() int {
	if a == nil {
		return 0
	}
	return batchesAtOnce
}

// model opens the cache; nil where no model is asked. Close it.
func (a *asked) model() (*model, error) {
	if a == nil {
		return nil, nil
	}
	client, err := a.open(a.replies, a.options)
	if err != nil {
		return nil, err
	}
	a.last = &model{client: client, rules: a.rules, unmeasure: func() {}}
	if a.whole.Enabled() {
		a.last.author = llmparse.NewAuthor(client, a.whole.Types)
	}
	return a.last, nil
}

// tellUnproposed says for how many questions the model that this process asked
// last had no usable reply, and what can be done; empty where there are none.
func (a *asked) tellUnproposed() string {
	if a == nil || a.last == nil {
		return ""
	}
	s := a.last.client.Stats()
	all, reasons := withPrefix(s.Bad, "")
	if all == 0 {
		return ""
	}
	return fmt.Sprintf("%d %s no usable reply (%s)%s, and no negative comes of them: %s, and make the texts again with --redo %s",
		all, text.Plural(all, "question for negatives has", "questions for negatives have"), reasons, lastFailure(s), mendReplies(a.options.Cache), folder.PassBalance)
}

// model is a client that proposes replacements and writes whole negatives; nil is none.
type model struct {
	client    *llmparse.Client
	author    *llmparse.Author // nil where no whole negatives are asked for
	rules     negatives.Reader
	unmeasure func()
}

// generator makes a generator that asks the model, where there is one.
func (m *model) generator(o negatives.Options, vocabulary *negatives.Vocabulary, seed uint64) (*negatives.Generator, error) {
	if m == nil {
		return negatives.New(o, vocabulary, seed)
	}
	g, err := negatives.NewWithProposer(o, vocabulary, llmparse.NewProposer(m.client), imagesAtOnce*batchesAtOnce, seed)
	if err == nil && m.author != nil {
		g.WithAuthor(m.author, m.rules)
	}
	return g, err
}

// unknown is how many questions had no reply in the cache and nobody to ask.
func (m *model) unknown() int64 {
	if m == nil {
		return 0
	}
	return m.client.Stats().Bad[llmparse.NotAsked]
}

// imagesAtOnce are the images of a batch that wait for a model together. Each
// asks for all its slots at once, and for whole negatives of all its captions.
const imagesAtOnce = 64

func (m *model) atOnce() int {
	if m == nil {
		return 1
	}
	return imagesAtOnce
}

// tellTo has the run told that an endpoint does not answer, and how much is asked.
func (m *model) tellTo(env pipeline.Env) {
	if m == nil {
		return
	}
	m.client.TellTo(env.Warn)
	if env.Measure != nil {
		m.unmeasure = env.Measure(m.client.Metrics())
	}
}

// Keep keeps what was answered.
func (m *model) Keep() error {
	if m == nil {
		return nil
	}
	return m.client.Keep()
}

// Close closes the cache and the connections.
func (m *model) Close() error {
	if m == nil {
		return nil
	}
	m.unmeasure()
	return m.client.Close()
}
