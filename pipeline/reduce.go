package pipeline

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"golang.org/x/sync/errgroup"

	"capgraph/folder"
)

// Level is a step of a pass over the whole folder, divided into tasks that depend only on the levels
// before. A task publishes files and then an entry, as a shard does. So it runs once, whichever process
// continues the pass.
type Level struct {
	Name string
	// Tasks returns the number of tasks. It is called when the earlier levels are done.
	Tasks func(r *Reducer) (int, error)
	Run   func(ctx context.Context, r *Reducer, task int) error
}

// taskName returns the name of a task among the shards of a pass: "merge-00002".
func taskName(level string, task int) string { return fmt.Sprintf("%s-%05d", level, task) }

// runReduce runs a pass over the whole folder, or this process' own tasks of it: the tasks level by
// level, then pass.Reduce.
func (e *executor) runReduce(ctx context.Context, pass *Pass, plan string, state *folder.State) error {
	defer e.Progress.stopShowing()
	whole, err := e.runLevels(ctx, pass, plan, state)
	if err != nil || !whole || e.only != "" && pass.Levels != nil && e.Part > 0 {
		return err
	}
	return e.runTask(ctx, pass, plan, folder.Whole, state, func(red *Reducer) error {
		if err := red.collectTaskResults(); err != nil {
			return err
		}
		return pass.Reduce(ctx, red)
	})
}

// runLevels runs the tasks of a pass over the whole folder, level by level. It reports whether all
// are finished.
func (e *executor) runLevels(ctx context.Context, pass *Pass, plan string, state *folder.State) (whole bool, err error) {
	for _, level := range pass.Levels {
		red := e.newReducer(pass, plan, folder.Whole, state)
		n, err := level.Tasks(red)
		if err != nil {
			return false, err
		}
		if n == 0 {
			continue
		}
		left, err := e.unfinishedTasks(pass, level, n)
		if err != nil {
			return false, err
		}
		red.StartStep(level.Name, "task", "tasks", int64(n))
		red.Advance(int64(n - len(left)))
		g, inner := errgroup.WithContext(ctx)
		g.SetLimit(e.Workers)
		for _, task := range left {
			if inner.Err() != nil || !e.ownsTask(task) {
				continue
			}
			g.Go(func() error {
				defer e.Progress.addRows(1, 0)
				return e.runTask(inner, pass, plan, taskName(level.Name, task), state, func(red *Reducer) error { return level.Run(inner, red, task) })
			})
		}
		if err := g.Wait(); err != nil {
			return false, err
		}
		if left, err = e.unfinishedTasks(pass, level, n); err != nil {
			return false, err
		}
		if len(left) > 0 {
			return false, ctx.Err()
		}
	}
	return true, ctx.Err()
}

// ownsTask reports whether this process runs a task.
func (e *executor) ownsTask(task int) bool { return e.only == "" || e.Part == 0 || e.isOfPart(task) }

// unfinishedTasks returns the tasks of a level that have no entry.
func (e *executor) unfinishedTasks(pass *Pass, level Level, n int) (tasks []int, err error) {
	done, err := e.Folder.ListFinished(pass.Name)
	if err != nil {
		return nil, err
	}
	for _, own := range []bool{true, false} {
		for task := range n {
			if !done[taskName(level.Name, task)] && e.isOfPart(task) == own {
				tasks = append(tasks, task)
			}
		}
	}
	return tasks, nil
}

// runTask calls run for a task, or for the whole pass, and publishes the files. It does nothing if
// another process has finished the task, or the pass, in the meantime.
func (e *executor) runTask(ctx context.Context, pass *Pass, plan, name string, state *folder.State, run func(*Reducer) error) error {
	for _, shard := range []string{name, folder.Whole} {
		if done, err := e.Folder.Exists(folder.EntryFile(pass.Name, shard)); err != nil || done {
			return err
		}
	}
	red := e.newReducer(pass, plan, name, state)
	defer red.discardFiles()
	err := catchPanics(func() error { return run(red) })
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		err = red.finish()
	}
	switch {
	case err == nil:
		return nil
	case name == folder.Whole:
		return fmt.Errorf("pass %s: %w", pass.Name, err)
	}
	return fmt.Errorf("pass %s, %s: %w", pass.Name, name, err)
}

// catchPanics calls run, and returns a panic as an error.
func catchPanics(run func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panicked: %v (please report it)\n%s", r, debug.Stack())
		}
	}()
	return run()
}

// removeTaskFiles removes the entries and runs of the tasks of a finished pass.
func (e *executor) removeTaskFiles(pass *Pass) error {
	if pass.Levels == nil {
		return nil
	}
	done, err := e.Folder.ListFinished(pass.Name)
	if err != nil || !done[folder.Whole] {
		return err
	}
	return e.Folder.RemoveTasks(pass.Name, done)
}

// ignoreFinishedByOthers returns err, or nil if another process has finished the pass in the meantime
// and removed its task files.
func (e *executor) ignoreFinishedByOthers(pass *Pass, err error) error {
	if err == nil || pass.Levels == nil {
		return err
	}
	done, failed := e.Folder.Exists(folder.EntryFile(pass.Name, folder.Whole))
	if failed == nil && done {
		return nil
	}
	return errors.Join(err, failed)
}
