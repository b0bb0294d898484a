package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"capgraph/config"
	"capgraph/folder"
	"capgraph/internal/text"
	"capgraph/internal/usage"
	"capgraph/llmparse"
	"capgraph/look/inspect"
	"capgraph/negatives"
	"capgraph/ruleparse"
	"capgraph/store"
)

// llmCommand is for people who run the model offline.
type llmCommand struct {
	Export llmExportCommand `cmd:"" help:"Write what is to be asked of the model as a batch file."`
	Import llmImportCommand `cmd:"" help:"Bring the answers to a batch file into the cache."`
}

// batchRecipe is the recipe whose parse section holds model, prompt and cache.
type batchRecipe struct {
	Recipe string   `help:"The recipe (default pipeline.yaml; if there is none, the keys that are set)."`
	Set    []string `placeholder:"KEY=VALUE" sep:"none" help:"Set a key of the recipe, such as parse.model=NAME."`
}

// open reads the recipe and opens its cache.
func (c batchRecipe) open(ctx context.Context, std streams) (*config.Config, *llmparse.Batch, error) {
	cfg, err := recipe(c).load(ctx, std)
	if err != nil {
		return nil, nil, err
	}
	rules, err := ruleparse.New()
	if err != nil {
		return nil, nil, err
	}
	b, err := llmparse.NewBatch(repliesOf(ctx, std.files.With(cfg.Store), cfg), cfg.Parse.Options, rules, cfg.Negatives.Whole.Types)
	if err != nil {
		return nil, nil, &usage.Error{Text: "parse." + err.Error()}
	}
	return cfg, b, nil
}

type llmExportCommand struct {
	batchRecipe `embed:""`
	Dir         string `arg:"" help:"A folder that 'capgraph run' wrote with any parser."`
	Output      string `short:"o" default:"-" help:"The batch file, which must not exist; - is standard output."`
}

// Help is shown below the flags.
func (llmExportCommand) Help() string {
	return `The questions are for the texts of DIR/graphs, each once, that the cache has no reply to; for parser: hybrid only for those
that the parser of DIR was unsure of. With negatives.replacements: llm they are also for whole negatives of the texts, and with
parser: rules for these alone; questions for single replacements are asked of a server only. vLLM's run-batch and OpenAI's batch API
read the file.

  capgraph run --set parse.parser=rules --set output.dir=out/rules --only index
  capgraph run --set parse.parser=rules --set output.dir=out/rules --only parse
  capgraph llm export out/rules -o questions.jsonl
  vllm run-batch -i questions.jsonl -o answers.jsonl --model NAME
  capgraph llm import answers.jsonl --requests questions.jsonl
  capgraph run --set parse.endpoints=[]`
}

// Run implements the command.
func (c *llmExportCommand) Run(ctx context.Context, std streams) (err error) {
	cfg, batch, err := c.open(ctx, std)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, batch.Close()) }()
	out, err := create(c.Output, std)
	if err != nil {
		return err
	}
	defer out.discard()
	rows, written, whole := 0, 0, 0
	put := func(n *int, line []byte, err error) error {
		if err != nil || line == nil {
			return err
		}
		*n++
		_, err = out.Write(append(line, '\n'))
		return err
	}
	from := folder.Folder{Store: std.files, Dir: c.Dir}
	shards, err := inspect.FinishedShards(from, folder.PassParse)
	if err != nil {
		return err
	}
	for _, s := range shards {
		for row, err := range inspect.ReadGraphs(from, s.Shard, 0) {
			if err := errors.Join(err, ctx.Err()); err != nil {
				return err
			}
			rows++
			if asksGraph(cfg, row.Confidence) {
				line, err := batch.Question(row.Text)
				if err := put(&written, line, err); err != nil {
					return err
				}
			}
			if cfg.Negatives.AsksWhole(cfg.Seed, row.Text) {
				line, err := batch.WholeQuestion(row.Text)
				if err := put(&whole, line, err); err != nil {
					return err
				}
			}
		}
	}
	if err := out.publish(); err != nil {
		return err
	}
	fmt.Fprintf(std.err, "%d %s, %d %s", rows, text.Plural(rows, "row", "rows"), written+whole, text.Plural(written+whole, "question", "questions"))
	if whole > 0 {
		fmt.Fprintf(std.err, ", %d of them for whole negatives", whole)
	}
	fmt.Fprintln(std.err)
	return nil
}

// asksGraph says whether the graph of a row, of which a parser was so sure, is asked for: not where
// the recipe asks a model for negatives alone.
func asksGraph(c *config.Config, confidence float32) bool {
	switch c.Parse.Parser {
	case config.ParserHybrid:
		return float64(confidence) < c.Parse.Threshold
	case config.ParserRules:
		return c.Negatives.Replacements != negatives.FromLLM
	}
	return true
}

