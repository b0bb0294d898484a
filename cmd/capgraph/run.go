package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"capgraph"
	"capgraph/clean"
	"capgraph/config"
	"capgraph/folder"
	"capgraph/internal/text"
	"capgraph/internal/usage"
	"capgraph/look/inspect"
	"capgraph/pipeline"
	"capgraph/sources"
	"capgraph/stages"
	"capgraph/store"
)

type runCommand struct {
	recipe   `embed:""`
	Workers  int    `default:"0" help:"Number of processors to use (default: all)."`
	Only     string `enum:",index,parse,tally,count,balance,texts" default:"" help:"Run one pass: index, parse, tally, count, balance or texts."`
	Redo     string `enum:",index,parse,tally,count,balance,texts" default:"" help:"Replace the output of a pass and of those after it. Not with --shard."`
	Append   bool   `help:"Add the files of source.paths that the folder does not have. Not with --shard, --redo or an --only other than index."`
	Yes      bool   `help:"Confirm that --redo index may remove finished output."`
	Shard    string `placeholder:"I/N" help:"Run part I of N, counted from 0; all parts share one folder. auto/N takes I from JOB_COMPLETION_INDEX or from SLURM_ARRAY_TASK_ID."`
	Progress string `enum:"auto,plain,json,none" default:"auto" help:"How to show progress: auto, plain, json or none."`

	licence string `kong:"-"` // of the captions, from the recipe
}

// Help returns the text below the usage.
func (runCommand) Help() string {
	return `Runs the passes index, parse, tally, count, balance and texts. It skips what an earlier run of the same recipe
finished: run the same command again after a stop or a crash.

  capgraph run
  capgraph run pipeline.yaml --set source.format=karpathy --set source.paths=captions.json --set output.dir=out/karpathy

--append adds new files to a folder. It indexes, parses and counts only these files, rebuilds counts and balance from all files,
and makes texts of the new shards. --redo texts then rebuilds the texts of the older shards.

If there is no pipeline.yaml, the keys that --set gives are the recipe. 'capgraph init captions.json' writes a recipe.

Exit codes: 0 done, 1 data or run failed, 2 usage or configuration, 3 the input of a pass is not complete.`
}

// Validate refuses invalid flags.
func (c *runCommand) Validate() error {
	if c.Redo != "" && c.Shard != "" {
		return fmt.Errorf("--redo %s with --shard %s would remove the output of the other parts: run once with --only index --redo %s, then all parts without --redo", c.Redo, c.Shard, c.Redo)
	}
	if c.Append && (c.Redo != "" || c.Shard != "" || c.Only != "" && c.Only != string(folder.PassIndex)) {
		return errors.New("--append indexes the new files: use it without --redo and --shard, alone or with --only index, then run all parts without it")
	}
	return checkWorkers(c.Workers)
}

// maxWorkers limits the threads and the memory of a run. No machine has more processors.
const maxWorkers = 1024

// checkWorkers returns an error if the number of workers is out of range.
func checkWorkers(n int) error {
	if n < 0 {
		return fmt.Errorf("--workers=%d: want 1 or more, or 0 for all", n)
	}
	if n > maxWorkers {
		return fmt.Errorf("--workers=%d: want at most %d", n, maxWorkers)
	}
	return nil
}

// useWorkers sets and returns the number of processors to use; 0 means as many as the container
// has.
func useWorkers(n int) int {
	if n == 0 {
		return runtime.GOMAXPROCS(0)
	}
	runtime.GOMAXPROCS(n)
	return n
}

// Run implements the command.
func (c *runCommand) Run(ctx context.Context, std streams) error {
	r, end, err := c.prepareRun(ctx, std)
	if err != nil {
		return err
	}
	defer end()
	err = r.Do(ctx, folder.Pass(c.Only))
	if ctx.Err() != nil {
		return errStopped
	}
	var usage *usage.Error
	var gone *folder.MissingFileError
	if errors.As(err, &usage) || errors.As(err, &gone) {
		return err
	}
	finished := c.writeSummary(ctx, r, std)
	var failed *pipeline.FailedError
	if errors.As(err, &failed) && failed.All() {
		return c.suggestFormat(ctx, r, err)
	}
	return cmp.Or(err, finished)
}

