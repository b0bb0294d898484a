package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"

	"capgraph/folder"
	"capgraph/internal/text"
)

// executor carries out the decisions of decide: it runs passes over their shards, or over the whole folder.
type executor struct {
	planner
	warned map[string]bool // failed shards that a warning named
}

// runPasses decides what to do with each pass, in order, and does it. input is the hash of the index's plan. Passes
// before keep are not redone.
func (e *executor) runPasses(ctx context.Context, input string, keep int, state *folder.State) error {
	last := len(e.Passes) - 1
	if e.only != "" {
		last = e.passIndex(e.only)
	}
	for i, pass := range e.Passes {
		if i > 0 && e.Passes[i-1].Name == folder.PassParse {
			if err := e.checkRejected(state); err != nil {
				return err
			}
		}
		if i > 0 && i <= last {
			if err := e.checkInput(e.Passes[i-1], cmp.Or(e.only, pass.Name), state); err != nil {
				return err
			}
		}
		if i == keep {
			var err error
			if state, err = e.removeFrom(i, state.Index); err != nil {
				return err
			}
		}
		if e.readsAllShards(i) {
			input += state.Index.PlanInput() + describeLeftOut(state.Unfinished(e.Passes[i-1].Name))
		}
		s, err := e.readSituation(i, input, state)
		if err != nil {
			return err
		}
		d := decide(s)
		switch d.action {
		case refuse:
			return d.err
		case skip:
			if s.old != nil && s.followed {
				if err := e.checkComplete(pass, state); err != nil {
					return err
				}
			}
			input = d.plan.Hash()
			continue
		case rebuild:
			if state, err = e.removeForRebuild(i, d, state); err != nil {
				return err
			}
		case replace:
			if err := e.removeReplaced(s, state); err != nil {
				return err
			}
		}
		if state, err = e.runPass(ctx, pass, s, d, state); err != nil {
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

// checkRejected returns an error if the pass parse is done and rejected more than the share MaxRejected of rows. If all
// rows were rejected, it returns nil: the caller knows the reason.
func (e *executor) checkRejected(state *folder.State) error {
	if e.MaxRejected <= 0 || !state.IsComplete(folder.PassParse) {
		return nil
	}
	a, err := state.Account(folder.PassParse)
	if err != nil || a.Out == 0 || float64(a.In-a.Out) <= e.MaxRejected*float64(a.In) {
		return err
	}
	var reasons []string
	for _, reason := range a.Reasons()[:min(3, len(a.Rejects))] {
		reasons = append(reasons, text.Thousands(a.Rejects[reason])+" as "+reason)
	}
	return fmt.Errorf("%s of %s rows were rejected (%.1f %%: %s), and source.max_rejected allows %g %%: 'capgraph rejects %s' shows them; repair the source, change the settings that reject them, or raise source.max_rejected",
		text.Thousands(a.In-a.Out), text.Thousands(a.In), 100*float64(a.In-a.Out)/float64(a.In), strings.Join(reasons, ", "), 100*e.MaxRejected, text.Quote(e.Folder.Dir))
}

// removeForRebuild removes the output of pass at and of later passes, which were made without shards that exist now. It
// returns the state after that.
func (e *executor) removeForRebuild(at int, d decision, state *folder.State) (*folder.State, error) {
	var names []string
	for _, p := range e.Passes[at:] {
		names = append(names, string(p.Name))
		if p.Preflight != nil && (e.only == "" || e.only == p.Name) {
			if err := p.Preflight(); err != nil {
				return nil, err
			}
		}
	}
	e.warn(fmt.Sprintf("%s: the passes %s are made anew", describeRecovered(e.Folder.Dir, e.Passes[at].Name, d.recovered), strings.Join(names, ", ")))
	return e.removeFrom(at, state.Index)
}

// removeReplaced removes the unfinished output of a pass with other settings. The plan is removed last, so that another
// process finds the old plan until then. If two processes replace it, the later one finds the plan of the first.
func (e *executor) removeReplaced(s situation, state *folder.State) error {
	e.warnReplacedPlan("nothing of pass %s is finished, and its settings are replaced", s.old, s.now)
	return e.Folder.RemovePass(s.now.Pass, state.Index)
}

// runPass pins the plan of a pass, makes its unfinished shards, and returns the state after that.
func (e *executor) runPass(ctx context.Context, pass *Pass, s situation, d decision, state *folder.State) (*folder.State, error) {
	plan, err := e.pinPlan(s, d)
	if err != nil {
		return nil, err
	}
	after, err := e.runShards(ctx, pass, plan.Hash(), state)
	var bad *FailedError
	if errors.As(err, &bad) && e.SkipBad && !bad.All() {
		err = e.checkBadFiles(after)
	}
	if err != nil {
		return nil, err
	}
	if bad != nil {
		e.warnSkipped(bad)
	}
	if e.Parts > 1 && !after.IsComplete(pass.Name) {
		return after, nil
	}
	if err := after.CheckPlan(pass.Name); err != nil {
		return nil, err
	}
	if err := after.WriteCompacted(pass.Name); err != nil {
		return nil, err
	}
	return after, errors.Join(e.warnAboutStats(pass, after), e.warnOfStaleTexts(pass.Name, after))
}

// pinPlan writes the plan of a decision to the folder, unless another process wrote one first. It returns the plan of
// the folder.
func (e *executor) pinPlan(s situation, d decision) (*folder.PassPlan, error) {
	if d.action == renew {
		return d.plan, e.Folder.ReplaceJSON(folder.PlanFile(s.now.Pass), d.plan)
	}
	return e.Folder.PinPlan(s.now, s.complete)
}

// runShards runs a pass over the shards of this process that are not finished.
func (e *executor) runShards(ctx context.Context, pass *Pass, plan string, state *folder.State) (_ *folder.State, err error) {
	index, todo := state.Index, e.ownShards(pass, state)
	if len(todo) > 0 {
		if err := e.Folder.RecordBuild(pass.Name); err != nil {
			return nil, err
		}
	}
	if pass.Reduce != nil {
		if len(todo) > 0 {
			err = e.ignoreFinishedByOthers(pass, e.runReduce(ctx, pass, plan, state))
		}
		if err = cmp.Or(err, e.removeTaskFiles(pass)); err != nil {
			return nil, err
		}
		return state.Refresh(pass.Name)
	}
	if len(todo) == 0 {
		if state, err = state.Refresh(pass.Name); err != nil {
			return nil, err
		}
		return state, e.checkComplete(pass, state)
	}
	rows := int64(0)
	for _, s := range todo {
		rows += s.Rows
	}
	before, err := e.firstFailures(e.Passes[:e.passIndex(pass.Name)], state)
	if err != nil {
		return nil, err
	}
	p, err := e.newPassRun(ctx, pass, plan, state)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.closeStages()) }()
	e.Progress.startPass(string(pass.Name), rows, p.stageAttrs)
	defer e.Progress.stopShowing()
	shards := min(e.Workers, len(todo))
	p.queue = max(2, 2*cap(p.slots)/shards)
	g, inner := errgroup.WithContext(ctx)
	g.SetLimit(shards)
	for _, s := range todo {
		if inner.Err() != nil {
			break
		}
		g.Go(func() error { return e.runShard(inner, p, s, index, before) })
	}
	err = g.Wait()
	if p.made.Done > 0 {
		e.Made = append(e.Made, pass.Name)
		e.made[pass.Name] = p.made
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
	if err := e.checkComplete(pass, state); err != nil {
		return nil, err
	}
	return state, failedError(pass, state)
}

// checkComplete checks the figures of a pass over all its shards. A part does so only once the pass
// is complete.
func (e *executor) checkComplete(pass *Pass, state *folder.State) error {
	if pass.Check == nil || e.Parts > 1 && !state.IsComplete(pass.Name) {
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

// runShard runs a pass over one shard. An error in the data of the shard is recorded, and other shards continue.
func (e *executor) runShard(ctx context.Context, p *passRun, s folder.Shard, index *folder.Index, failed map[string]folder.Failure) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	// Another process may have finished the shard in the meantime.
	if done, err := e.Folder.Exists(folder.EntryFile(p.pass.Name, s.Name)); err != nil || done {
		return err
	}
	var err error
	if broken := index.Files[s.File].Error; broken != "" && p.schema != nil {
		err = &badShard{errors.New(broken)}
	} else if before, gone := failed[s.Name]; gone {
		if p.schema == nil { // it writes no rows
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
	return e.Folder.WriteFailure(&folder.Failure{Pass: p.pass.Name, Shard: s.Name, Rows: s.Rows, Error: bad.Error()})
}

func (e *executor) newPassRun(ctx context.Context, pass *Pass, plan string, state *folder.State) (*passRun, error) {
	p := &passRun{pass: pass, plan: plan, index: state.Index, state: state, env: e.Env, folder: e.Folder, progress: e.Progress,
		made: folder.NewAccount(pass.Name)}
	if pass.Schema != nil {
		p.schema = pass.Schema(state.Index)
	}
	if pass.UsesVocabulary {
		counted, err := e.Folder.ReadEntry(folder.PassCount, folder.Whole)
		if err != nil {
			return nil, err
		}
		p.vocabulary = counted.SHA256(folder.ReducedFile(folder.Vocabulary))
	}
	if pass.Sample != nil {
		p.sample = pass.Sample(state.Index)
	}
	p.env.Counts, p.env.Warn = e.Folder.ReadCounts, e.Warn
	slots := e.Workers
	for _, spec := range pass.Stages {
		stage, err := spec.New(ctx, p.env)
		if err != nil {
			return nil, fmt.Errorf("stage %s: %w", spec.Name, err)
		}
		p.stages = append(p.stages, stage)
		slots = max(slots, spec.InFlight)
	}
	p.slots, p.budget = make(chan struct{}, slots), newMemoryBudget(e.Workers)
	return p, nil
}
