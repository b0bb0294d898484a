// Package schedule writes down a run for the engines that schedule it: Slurm,
// Kubernetes, or any that a driver speaks to. An engine calls capgraph once for
// each task; what a task is of the whole, the environment says
// (JOB_COMPLETION_INDEX, or what Slurm sets).
package schedule

import (
	"fmt"

	"capgraph/folder"
	"capgraph/pipeline"
)

// Step is a pass as an engine runs it: once all tasks of the step before ended well.
type Step struct {
	Pass folder.Pass `json:"pass"`
	// Tasks is how often the step is run, beside each other and anywhere, each with a
	// number from 0.
	Tasks int `json:"tasks"`
	// Args are those of capgraph, but for what names the recipe.
	Args []string `json:"args"`
}

// array reports whether the tasks are parts of a pass.
func (s Step) array() bool { return s.Tasks > 1 }

// Steps are the passes of a run, in so many parts but for those that are one task.
func Steps(passes []*pipeline.Pass, parts int) []Step {
	step := func(pass folder.Pass, tasks int) Step {
		s := Step{pass, tasks, []string{"run", "--only", string(pass)}}
		if s.array() {
			s.Args = append(s.Args, "--shard", fmt.Sprintf("auto/%d", tasks))
		}
		return s
	}
	steps := []Step{step(folder.PassIndex, 1)}
	for _, p := range passes {
		tasks := parts
		if p.Reduce != nil && p.Levels == nil {
			tasks = 1
		}
		steps = append(steps, step(p.Name, tasks))
	}
	return steps
}
