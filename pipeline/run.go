package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"

	"capgraph/folder"
	"capgraph/internal/usage"
)

// Run is one run of the passes on an output folder. Set the exported fields, then call Do.
type Run struct {
	Folder  folder.Folder
	Corpus  func() (*Corpus, error) // opened only when a pass needs it
	Output  Output
	Passes  []*Pass // after the index, in order
	Env     Env
	Workers int
	// Part and Parts define the shards of this process: those whose number is Part modulo Parts.
	Part, Parts int
	// SkipBad goes on without files that cannot be read. MaxBad is the greatest share of such files:
	// 0 allows none, a small share at least one.
	SkipBad bool
	MaxBad  float64
	// Redo is the first pass that Do makes again, with all later ones; empty for none.
	Redo folder.Pass
	// Append adds new files of the corpus to the folder.
	Append bool
	// Yes allows Redo of the index to remove finished shards.
	Yes      bool
	Progress *Progress
	// Made are the passes of which Do made shards.
	Made []folder.Pass
	// Warn shows a warning. It may be nil.
	Warn func(text string)

	corpus *Corpus
	only   folder.Pass                     // the argument of Do
	made   map[folder.Pass]*folder.Account // of the shards that Do made

	finishing bool // whether Do first finishes the folder, and then appends files

	bad, files int // failed files and all files, set by Accounts
}

// Do runs the pass of that name, or all passes if only is empty.
func (r *Run) Do(ctx context.Context, only folder.Pass) error {
	err := r.runOnce(ctx, only)
	if err == nil && r.finishing {
		err = r.runOnce(ctx, only)
	}
	return err
}

// runOnce makes or updates the index, and runs the passes.
func (r *Run) runOnce(ctx context.Context, only folder.Pass) error {
	if err := r.checkPasses(); err != nil {
		return err
	}
	r.only, r.made = only, map[folder.Pass]*folder.Account{}
	keep, err := r.redoFrom(only)
	if err != nil {
		return err
	}
	index, err := r.existingIndex(keep)
	if err != nil {
		return err
	}
	r.Parts = max(r.Parts, 1)
	if r.Parts == 1 {
		if err := r.Folder.Sweep(); err != nil {
			return err
		}
	}
	var state *folder.State
	if index != nil {
		if state, err = r.Folder.ReadState(index); err != nil {
			return err
		}
	}
	if err := r.checkPreflight(only, state, keep); err != nil {
		return err
	}
	before := index
	if r.Append && index == nil {
		return usage.Errorf("--append: %s has no index, so there is nothing to join: check output.dir, or run without --append", r.Folder.Dir)
	}
	index, plan, err := r.indexPass(ctx, only, index, state)
	if err != nil {
		return err
	}
	if index != before {
		if state, err = r.Folder.ReadState(index); err != nil {
			return err
		}
	}
	if keep == len(r.Passes) {
		if state, err = r.removeStaleAggregates(only, state); err != nil {
			return err
		}
	}
	if only == folder.PassIndex {
		_, err := r.removeFrom(keep, index)
		return err
	}
	if err := r.checkOutputs(state, keep); err != nil {
		return err
	}
	return r.runPasses(ctx, only, plan, keep, state)
}

// runPasses decides what to do with each pass, in order, and does it. input is the hash of the
// index's plan. keep is the number of the pass that --redo names.
func (r *Run) runPasses(ctx context.Context, only folder.Pass, input string, keep int, state *folder.State) error {
	last := len(r.Passes) - 1
	if only != "" {
		last = r.passIndex(only)
	}
	warned := map[string]bool{} // failed shards that a warning named
	for i, pass := range r.Passes {
		if i > 0 && i <= last {
			if err := r.checkInput(r.Passes[i-1], cmp.Or(only, pass.Name), state); err != nil {
				return err
			}
		}
		if i == keep {
			var err error
			if state, err = r.removeFrom(i, state.Index); err != nil {
				return err
			}
		}
		if r.readsAllShards(i) {
			input += state.Index.PlanInput() + describeLeftOut(state.Unfinished(r.Passes[i-1].Name))
		}
		s, err := r.situationOf(i, input, only, state)
		if err != nil {
			return err
		}
		d := decide(s)
		switch d.action {
		case refuse:
			return d.err
		case skip:
			if s.old != nil && s.followed {
				if err := r.checkComplete(pass, state); err != nil {
					return err
				}
			}
			input = d.plan.Hash()
			continue
		case rebuild:
			if state, err = r.removeForRebuild(i, d, only, state); err != nil {
				return err
			}
		case replace:
			if err := r.removeReplaced(s, state); err != nil {
				return err
			}
		}
		if state, err = r.runPass(ctx, pass, s, d, state, warned); err != nil {
			return err
		}
		made, err := state.Plan(pass.Name)
		if err != nil {
			return err
		}
		input = made.Hash()
	}
	return nil
}

