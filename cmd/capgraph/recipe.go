package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"capgraph/config"
	"capgraph/internal/redact"
	"capgraph/internal/strictyaml"
	"capgraph/internal/text"
	"capgraph/internal/usage"
	"capgraph/pipeline"
	"capgraph/sources"
)

// usualRecipe is the file that a recipe is looked for in where none is named.
const usualRecipe = "pipeline.yaml"

// usualTrainRecipe is the same of a training.
const usualTrainRecipe = "train.yaml"

// recipe is how a command is told what to run.
type recipe struct {
	Recipe string   `arg:"" optional:"" help:"The recipe (default pipeline.yaml; if there is none, the keys that are set)."`
	Set    []string `placeholder:"KEY=VALUE" sep:"none" help:"Set a key of the recipe, such as source.format=karpathy. May be given several times."`
}

// file is the recipe's file: the one that is named, else the usual one. It is
// empty where that is not there and keys are set, which are then the recipe.
func (c recipe) file() string { return recipeFile(c.Recipe, usualRecipe, c.Set) }

// recipeFile returns the recipe that is named, else the usual one; "" if that does not exist and
// keys are set, which are then the recipe.
func recipeFile(named, usual string, set []string) string {
	if named != "" {
		return named
	}
	if _, err := os.Stat(usual); errors.Is(err, fs.ErrNotExist) && len(set) > 0 {
		return ""
	}
	return usual
}

// load reads the recipe. Where captions are named in its place, the error says so.
func (c recipe) load(ctx context.Context, std streams) (*config.Config, error) {
	if key, _, isSet := strings.Cut(c.Recipe, "="); isSet {
		if _, err := os.Stat(c.Recipe); err != nil {
			return nil, usage.Errorf("%s=%s is no recipe: a key is set with --set KEY=VALUE", redact.Text(key), redact.Masked)
		}
	}
	cfg, err := config.Load(c.file(), c.Set)
	if ext := filepath.Ext(c.Recipe); err == nil || c.Recipe == "" || ext == ".yaml" || ext == ".yml" {
		return cfg, err
	}
	found, unknown := sources.Recognise(ctx, std.files, c.Recipe)
	if unknown != nil {
		return nil, err
	}
	name := text.Quote(c.Recipe)
	return nil, usage.Errorf("%s holds captions (%s) and is no recipe: 'capgraph init %s' writes one for them", c.Recipe, found.Options.Format, name)
}

// sets are the arguments of the keys that are set.
func (c recipe) sets() []string {
	var args []string
	for _, set := range c.Set {
		args = append(args, "--set", set)
	}
	return args
}

// open reads the recipe and lays out the run that it describes. It warns of
// settings that do nothing.
func (c recipe) open(ctx context.Context, std streams) (*config.Config, *pipeline.Run, error) {
	return c.openPart(ctx, std, 1)
}

// openPart is open for one part of so many.
func (c recipe) openPart(ctx context.Context, std streams, parts int) (*config.Config, *pipeline.Run, error) {
	cfg, err := c.load(ctx, std)
	if err != nil {
		return nil, nil, err
	}
	for _, unused := range cfg.Unused() {
		std.warn(unused)
	}
	cfg.Parse.OfPart(parts)
	files := std.files.With(cfg.Store)
	r, err := layOut(files, repliesOf(ctx, files, cfg), cfg)
	return cfg, r, err
}

// command is how the run can be repeated. The card that has it is handed on: of the
// absolute paths of this machine it has the last name alone, and nothing of secrets.
func (c recipe) command() string {
	command := "capgraph run"
	var args []string
	for _, set := range c.Set {
		args = append(args, "--set", strictyaml.WithoutSecret[config.Config](set))
	}
	if file := c.file(); file != "" {
		args = append([]string{file}, args...)
	}
	for _, arg := range args {
		command += " " + text.Quote(absolute.ReplaceAllString(arg, "$1…/$2"))
	}
	return command
}

// absolute is an absolute path in an argument, after what may stand before it.
var absolute = regexp.MustCompile(`(^|[=\[, "'])/(?:[^/,\]"']+/)*([^/,\]"']+)`)
