package pipeline

import (
	"fmt"
	"io"
	"strings"

	"capgraph/folder"
)

// maxArray is how many tasks an array job has at most: Slurm's MaxArraySize is
// 1001 unless the cluster says otherwise.
const maxArray = 1000

// scheduled is a pass as a scheduler runs it: parts is 1 where it is one process.
type scheduled struct {
	pass  folder.Pass
	array bool
	parts int
	args  []string
}

// scheduled lists the passes with the command of each. command is how the run
// is called without --only and --shard.
func (r *Run) scheduled(command []string, parts int) []scheduled {
	with := func(more ...string) []string { return append(append([]string{}, command...), more...) }
	jobs := []scheduled{{folder.PassIndex, false, 1, with("--only", string(folder.PassIndex))}}
	for _, p := range r.Passes {
		j := scheduled{p.Name, p.Reduce == nil, 1, with("--only", string(p.Name))}
		if j.array {
			j.parts = parts
			j.args = append(j.args, "--shard", fmt.Sprintf("auto/%d", parts))
		}
		jobs = append(jobs, j)
	}
	return jobs
}

// Slurm writes a shell script that submits all passes, each after the one
// before, those that go shard by shard as arrays of parts tasks.
func (r *Run) Slurm(w io.Writer, command []string, parts int) error {
	var b strings.Builder
	b.WriteString("#!/bin/sh\n# Submits the passes, each after the one before. Add to every line what your cluster wants, such as --partition and --time.\nset -eu\n")
	if parts > maxArray {
		fmt.Fprintf(&b, "# %d parts, not %d: an array has so many tasks at most, and each makes several shards.\n", maxArray, parts)
		parts = maxArray
	}
	before := ""
	for _, j := range r.scheduled(command, parts) {
		fmt.Fprintf(&b, "%s=$(sbatch --parsable --job-name=capgraph-%s", j.pass, j.pass)
		if before != "" {
			fmt.Fprintf(&b, " --dependency=afterok:$%s", before)
		}
		if j.array {
			fmt.Fprintf(&b, " --array=0-%d", j.parts-1)
		}
		quoted := make([]string, len(j.args))
		for i, arg := range j.args {
			quoted[i] = Quote(arg)
		}
		fmt.Fprintf(&b, " --wrap=%s)\n", Quote(strings.Join(quoted, " ")))
		before = string(j.pass)
	}
	fmt.Fprintf(&b, "echo \"the last job is $%s\"\n", before)
	_, err := io.WriteString(w, b.String())
	return err
}

// Quote makes s one word of a shell.
func Quote(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// kubernetesJob is a Job: pods that are not ready (exit code 3) are made again
// without being counted, so that all jobs can be applied at once.
const kubernetesJob = `---
apiVersion: batch/v1
kind: Job
metadata:
  name: capgraph-%s
spec:
  completionMode: Indexed
  completions: %d
  parallelism: %d
  backoffLimit: 6
  podFailurePolicy:
    rules:
    - action: Ignore
      onExitCodes: {operator: In, values: [3]}
    - action: Ignore
      onPodConditions: [{type: DisruptionTarget}]
    - action: FailJob
      onExitCodes: {operator: In, values: [2]}
  template:
    spec:
      restartPolicy: Never
      terminationGracePeriodSeconds: 10
      containers:
      - name: capgraph
        image: capgraph
        workingDir: /data
        command: [%s]
        volumeMounts: [{name: data, mountPath: /data}]
      volumes:
      - name: data
        persistentVolumeClaim: {claimName: capgraph}
`

// Kubernetes writes the Indexed Jobs of all passes, those that go shard by
// shard with parts pods.
func (r *Run) Kubernetes(w io.Writer, command []string, parts int) error {
	var b strings.Builder
	b.WriteString("# One Job a pass. Apply all at once: a pod whose input is not whole exits 3 and is made again later.\n" +
		"# Put your image, and the claim of a volume with the recipe, the captions and room for the output.\n")
	for _, j := range r.scheduled(command, parts) {
		quoted := make([]string, len(j.args))
		for i, arg := range j.args {
			quoted[i] = "'" + strings.ReplaceAll(arg, "'", "''") + "'"
		}
		fmt.Fprintf(&b, kubernetesJob, j.pass, j.parts, j.parts, strings.Join(quoted, ", "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