// removeForRebuild removes the output of pass at and of later passes, which was made without shards
// that are there now. It returns the state after that.
func (r *Run) removeForRebuild(at int, d decision, only folder.Pass, state *folder.State) (*folder.State, error) {
	var names []string
	for _, p := range r.Passes[at:] {
		names = append(names, string(p.Name))
		if p.Preflight != nil && (only == "" || only == p.Name) {
			if err := p.Preflight(); err != nil {
				return nil, err
			}
		}
	}
	r.warn(fmt.Sprintf("%s: the passes %s are made anew", describeRecovered(r.Folder.Dir, r.Passes[at].Name, d.recovered), strings.Join(names, ", ")))
	return r.removeFrom(at, state.Index)
}

// removeReplaced removes what was begun of a pass with other settings. The plan goes last, so that
// another process finds the old plan until then. Of two that replace it, the later finds the plan of
// the first.
func (r *Run) removeReplaced(s situation, state *folder.State) error {
	r.warnReplacedIndex(s.old, s.now)
	return r.Folder.RemovePass(s.now.Pass, state.Index)
}

// checkOutputs checks the files and plans of the finished shards of the passes to keep. A part
// leaves that to runs over the whole folder.
func (r *Run) checkOutputs(state *folder.State, keep int) error {
	if r.Parts > 1 {
		return nil
	}
	for _, pass := range r.Passes[:keep] {
		if err := state.CheckEntries(pass.Name); err != nil {
			return err
		}
		if err := state.WriteCompacted(pass.Name); err != nil {
			return err
		}
	}
	return nil
}

// runPass pins the plan of a pass, makes what is not finished of it, and returns the state after it.
// warned are the failed shards that a warning named.
func (r *Run) runPass(ctx context.Context, pass *Pass, s situation, d decision, state *folder.State, warned map[string]bool) (*folder.State, error) {
	plan, err := r.pinPlan(s, d)
	if err != nil {
		return nil, err
	}
	after, err := r.runShards(ctx, pass, plan.Hash(), state)
	var bad *FailedError
	if errors.As(err, &bad) && r.SkipBad && !bad.All() {
		err = r.checkBadFiles(after)
	}
	if err != nil {
		return nil, err
	}
	if bad != nil {
		r.warnSkipped(bad, warned)
	}
	if r.Parts > 1 && !after.IsComplete(pass.Name) {
		return after, nil
	}
	if err := after.CheckPlan(pass.Name); err != nil {
		return nil, err
	}
	if err := after.WriteCompacted(pass.Name); err != nil {
		return nil, err
	}
	return after, errors.Join(r.warnAboutStats(pass, after), r.warnOfStaleTexts(pass.Name, after))
}

// pinPlan makes the plan of a decision that of the folder, unless another process pinned one first,
// and returns the plan of the folder.
func (r *Run) pinPlan(s situation, d decision) (*folder.PassPlan, error) {
	if d.action == renew {
		return d.plan, r.Folder.ReplaceJSON(folder.PlanFile(s.now.Pass), d.plan)
	}
	return r.Folder.PinPlan(s.now, s.complete)
}