// suggestFormat is called with the error of a corpus without a readable row. It returns the error with
// the format that the files seem to have, if the recipe names another.
func (c *runCommand) suggestFormat(ctx context.Context, r *pipeline.Run, err error) error {
	corpus, openErr := r.Corpus()
	if openErr != nil {
		return err
	}
	said := corpus.Options
	found, foundErr := sources.Recognise(ctx, corpus.Store, said.Paths...)
	is := found.Options
	if foundErr != nil || is.Format == said.Format && slices.Equal(is.Columns[sources.Caption], said.Columns[sources.Caption]) {
		return err
	}
	if is.Format == said.Format && len(said.Columns[sources.Caption]) > 0 {
		return fmt.Errorf("%w\nsource.columns takes %s for the captions; try %s", err, strings.Join(said.Columns[sources.Caption], ", "), setColumns(found))
	}
	set := "--set source.format=" + is.Format
	if len(is.Columns) > 0 || len(said.Columns) > 0 {
		set += " " + setColumns(found)
	}
	return fmt.Errorf("%w\nthe files look like %s: %s", err, is.Format, set)
}

// setColumns returns the flags that set the columns that were found.
func setColumns(found sources.Found) string {
	columns := maps.Clone(found.Options.Columns)
	for _, r := range found.Roles {
		if columns[r.Role] == nil && r.Role == sources.Caption && len(columns) > 0 {
			columns[r.Role] = r.Columns
		}
	}
	if len(columns) == 0 {
		return "--set source.columns={}"
	}
	var set []string
	for _, role := range slices.Sorted(maps.Keys(columns)) {
		value := columns[role][0]
		if len(columns[role]) > 1 {
			value = "[" + strings.Join(columns[role], ", ") + "]"
		}
		set = append(set, "--set "+text.Quote("source.columns."+role+"="+value))
	}
	return strings.Join(set, " ")
}

// errStopped is the error of a run that a signal stopped.
var errStopped = errors.New("stopped before the end; finished shards are kept: run the same command again to resume")

// writeSummary prints how many rows each pass read and wrote. It also writes the dataset card if the
// texts are complete and the run was not limited to another pass.
func (c *runCommand) writeSummary(ctx context.Context, r *pipeline.Run, std streams) error {
	accounts, err := r.Accounts()
	if err != nil || len(accounts) == 0 {
		return err
	}
	texts := accounts[len(accounts)-1]
	if texts.Pass == folder.PassTexts && texts.Done > 0 && texts.Missing == 0 && (c.Only == "" || folder.Pass(c.Only) == folder.PassTexts) {
		made := slices.Contains(r.Made, folder.PassTexts)
		if made && c.licence == "" {
			c.licence = licenceOfSource(r)
		}
		err := stages.WriteCard(r.Folder, capgraph.Version, c.recipe.commandLine(), c.licence, texts, made)
		if errors.Is(err, stages.ErrNotCard) {
			r.Warn(fmt.Sprintf("%v, and is kept: to get a card, move it and run again, or choose another output.dir", err))
		} else if err != nil {
			return err
		}
	}
	index, err := r.Folder.ReadIndex()
	if err != nil {
		return err
	}
	unreadable := ""
	if folder.Pass(c.Only) == folder.PassIndex {
		unreadable = pipeline.DescribeUnreadable(index)
	}
	if unreadable != "" {
		r.Warn(unreadable)
	} else if names, nothing := index.EmptyFiles(); nothing {
		r.Warn(fmt.Sprintf("no rows in %s: check source.paths and source.format", names))
	}
	if len(r.Made) == 0 && texts.Pass == folder.PassTexts && texts.Done > 0 && texts.Missing == 0 {
		fmt.Fprintf(std.out, "\nnothing to do: %s is finished\n", text.Quote(r.Folder.Dir))
	}
	if accounts[0].Out > 0 {
		warnOfLostFiles(r, index, accounts[0].Lost)
	}
	err = r.Summary(inspect.NewPrinter(std.out), accounts)
	printTraffic(std.out, r.Folder)
	if why, all := accounts[0].AllRejected(); all && accounts[0].Missing == 0 {
		fit, asked := "source.format and source.columns fit the files", true
		if strings.HasSuffix(why, " "+sources.RejectNotSelected) {
			fit, asked = "source.where asks for values that the files have", false
		}
		if strings.HasSuffix(why, " "+clean.ReasonLanguage) {
			fit, asked = "the captions are in English, or set clean.language=any to keep them without graphs", false
		}
		if strings.HasSuffix(why, " "+clean.ReasonLong) || strings.HasSuffix(why, " "+clean.ReasonShort) {
			fit, asked = clean.Remedies[why[strings.LastIndexByte(why, ' ')+1:]]+" allow captions of that length", false
		}
		if strings.Contains(why, " as llm_") {
			fit, asked = "parse.endpoints and parse.model name a model that answers", false
		}
		all := fmt.Errorf("all rows were rejected, %s: check that %s; 'capgraph rejects %s' shows them", why, fit, text.Quote(r.Folder.Dir))
		if asked {
			all = c.suggestFormat(ctx, r, all)
		}
		err = cmp.Or(err, all)
	}
	return err
}

