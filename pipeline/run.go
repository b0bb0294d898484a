package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"

	"golang.org/x/sync/errgroup"

	"capgraph/folder"
	"capgraph/internal/usage"
)

// Run is one call of capgraph on a folder.
type Run struct {
	Folder  folder.Folder
	Corpus  func() (*Corpus, error) // opened only when a pass needs it
	Output  Output
	Passes  []*Pass // after the index, in order
	Env     Env
	Workers int
	// Part and Parts say which shards are this process' own: those whose
	// number is Part modulo Parts.
	Part, Parts int
	// SkipBad goes on without shards whose file is broken.
	SkipBad bool
	// Redo is the pass from which on Do makes everything anew; empty for none.
	Redo string
	// Yes allows Redo of the index to remove shards that are finished.
	Yes      bool
	Progress *Progress
	// Made are the passes that Do made shards of.
	Made []string
	// Warn tells a person what a pass warns of; nil tells nobody.
	Warn func(text string)

	corpus *Corpus
}

// Do runs the passes of that name, or all where only is empty.
func (r *Run) Do(ctx context.Context, only string) error {
	if err := r.check(); err != nil {
		return err
	}
	kept, err := r.kept(only)
	if err != nil {
		return err
	}
	index, err := r.begun(kept)
	if err != nil {
		return err
	}
	if err := r.sweep(); err != nil {
		return err
	}
	if err := r.pinParts(); err != nil {
		return err
	}
	if err := r.able(only, index, kept); err != nil {
		return err
	}
	index, plan, err := r.indexPass(ctx, only, index)
	if err != nil {
		return err
	}
	if only == folder.PassIndex {
		return r.remove(kept, index)
	}
	if err := r.there(index, r.Passes[:kept]); err != nil {
		return err
	}
	last := len(r.Passes) - 1
	if only != "" {
		last = r.at(only)
	}
	skipped := map[string]bool{}
	for i, pass := range r.Passes {
		runs := only == "" || only == pass.Name
		if i > 0 && i <= last {
			if err := r.ready(r.Passes[i-1], cmp.Or(only, pass.Name), index); err != nil {
				return err
			}
		}
		if i == kept {
			if err := r.remove(kept, index); err != nil {
				return err
			}
		}
		ofShards := pass.Reduce != nil && r.Passes[i-1].Reduce == nil
		if ofShards {
			left, err := r.leftOut(r.Passes[i-1], index)
			if err != nil {
				return err
			}
			plan += left
		}
		now, err := pass.plan(plan)
		if err != nil {
			return err
		}
		if ofShards {
			if err := r.takeUp(i, now, only, index); err != nil {
				return err
			}
		}
		finished, err := r.finished(pass, index)
		if err != nil {
			return err
		}
		if !runs {
			old, err := r.Folder.Plan(pass.Name)
			if err != nil {
				return err
			}
			if old != nil && i < last {
				if err := r.Folder.Same(old, now, finished); err != nil {
					return err
				}
			}
			if old != nil {
				now = old
			}
			plan = now.Hash()
			continue
		}
		if now, err = r.pin(pass, now, finished, index); err != nil {
			return err
		}
		plan = now.Hash()
		err = r.pass(ctx, pass, plan, index)
		var bad *FailedError
		if err != nil && !(errors.As(err, &bad) && r.SkipBad) {
			return err
		}
		if bad != nil {
			r.warnSkipped(bad, skipped)
		}
		if err := r.ofOnePlan(pass, plan, index); err != nil {
			return err
		}
		if err := r.warn(pass, index); err != nil {
			return err
		}
	}
	return nil
}

// warn tells what a person should know of a pass, also where an earlier run made it.
func (r *Run) warn(pass *Pass, index *folder.Index) error {
	if r.Warn == nil {
		return nil
	}
	if pass.Reduce != nil {
		e, err := r.Folder.Entry(pass.Name, folder.Whole)
		if err != nil {
			return err
		}
		for _, text := range e.Warnings {
			r.Warn(text)
		}
	}
	if pass.Warn == nil {
		return nil
	}
	stats, err := r.stats(pass, index)
	if err != nil {
		return err
	}
	if text := pass.Warn(stats); text != "" {
		r.Warn(text)
	}
	return nil
}

// warnSkipped names the shards that a pass goes on without, but for those that
// were told of: a shard that failed fails in the passes after too.
func (r *Run) warnSkipped(bad *FailedError, told map[string]bool) {
	var failures []folder.Failure
	for _, f := range bad.Failures {
		if !told[f.Shard] {
			told[f.Shard] = true
			failures = append(failures, f)
		}
	}
	if len(failures) > 0 && r.Warn != nil {
		r.Warn(fmt.Sprintf("pass %s goes on without %s that failed (source.on_bad_file: skip):%s", bad.Pass, counted(int64(len(failures)), "shard", "shards"), listed(failures)))
	}
}

// stats are the figures of a pass.
func (r *Run) stats(pass *Pass, index *folder.Index) (map[string]int64, error) {
	if pass.Reduce != nil {
		e, err := r.Folder.Entry(pass.Name, folder.Whole)
		if err != nil {
			return nil, err
		}
		return e.Stats, nil
	}
	a, err := r.Folder.Account(pass.Name, pass.Output, index)
	if err != nil {
		return nil, err
	}
	return a.Stats, nil
}