// runShards runs a pass over the shards of this process that are not finished.
func (r *Run) runShards(ctx context.Context, pass *Pass, plan string, state *folder.State) (_ *folder.State, err error) {
	index, todo := state.Index, r.ownShards(pass, state)
	if len(todo) > 0 {
		if err := r.Folder.RecordBuild(pass.Name); err != nil {
			return nil, err
		}
	}
	if pass.Reduce != nil {
		if len(todo) > 0 {
			err = r.ignoreFinishedByOthers(pass, r.runReduce(ctx, pass, plan, state))
		}
		if err = cmp.Or(err, r.removeTaskFiles(pass)); err != nil {
			return nil, err
		}
		return state.Refresh(pass.Name)
	}
	if len(todo) == 0 {
		if state, err = state.Refresh(pass.Name); err != nil {
			return nil, err
		}
		return state, r.checkComplete(pass, state)
	}
	rows := int64(0)
	for _, s := range todo {
		rows += s.Rows
	}
	before, err := r.firstFailures(r.Passes[:r.passIndex(pass.Name)], state)
	if err != nil {
		return nil, err
	}
	p, err := r.newPassRun(ctx, pass, plan, state)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.closeStages()) }()
	r.Progress.startPass(string(pass.Name), rows, p.stageAttrs)
	defer r.Progress.stopShowing()
	shards := min(r.Workers, len(todo))
	p.queue = max(2, 2*cap(p.slots)/shards)
	g, inner := errgroup.WithContext(ctx)
	g.SetLimit(shards)
	for _, s := range todo {
		if inner.Err() != nil {
			break
		}
		g.Go(func() error { return r.runShard(inner, p, s, index, before) })
	}
	err = g.Wait()
	if p.made.Done > 0 {
		r.Made = append(r.Made, pass.Name)
		r.made[pass.Name] = p.made
	}
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if state, err = state.Refresh(pass.Name); err != nil {
		return nil, err
	}
	if err := r.checkComplete(pass, state); err != nil {
		return nil, err
	}
	return state, failedError(pass, state)
}

// checkComplete checks the figures of a pass over all its shards. A part does so only once the pass
// is complete.
func (r *Run) checkComplete(pass *Pass, state *folder.State) error {
	if pass.Check == nil || r.Parts > 1 && !state.IsComplete(pass.Name) {
		return nil
	}
	a, err := state.Account(pass.Name)
	if err != nil {
		return err
	}
	if err := pass.Check(folder.Whole, a.Stats, a.Rejects); err != nil {
		return fmt.Errorf("pass %s: %w", pass.Name, err)
	}
	return nil
}

// failedError returns a FailedError if shards of the pass failed.
func failedError(pass *Pass, state *folder.State) error {
	failures, err := state.Failures(pass.Name)
	if err != nil || len(failures) == 0 {
		return err
	}
	return &FailedError{Pass: pass.Name, Failures: failures, Shards: len(state.Index.Shards)}
}

// runShard runs a pass over one shard. An error of its data is recorded, and the others go on.
func (r *Run) runShard(ctx context.Context, p *passRun, s folder.Shard, index *folder.Index, failed map[string]folder.Failure) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	// Another process may have made it since this one looked.
	if done, err := r.Folder.Exists(folder.EntryFile(p.pass.Name, s.Name)); err != nil || done {
		return err
	}
	var err error
	if broken := index.Files[s.File].Error; broken != "" && p.schema != nil {
		err = &badShard{errors.New(broken)}
	} else if before, gone := failed[s.Name]; gone {
		if p.schema == nil { // it has no rows to account for
			return nil
		}
		err = &badShard{errors.New(before.Error)}
	} else {
		err = p.processShard(ctx, s)
	}
	if err == nil {
		return nil
	}
	var bad *badShard
	if !errors.As(err, &bad) || ctx.Err() != nil {
		return fmt.Errorf("pass %s, shard %s: %w", p.pass.Name, s.Name, err)
	}
	return r.Folder.WriteFailure(&folder.Failure{Pass: p.pass.Name, Shard: s.Name, Rows: s.Rows, Error: bad.Error()})
}

func (r *Run) newPassRun(ctx context.Context, pass *Pass, plan string, state *folder.State) (*passRun, error) {
	p := &passRun{pass: pass, plan: plan, index: state.Index, state: state, env: r.Env, folder: r.Folder, progress: r.Progress,
		made: folder.NewAccount(pass.Name)}
	if pass.Schema != nil {
		p.schema = pass.Schema(state.Index)
	}
	if pass.UsesVocabulary {
		counted, err := r.Folder.ReadEntry(folder.PassCount, folder.Whole)
		if err != nil {
			return nil, err
		}
		p.vocabulary = counted.SHA256(folder.ReducedFile(folder.Vocabulary))
	}
	if pass.Sample != nil {
		p.sample = pass.Sample(state.Index)
	}
	p.env.Counts, p.env.Warn = r.Folder.ReadCounts, r.Warn
	slots := r.Workers
	for _, spec := range pass.Stages {
		stage, err := spec.New(ctx, p.env)
		if err != nil {
			return nil, fmt.Errorf("stage %s: %w", spec.Name, err)
		}
		p.stages = append(p.stages, stage)
		slots = max(slots, spec.InFlight)
	}
	p.slots, p.budget = make(chan struct{}, slots), newMemoryBudget(r.Workers)
	return p, nil
}
