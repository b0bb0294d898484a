package schedule

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"capgraph/internal/text"
)

// MaxArray is the largest number of tasks of an array job: Slurm's MaxArraySize is 1001 by default.
const MaxArray = 1000

const slurmHead = `#!/bin/sh
# Submits the passes, each after the one before. What your cluster wants, such as a partition or a time, sbatch takes from
# the environment (SBATCH_PARTITION, SBATCH_TIMELIMIT, SBATCH_MEM_PER_NODE) or from this line.
set -eu
submit() { sbatch --parsable --requeue --kill-on-invalid-dep=yes "$@"; }
`

// Slurm writes a shell script that submits all steps, each after the one before.
// program is the path of capgraph and dir the working directory of the tasks. args name the recipe.
// All paths must be valid on every machine.
func Slurm(w io.Writer, steps []Step, program, dir string, args []string) error {
	var b strings.Builder
	b.WriteString(slurmHead)
	before := ""
	for _, s := range steps {
		fmt.Fprintf(&b, "%s=$(submit --job-name=capgraph-%s --chdir=%s", s.Pass, s.Pass, text.Quote(dir))
		if before != "" {
			fmt.Fprintf(&b, " --dependency=afterok:$%s", before)
		}
		if s.isArray() {
			fmt.Fprintf(&b, " --array=0-%d", s.Tasks-1)
		}
		command := text.Quote(program)
		for _, arg := range slices.Concat(s.Args, args) {
			command += " " + text.Quote(arg)
		}
		// If a cluster does not bind tasks to processors, only Slurm knows how many a task may use.
		fmt.Fprintf(&b, " --wrap=%s)\n", text.Quote(command+` --progress plain --workers "${SLURM_CPUS_ON_NODE:-0}"`))
		before = string(s.Pass)
	}
	fmt.Fprintf(&b, "echo \"the last job is $%s\"\n", before)
	_, err := io.WriteString(w, b.String())
	return err
}