// sweep removes what runs that were killed left behind.
func (r *Run) sweep() error {
	if err := r.Folder.Sweep(".", folder.MetaDir, folder.PlansDir, folder.TempDir); err != nil {
		return err
	}
	for _, pass := range r.Passes {
		if err := r.Folder.SweepPass(pass.Name, pass.Output); err != nil {
			return err
		}
	}
	return nil
}

// parts is how many processes share the folder.
type parts struct {
	Parts int `json:"parts"`
}

func (r *Run) pinParts() error {
	if r.Parts == 0 {
		r.Parts = 1
	}
	if r.Parts == 1 {
		return nil
	}
	var old parts
	err := r.Folder.ReadJSON(folder.PartsFileName, &old)
	if errors.Is(err, fs.ErrNotExist) {
		err = r.Folder.PublishJSON(folder.PartsFileName, parts{r.Parts})
		var other *folder.OtherContentError
		if errors.As(err, &other) { // another process was first
			err = r.Folder.ReadJSON(folder.PartsFileName, &old)
		} else {
			old.Parts = r.Parts
		}
	}
	if err != nil {
		return err
	}
	if old.Parts != r.Parts {
		return usage.Errorf("%s is shared by %s and this is one of %d: use --shard I/%d", r.Folder.Dir, counted(int64(old.Parts), "part", "parts"), r.Parts, old.Parts)
	}
	return nil
}

// pass runs what is not done of a pass.
func (r *Run) pass(ctx context.Context, pass *Pass, plan string, index *folder.Index) (err error) {
	todo, err := r.todo(pass, index)
	if err != nil {
		return err
	}
	if len(todo) == 0 {
		return r.checkWhole(pass, index)
	}
	if pass.Reduce != nil {
		return r.reduce(ctx, pass, plan, index)
	}
	rows := int64(0)
	for _, s := range todo {
		rows += s.Rows
	}
	failed, err := r.failed(r.Passes[:r.at(pass.Name)], index)
	if err != nil {
		return err
	}
	p, err := r.newPassRun(ctx, pass, plan, index)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	r.Progress.start(pass.Name, rows, p.tell)
	defer r.Progress.stop()
	shards := min(r.Workers, len(todo))
	p.queue = max(2, 2*cap(p.slots)/shards)
	g, inner := errgroup.WithContext(ctx)
	g.SetLimit(shards)
	for _, s := range todo {
		if inner.Err() != nil {
			break
		}
		g.Go(func() error { return r.shard(inner, p, s, index, failed) })
	}
	err = g.Wait()
	if p.made.Load() {
		r.Made = append(r.Made, pass.Name)
	}
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return cmp.Or(r.checkWhole(pass, index), r.failures(pass, index))
}

// checkWhole checks the figures of what the folder holds of a pass.
func (r *Run) checkWhole(pass *Pass, index *folder.Index) error {
	if pass.Check == nil {
		return nil
	}
	a, err := r.Folder.Account(pass.Name, pass.Output, index)
	if err != nil {
		return err
	}
	if err := pass.Check(folder.Whole, a.Stats, a.Rejects); err != nil {
		return fmt.Errorf("pass %s: %w", pass.Name, err)
	}
	return nil
}

// failures is the error of a pass that shards failed in.
func (r *Run) failures(pass *Pass, index *folder.Index) error {
	failures, err := r.Folder.Failures(pass.Name, index.Shards)
	if err != nil || len(failures) == 0 {
		return err
	}
	return &FailedError{Pass: pass.Name, Failures: failures, Shards: len(index.Shards)}
}

// shard runs one shard; what is wrong with its data is recorded and lets the
// others go on. One that failed in a pass before fails with the same words.
func (r *Run) shard(ctx context.Context, p *passRun, s folder.Shard, index *folder.Index, failed map[string]folder.Failure) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	// Another process may have made it since this one looked.
	if done, err := r.Folder.Exists(folder.EntryFile(p.pass.Name, s.Name)); err != nil || done {
		return err
	}
	var err error
	if broken := index.Files[s.File].Error; broken != "" {
		err = &badShard{errors.New(broken)}
	} else if before, gone := failed[s.Name]; gone {
		err = &badShard{errors.New(before.Error)}
	} else if _, err = p.shard(ctx, s); err == nil {
		p.made.Store(true)
	}
	if err == nil {
		return nil
	}
	var bad *badShard
	if !errors.As(err, &bad) || ctx.Err() != nil {
		return fmt.Errorf("pass %s, shard %s: %w", p.pass.Name, s.Name, err)
	}
	return r.Folder.SetFailure(&folder.Failure{Pass: p.pass.Name, Shard: s.Name, Rows: s.Rows, Error: bad.Error()})
}

func (r *Run) newPassRun(ctx context.Context, pass *Pass, plan string, index *folder.Index) (*passRun, error) {
	p := &passRun{pass: pass, plan: plan, schema: pass.Schema(index), index: index, env: r.Env, folder: r.Folder, progress: r.Progress}
	p.env.Counts, p.env.Warn = r.Folder.Counts, r.Warn
	slots := r.Workers
	for _, spec := range pass.Stages {
		stage, err := spec.New(ctx, p.env)
		if err != nil {
			return nil, fmt.Errorf("stage %s: %w", spec.Name, err)
		}
		p.stages = append(p.stages, stage)
		slots = max(slots, spec.InFlight)
	}
	p.slots = make(chan struct{}, slots)
	return p, nil
}
