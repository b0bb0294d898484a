// Package schedule writes a run as jobs of a scheduler: a Slurm script, Kubernetes Jobs, or JSON for
// a driver of another engine.
//
//	steps := schedule.Steps(passes, 16) // each pass in 16 tasks, if it can be split
//	err := schedule.Slurm(os.Stdout, steps, "/opt/capgraph", dir, []string{"pipeline.yaml"})
//
// The engine calls 'capgraph run --only PASS --shard auto/16' once for each task. The number of the
// task comes from the environment: JOB_COMPLETION_INDEX of Kubernetes, or the variables of Slurm.
package schedule

import (
	"fmt"

	"capgraph/folder"
	"capgraph/pipeline"
)

// Step is one pass as an engine runs it. It starts once all tasks of the previous step have
// succeeded.
type Step struct {
	Pass folder.Pass `json:"pass"`
	// Tasks is the number of tasks of the step. They run in parallel on any machine, numbered from 0.
	Tasks int `json:"tasks"`
	// Args are the arguments of capgraph, without the recipe.
	Args []string `json:"args"`
}

// isArray reports whether the tasks are parts of a pass.
func (s Step) isArray() bool { return s.Tasks > 1 }

// Steps returns the passes of a run, each in parts tasks, or in one task if it cannot be divided.
func Steps(passes []*pipeline.Pass, parts int) []Step {
	step := func(pass folder.Pass, tasks int) Step {
		s := Step{pass, tasks, []string{"run", "--only", string(pass)}}
		if s.isArray() {
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