type llmImportCommand struct {
	batchRecipe `embed:""`
	Answers     []string `arg:"" help:"The files that the model's answers were written to."`
	Requests    string   `placeholder:"FILE" help:"The batch file, to say what has not been answered in full."`
	Missing     string   `placeholder:"FILE" help:"Write the questions that have not been answered in full to a file, which must not exist; needs --requests."`
}

// Help is shown below the flags.
func (llmImportCommand) Help() string {
	return `Answers may come in any order and in several files. What failed or cannot be read is told by file and line; --missing writes the
questions to be asked again, with more room where the reply was cut off. Exit code 1 if no answer held a reply.`
}

// Validate refuses what can't be done.
func (c *llmImportCommand) Validate() error {
	if c.Missing != "" && c.Requests == "" {
		return errors.New("--missing needs --requests")
	}
	return nil
}

// Run implements the command.
func (c *llmImportCommand) Run(ctx context.Context, std streams) (err error) {
	_, batch, err := c.open(ctx, std)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, batch.Close()) }()
	stored := 0
	out := &batchFile{Writer: bufio.NewWriter(io.Discard)}
	if c.Missing != "" {
		if out, err = create(c.Missing, std); err != nil {
			return err
		}
		defer out.discard()
	}
	asked, err := c.asked(batch, std)
	if err != nil {
		return err
	}
	for _, name := range c.Answers {
		n, err := c.read(batch, asked, name, std)
		if err != nil {
			return err
		}
		stored += n
	}
	if c.Requests != "" {
		if err := c.tellMissing(batch, out, std); err != nil {
			return err
		}
	}
	if stored == 0 {
		return fmt.Errorf("%s: no reply to store: see why the requests failed and ask the same questions again", strings.Join(c.Answers, ", "))
	}
	return nil
}

// asked are the questions, where they are known.
func (c *llmImportCommand) asked(batch *llmparse.Batch, std streams) (map[llmparse.Key]int, error) {
	if c.Requests == "" {
		return nil, nil
	}
	questions, err := std.files.Open(c.Requests)
	if err != nil {
		return nil, err
	}
	defer questions.Close()
	asked, err := batch.Asked(questions)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Requests, err)
	}
	return asked, nil
}

// tellMissing says how many questions have no reply, and writes them where they
// are wanted.
func (c *llmImportCommand) tellMissing(batch *llmparse.Batch, out *batchFile, std streams) error {
	questions, err := std.files.Open(c.Requests)
	if err != nil {
		return err
	}
	defer questions.Close()
	missing, all, err := batch.Missing(questions, out)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Requests, err)
	}
	if err := out.publish(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(std.out, "%d of %d %s %s no whole reply\n", missing, all, text.Plural(all, "question", "questions"), text.Plural(missing, "has", "have"))
	return err
}

// read brings one file of answers into the cache and returns how many replies it
// stored.
func (c *llmImportCommand) read(batch *llmparse.Batch, asked map[llmparse.Key]int, name string, std streams) (int, error) {
	f, err := std.files.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	n, err := batch.Import(f, asked, func(line int, why error) { fmt.Fprintf(std.err, "%s:%d: %v\n", name, line, why) })
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	failed := 0
	for _, k := range n.Failed {
		failed += k
	}
	w := inspect.NewPrinter(std.out)
	fmt.Fprintf(w, "%s: %d %s stored, %d %s failed, %d %s no sense\n", name, n.Stored, text.Plural(n.Stored, "reply", "replies"),
		failed, text.Plural(failed, "request", "requests"), n.Malformed, text.Plural(n.Malformed, "line makes", "lines make"))
	if n.Unusable > 0 {
		fmt.Fprintf(w, "  %10d of the replies cannot be read: 'capgraph cache prune DIR --unusable' removes them\n", n.Unusable)
	}
	if n.Foreign > 0 {
		fmt.Fprintf(w, "  %10d not stored: %s does not ask for them\n", n.Foreign, c.Requests)
	}
	for _, reason := range slices.Sorted(maps.Keys(n.Failed)) {
		fmt.Fprintf(w, "  %10d failed: %s\n", n.Failed[reason], reason)
	}
	return n.Stored, w.Err()
}

// batchFile is a new file, which appears when it is published, or standard output.
type batchFile struct {
	*bufio.Writer
	file store.Temp // nil for standard output
}

// create begins a file that must not exist yet; - is standard output.
func create(name string, std streams) (*batchFile, error) {
	if name == "-" {
		return &batchFile{Writer: bufio.NewWriterSize(std.out, 64<<10)}, nil
	}
	f, err := store.CreateNew(std.files, name)
	if err != nil {
		return nil, err
	}
	return &batchFile{bufio.NewWriterSize(f, 64<<10), f}, nil
}

// publish writes what is in the buffer and gives a file its name.
func (b *batchFile) publish() error {
	if err := b.Flush(); err != nil || b.file == nil {
		return err
	}
	return b.file.Publish()
}

// discard removes a file that was not published.
func (b *batchFile) discard() {
	if b.file != nil {
		b.file.Discard()
	}
}
