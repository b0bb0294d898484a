package group

import (
	"fmt"
	"strconv"
	"strings"
)

func (v *variables) slurm() Place {
	p := Place{
		Rank: v.number("SLURM_PROCID"), LocalRank: v.number("SLURM_LOCALID"),
		Job: v.first("SLURM_JOB_ID", "SLURM_JOBID") + "." + v.first("SLURM_STEP_ID", "SLURM_STEPID"),
	}
	world := "SLURM_NTASKS"
	if v.get("SLURM_STEP_NUM_TASKS") != "" {
		world = "SLURM_STEP_NUM_TASKS" // a step may have fewer tasks than its job
	}
	p.World = v.number(world)
	p.LocalWorld = p.LocalRank + 1
	if tasks := v.first("SLURM_STEP_TASKS_PER_NODE", "SLURM_TASKS_PER_NODE"); tasks != "" && v.err == nil {
		node := v.numberOr("SLURM_NODEID", 0)
		n, ok := tasksOfNode(tasks, node)
		if !ok {
			v.err = fmt.Errorf("the environment variable SLURM_STEP_TASKS_PER_NODE is %q, which says nothing of node %d", tasks, node)
		}
		p.LocalWorld = n
	}
	return p
}

// slurmHost is the machine of rank 0: the first of the step.
func (v *variables) slurmHost() string {
	if list := v.first("SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST", "SLURM_NODELIST"); list != "" {
		return firstHost(list)
	}
	return v.get("SLURM_LAUNCH_NODE_IPADDR")
}

// firstHost is the first of a list as Slurm writes it: "gpu[007-012,20],login" has
// gpu007 first, "r[1-2]n[3-4]" r1n3.
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

// tasksOfNode reads "2(x3),1": three machines of two tasks, then one of one.
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
