package group

import (
	"fmt"
	"strconv"
	"strings"
)

func (e *environment) slurmPlace() Place {
	p := Place{
		Rank: e.intVar("SLURM_PROCID"), LocalRank: e.intVar("SLURM_LOCALID"),
		Job: e.firstSet("SLURM_JOB_ID", "SLURM_JOBID") + "." + e.firstSet("SLURM_STEP_ID", "SLURM_STEPID"),
	}
	world := "SLURM_NTASKS"
	if e.getenv("SLURM_STEP_NUM_TASKS") != "" {
		world = "SLURM_STEP_NUM_TASKS" // tasks of the step, which may be fewer than those of the job
	}
	p.World = e.intVar(world)
	p.LocalWorld = p.LocalRank + 1
	if tasks := e.firstSet("SLURM_STEP_TASKS_PER_NODE", "SLURM_TASKS_PER_NODE"); tasks != "" && e.err == nil {
		node := e.intVarOr("SLURM_NODEID", 0)
		n, ok := tasksOfNode(tasks, node)
		if !ok {
			e.err = fmt.Errorf("the environment variable SLURM_STEP_TASKS_PER_NODE is %q, which does not include node %d", tasks, node)
		}
		p.LocalWorld = n
	}
	return p
}

// slurmHost returns the host of rank 0: the first host of the job step.
func (e *environment) slurmHost() string {
	if list := e.firstSet("SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST", "SLURM_NODELIST"); list != "" {
		return firstHost(list)
	}
	return e.getenv("SLURM_LAUNCH_NODE_IPADDR")
}

// firstHost returns the first host of a list in Slurm's form: gpu007 for "gpu[007-012,20],login",
// r1n3 for "r[1-2]n[3-4]".
func firstHost(list string) string {
	var host strings.Builder
	for list != "" {
		next := strings.IndexAny(list, ",[")
		if next < 0 {
			next = len(list)
		}
		host.WriteString(list[:next])
		if next == len(list) || list[next] == ',' {
			break
		}
		ranges, after, _ := strings.Cut(list[next+1:], "]")
		if end := strings.IndexAny(ranges, ",-"); end >= 0 {
			ranges = ranges[:end]
		}
		host.WriteString(ranges)
		list = after
	}
	return host.String()
}

// tasksOfNode returns the number of tasks of node number node in a list in Slurm's form: "2(x3),1"
// is three nodes of two tasks, then one of one.
func tasksOfNode(list string, node int) (tasks int, ok bool) {
	for part := range strings.SplitSeq(list, ",") {
		count, times, repeated := strings.Cut(part, "(x")
		n := 1
		if repeated {
			var err error
			if n, err = strconv.Atoi(strings.TrimSuffix(times, ")")); err != nil || n < 1 {
				return 0, false
			}
		}
		if node < n {
			tasks, err := strconv.Atoi(count)
			return tasks, err == nil
		}
		node -= n
	}
	return 0, false
}