// warnOfLostFiles warns of files whose rows were all rejected.
func warnOfLostFiles(r *pipeline.Run, index *folder.Index, lost folder.LostFiles) {
	for i, f := range lost.First {
		more := ""
		if n := lost.Count - len(lost.First); n > 0 && i == len(lost.First)-1 {
			more = fmt.Sprintf("; so were those of %s", text.Counted(n, "more file", "more files"))
		}
		r.Warn(fmt.Sprintf("%s: all %s were rejected, %s as %s%s: check that source.format and source.columns fit it; 'capgraph rejects %s' shows them",
			index.Files[f.File].Name, text.Counted(f.Rows, "row", "rows"), text.Thousands(f.Most), f.Reason, more, text.Quote(r.Folder.Dir)))
	}
}

// licenceOfSource returns the licence that the captions' own dataset card names, or "" if there is none.
func licenceOfSource(r *pipeline.Run) string {
	corpus, err := r.Corpus()
	if err != nil { // a missing source was reported when it was indexed
		return ""
	}
	licence, _ := findLicence(corpus.Store, corpus.Files, corpus.Options.Format)
	return licence
}

// prepareRun returns the run, and serves its metrics until end is called.
func (c *runCommand) prepareRun(ctx context.Context, std streams) (r *pipeline.Run, end func(), err error) {
	part, parts, err := parseShard(c.Shard, os.Getenv)
	if err != nil {
		return nil, nil, err
	}
	workers := useWorkers(c.Workers)
	limitMemory(workers)
	cfg, r, err := c.recipe.openRunPart(ctx, std, parts)
	if err != nil {
		return nil, nil, err
	}
	c.licence = cfg.Source.Licence
	r.Workers, r.Part, r.Parts, r.Redo = workers, part, parts, folder.Pass(c.Redo)
	r.Yes, r.Append = c.Yes, c.Append
	std.warnAboutScratch(r.Folder, workers)
	r.Progress = pipeline.NewProgress(std.err, progressMode(c.Progress, std.err))
	r.Warn = streams{err: r.Progress}.warn
	end, err = serveMetrics(r, cfg.Parse.MetricsAddr)
	return r, end, err
}

// limitMemory sets the memory limit of the process, unless GOMEMLIMIT is set.
func limitMemory(workers int) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit(workers, cgroupMemory(os.DirFS("/"))))
	}
}

// memoryLimit returns the soft limit of the garbage collector in bytes. A run needs much less at one
// time. A tenth of a container's memory is left for what Go does not count.
func memoryLimit(workers int, container int64) int64 {
	return min(max(520<<20, int64(workers)*(250<<20)), container/10*9)
}

