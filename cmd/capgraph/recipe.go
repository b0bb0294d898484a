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

// defaultRecipe is the recipe if none is named.
const defaultRecipe = "pipeline.yaml"

// defaultTrainRecipe is the recipe of a training if none is named.
const defaultTrainRecipe = "train.yaml"

// recipe has the flags that name a recipe and set its keys.
type recipe struct {
	Recipe string   `arg:"" optional:"" help:"The recipe (default pipeline.yaml; if there is none, the keys that are set)."`
	Set    []string `placeholder:"KEY=VALUE" sep:"none" help:"Set a key of the recipe, such as source.format=karpathy. May be given several times."`
}

// path returns the file of the recipe: see recipeFile.
func (c recipe) path() string { return recipeFile(c.Recipe, defaultRecipe, c.Set) }

// recipeFile returns the recipe that is named, else the usual one. It returns "" if the usual one
// does not exist and keys are set: the keys are then the whole recipe.
func recipeFile(named, usual string, set []string) string {
	if named != "" {
		return named
	}
	if _, err := os.Stat(usual); errors.Is(err, fs.ErrNotExist) && len(set) > 0 {
		return ""
	}
	return usual
}

// loadConfig reads the recipe. If a file of captions is given instead, the error says so.
func (c recipe) loadConfig(ctx context.Context, std streams) (*config.Config, error) {
	if key, _, isSet := strings.Cut(c.Recipe, "="); isSet {
		if _, err := os.Stat(c.Recipe); err != nil {
			return nil, usage.Errorf("%s=%s is not a recipe: set a key with --set KEY=VALUE", redact.Text(key), redact.Masked)
		}
	}
	cfg, err := config.Load(c.path(), c.Set)
	if ext := filepath.Ext(c.Recipe); err == nil || c.Recipe == "" || ext == ".yaml" || ext == ".yml" {
		return cfg, err
	}
	found, unknown := sources.Recognise(ctx, std.files, c.Recipe)
	if unknown != nil {
		return nil, err
	}
	name := text.Quote(c.Recipe)
	return nil, usage.Errorf("%s contains captions (%s) and is not a recipe: 'capgraph init %s' writes one for them", c.Recipe, found.Options.Format, name)
}

// setArgs returns the arguments of the keys that are set.
func (c recipe) setArgs() []string {
	var args []string
	for _, set := range c.Set {
		args = append(args, "--set", set)
	}
	return args
}

// openRun reads the recipe and returns the run that it describes. It warns about settings without
// effect.
func (c recipe) openRun(ctx context.Context, std streams) (*config.Config, *pipeline.Run, error) {
	return c.openRunPart(ctx, std, 1)
}

// openRunPart is openRun for a run that is divided into parts.
func (c recipe) openRunPart(ctx context.Context, std streams, parts int) (*config.Config, *pipeline.Run, error) {
	cfg, err := c.loadConfig(ctx, std)
	if err != nil {
		return nil, nil, err
	}
	for _, unused := range cfg.Unused() {
		std.warn(unused)
	}
	cfg.Parse.OfPart(parts)
	files := std.files.With(cfg.Store)
	r, err := newRun(files, cfg)
	return cfg, r, err
}

// commandLine returns the command that repeats the run. The dataset card publishes it, so it has only
// the last name of absolute paths and no secrets.
func (c recipe) commandLine() string {
	command := "capgraph run"
	var args []string
	for _, set := range c.Set {
		args = append(args, "--set", strictyaml.WithoutSecret[config.Config](set))
	}
	if file := c.path(); file != "" {
		args = append([]string{file}, args...)
	}
	for _, arg := range args {
		command += " " + text.Quote(absolutePath.ReplaceAllString(arg, "$1…/$2"))
	}
	return command
}

// absolutePath matches an absolute path in an argument, and the character before it.
var absolutePath = regexp.MustCompile(`(^|[=\[, "'])/(?:[^/,\]"']+/)*([^/,\]"']+)`)
