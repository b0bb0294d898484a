package stages

import (
	"fmt"
	"os"

	"capgraph/config"
	"capgraph/folder"
	"capgraph/internal/text"
	"capgraph/llmparse/client"
	"capgraph/llmparse/replies"
	"capgraph/negatives"
	"capgraph/negatives/llm"
	"capgraph/negatives/whole"
	"capgraph/pipeline"
	"capgraph/ruleparse"
	"capgraph/store"
)

// llmSettings says how a model is asked for replacements and whole negatives. It is nil if no model
// is asked.
type llmSettings struct {
	options client.Options
	whole   whole.Options
	rules   whole.Reader // parses whole negatives
	opened  *llmProposer // the proposer that was opened last; may be nil
	open    func(client.Options) (*client.Client, error)
}

func newLLMSettings(c *config.Config, rules whole.Reader) *llmSettings {
	if c.Negatives.Replacements != negatives.FromLLM {
		return nil
	}
	return &llmSettings{options: c.Parse.Options, whole: c.Negatives.Whole, rules: rules, open: client.New}
}

// checkAnswerable returns an error if the model cannot be asked and has no cached replies.
func (a *llmSettings) checkAnswerable() error {
	if a == nil {
		return nil
	}
	return checkHasReplies(&a.options)
}

// replayLLM returns settings that read cached replies from the folder dir again, for a model that
// was asked with settings s. It returns nil if no model was asked.
func replayLLM(s *llm.Settings, whole whole.Options, dir string) (*llmSettings, error) {
	if s == nil {
		return nil, nil
	}
	if path, local := store.LocalPath(dir); local {
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("a model proposed the replacements; name the folder of its replies (parse.cache of the recipe) with --replies: %w", err)
		}
	}
	o, err := s.Cached(dir)
	if err != nil {
		return nil, err
	}
	rules, err := ruleparse.New()
	return &llmSettings{options: o, whole: whole, rules: rules, open: client.NewCacheOnly}, err
}

// planSettings returns the settings that replacements and whole negatives depend on, for the plan
// of a pass.
func (a *llmSettings) planSettings() any {
	if a == nil {
		return nil
	}
	return llm.SettingsOf(&a.options, a.whole.Enabled())
}

// readerVersion returns the version of the code that reads whole negatives; empty if there are
// none.
func (a *llmSettings) readerVersion() string {
	if a == nil || !a.whole.Enabled() {
		return ""
	}
	return " " + a.rules.Name()
}

// batchesAtOnce is the number of batches that wait for a model at once.
const batchesAtOnce = 4

// maxBatches returns how many batches a stage holds at once while it waits for the model.
func (a *llmSettings) maxBatches() int {
	if a == nil {
		return 0
	}
	return batchesAtOnce
}

// openProposer opens the cache and returns a proposer, which the caller must close; nil if no model
// is asked.
func (a *llmSettings) openProposer() (*llmProposer, error) {
	if a == nil {
		return nil, nil
	}
	client, err := a.open(a.options)
	if err != nil {
		return nil, err
	}
	a.opened = &llmProposer{client: client, rules: a.rules, stopMetrics: func() {}}
	if a.whole.Enabled() {
		a.opened.author = llm.NewAuthor(client, a.whole.Types)
	}
	return a.opened, nil
}

// unansweredWarning returns a message that says how many questions had no usable reply, and the
// remedy; "" if there are none. It is about the model that this process opened last.
func (a *llmSettings) unansweredWarning() string {
	if a == nil || a.opened == nil {
		return ""
	}
	s := a.opened.client.Stats()
	all, reasons := sumByPrefix(s.Bad, "")
	if all == 0 {
		return ""
	}
	return fmt.Sprintf("%d %s no usable reply (%s)%s, and no negative comes of them: %s, and make the texts again with --redo %s",
		all, text.Plural(all, "question for negatives has", "questions for negatives have"), reasons, formatLastFailure(s), repliesHint(a.options.Cache), folder.PassBalance)
}

// llmProposer is a client that proposes replacements and writes whole negatives. A nil llmProposer
// stands for no model.
type llmProposer struct {
	client      *client.Client
	author      *llm.Author // nil unless whole negatives are asked for
	rules       whole.Reader
	stopMetrics func()
}

// newGenerator returns a generator, which asks the model if m is not nil.
func (m *llmProposer) newGenerator(o negatives.Options, vocabulary *negatives.Vocabulary, seed uint64) (*negatives.Generator, error) {
	if m == nil {
		return negatives.New(o, vocabulary, seed)
	}
	g, err := negatives.NewWithProposer(o, vocabulary, llm.NewProposer(m.client), imagesAtOnce*batchesAtOnce, seed)
	if err == nil && m.author != nil {
		g.WithAuthor(m.author, m.rules)
	}
	return g, err
}

// countUnknown returns how many questions had no reply in the cache and no endpoint to ask.
func (m *llmProposer) countUnknown() int64 {
	if m == nil {
		return 0
	}
	return m.client.Stats().Bad[replies.NotAsked]
}

// imagesAtOnce is the number of images of a batch that wait for a model at once. The requests for
// an image are sent together: for all its slots, and for whole negatives of all its captions.
const imagesAtOnce = 64

func (m *llmProposer) maxImages() int {
	if m == nil {
		return 1
	}
	return imagesAtOnce
}

// reportTo makes env show warnings about endpoints, and serve metrics of requests.
func (m *llmProposer) reportTo(env pipeline.Env) {
	if m == nil {
		return
	}
	m.client.SetWarn(env.Warn)
	if env.Measure != nil {
		m.stopMetrics = env.Measure(m.client.Metrics())
	}
}

// Close closes the cache and the connections.
func (m *llmProposer) Close() error {
	if m == nil {
		return nil
	}
	m.stopMetrics()
	return m.client.Close()
}