// newRun returns the run that a recipe describes.
func newRun(files store.Store, cfg *config.Config) (*pipeline.Run, error) {
	out := folder.Folder{Store: files, Dir: cfg.Output.Dir}
	var opened *pipeline.Corpus
	corpus := func() (*pipeline.Corpus, error) {
		if opened != nil {
			return opened, nil
		}
		var err error
		opened, err = pipeline.OpenCorpus(files, cfg.Source.Options, stages.OutputPaths(out)...)
		return opened, err
	}
	passes, err := stages.Passes(cfg, out, corpus)
	if err != nil {
		return nil, err
	}
	return &pipeline.Run{
		Folder: out, Corpus: corpus, Output: cfg.Output, Passes: passes, Workers: 1,
		Env:     pipeline.Env{Mem: memory.NewGoAllocator(), Seed: cfg.Seed},
		SkipBad: cfg.Source.OnBadFile == config.BadFileSkip, MaxBad: cfg.Source.MaxBadFiles,
		MaxRejected: cfg.Source.MaxRejected,
		Program:     programName(os.Args[0]),
	}, nil
}

// programName returns the command that starts the program again, given the name that it was started by.
func programName(args0 string) string {
	switch {
	case strings.Contains(args0, "go-build"): // the temporary folder of go run
		return "go run ./cmd/capgraph"
	case strings.ContainsAny(args0, `/\\`):
		return text.Quote(args0)
	}
	return "capgraph"
}

// progressMode returns the mode of the progress on w.
func progressMode(log string, w io.Writer) string {
	if log != "auto" {
		return log
	}
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			return pipeline.ProgressBar
		}
	}
	return pipeline.ProgressPlain
}

// parseShard parses I/N or auto/N.
func parseShard(shard string, env func(string) string) (part, parts int, err error) {
	if shard == "" {
		return 0, 1, nil
	}
	wrong := usage.Errorf("--shard %s: want I/N with 0 ≤ I < N, such as 0/8, or auto/N", shard)
	i, n, ok := strings.Cut(shard, "/")
	if !ok {
		return 0, 0, wrong
	}
	if parts, err = strconv.Atoi(n); err != nil || parts < 1 {
		return 0, 0, wrong
	}
	if i == "auto" {
		part, err = partFromEnvironment(env, parts)
		if err != nil {
			return 0, 0, err
		}
	} else if part, err = strconv.Atoi(i); err != nil {
		return 0, 0, wrong
	}
	if part < 0 || part >= parts {
		return 0, 0, wrong
	}
	return part, parts, nil
}

// partFromEnvironment reads the part from the variables of Kubernetes or Slurm. An array of all parts
// may begin at 1. Tasks that are submitted again have the numbers of 'plan --slurm', from 0.
func partFromEnvironment(env func(string) string, parts int) (int, error) {
	if text := env("JOB_COMPLETION_INDEX"); text != "" {
		part, err := strconv.Atoi(text)
		if err != nil {
			return 0, usage.Errorf("--shard auto/N: JOB_COMPLETION_INDEX is %q, want a number", text)
		}
		return part, nil
	}
	task, err := strconv.Atoi(env("SLURM_ARRAY_TASK_ID"))
	if err != nil {
		return 0, &usage.Error{Text: "--shard auto/N: neither JOB_COMPLETION_INDEX nor SLURM_ARRAY_TASK_ID is set"}
	}
	first, err := strconv.Atoi(env("SLURM_ARRAY_TASK_MIN"))
	if err != nil {
		return 0, &usage.Error{Text: "--shard auto/N: SLURM_ARRAY_TASK_ID is set and SLURM_ARRAY_TASK_MIN is not"}
	}
	if last, err := strconv.Atoi(env("SLURM_ARRAY_TASK_MAX")); err == nil && last-first+1 != parts {
		return task, nil
	}
	return task - first, nil
}
