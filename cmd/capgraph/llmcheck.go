package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"capgraph/config"
	"capgraph/internal/text"
	"capgraph/internal/usage"
	"capgraph/llmparse"
	"capgraph/llmparse/client"
	"capgraph/look/inspect"
	"capgraph/ruleparse"
)

// llmCheckCommand asks a server for ten graphs, and prints what the server can do.
type llmCheckCommand struct {
	URL      string   `arg:"" help:"The base URL of an OpenAI-compatible server, such as http://gpu1:8000/v1." placeholder:"URL"`
	Model    string   `help:"The model (default: the only one that the server lists)." placeholder:"NAME"`
	Captions int64    `help:"Number of captions of the corpus, to estimate its time and tokens." default:"1000000" placeholder:"N"`
	Set      []string `placeholder:"KEY=VALUE" sep:"none" help:"Set a key of the section parse, such as parse.api_key_env=LLM_KEY. May be given several times."`
}

// Help returns the text below the usage.
func (llmCheckCommand) Help() string {
	return `Asks the server for the graphs of ten captions, before a run does: whether it keeps to JSON schemas, whether it gives
log-probabilities, how many replies can be used, how fast it is, and what a corpus would take.

  capgraph llm check http://gpu1:8000/v1 --captions 12000000`
}

// Run implements the command.
func (c *llmCheckCommand) Run(ctx context.Context, std streams) error {
	cache, err := os.MkdirTemp("", "capgraph-check-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(cache)
	set := append([]string{
		"source.format=tsv", "source.paths=[none]", "output.dir=none", "parse.parser=llm", "parse.model=" + c.Model, "parse.endpoints=[" + c.URL + "]", "parse.attempts=2", "parse.give_up_after=20s",
	}, c.Set...)
	if c.Model == "" {
		set[4] = "parse.model=unknown"
	}
	cfg, err := config.Load("", append(set, "parse.cache="+cache))
	if err != nil {
		return err
	}
	if c.Model == "" {
		if cfg.Parse.Model, err = onlyModel(ctx, cfg.Parse.Options); err != nil {
			return err
		}
	}
	rules, err := ruleparse.NewReader(cfg.Parse.Reader())
	if err != nil {
		return err
	}
	check, err := llmparse.CheckServer(ctx, cfg.Parse.Options, rules)
	if err != nil {
		return err
	}
	return c.writeReport(std, cfg, check)
}

// onlyModel returns the name of the only model of a server.
func onlyModel(ctx context.Context, o client.Options) (string, error) {
	names, err := client.ListModels(ctx, o)
	if err != nil {
		return "", fmt.Errorf("%w: see that a server listens there; if it does and does not list its models, name one with --model", err)
	}
	if len(names) != 1 {
		return "", usage.Errorf("the server has %d models (%s): name one with --model", len(names), strings.Join(names, ", "))
	}
	return names[0], nil
}

func (c *llmCheckCommand) writeReport(std streams, cfg *config.Config, check *llmparse.ServerCheck) error {
	p := inspect.NewPrinter(std.out)
	yes := map[bool]string{true: "yes", false: "no"}
	s := check.Stats
	captions := float64(check.Asked)
	fmt.Fprintf(p, "model              %s\n", cfg.Parse.Model)
	fmt.Fprintf(p, "JSON schemas       %s\n", yes[check.Form == client.ReplySchema])
	fmt.Fprintf(p, "log-probabilities  %s\n", yes[check.LogProbs])
	fmt.Fprintf(p, "usable replies     %d of %d\n", check.Usable, check.Asked)
	for _, reason := range slices.Sorted(maps.Keys(s.Bad)) {
		fmt.Fprintf(p, "                   %d %s\n", s.Bad[reason], reason)
	}
	fmt.Fprintf(p, "tokens a caption   %.0f of prompt, %.0f of reply\n", float64(s.TokensIn)/captions, float64(s.TokensOut)/captions)
	fmt.Fprintf(p, "rate               %.2g captions/s, %s a request, with few requests in flight; a run finds how many are best\n", captions/s.Elapsed.Seconds(), s.P50.Round(1e6))
	if check.Usable > 0 {
		fmt.Fprintf(p, "%s captions  at most %.3g hours at this rate, %.3g million tokens of prompt, %.3g of reply\n", text.Thousands(c.Captions), check.HoursFor(c.Captions),
			float64(s.TokensIn)/captions*float64(c.Captions)/1e6, float64(s.TokensOut)/captions*float64(c.Captions)/1e6)
	}
	if err := p.Err(); err != nil || check.Usable > 0 {
		return err
	}
	why := check.Unanswered
	if why == "" {
		why = strings.Join(slices.Sorted(maps.Keys(s.Bad)), ", ")
	}
	return fmt.Errorf("no reply of %s can be used: %s", c.URL, cmp.Or(why, "the replies are empty"))
}
