package schedule

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Pods configures the pods of Kubernetes.
type Pods struct {
	Image string
	// CPU and Memory are the resources of a pod, as quantities of Kubernetes: "4", "500m", "2Gi".
	CPU, Memory string
	// Claim is the PersistentVolumeClaim mounted at /data, the pods' working directory; "" mounts
	// none.
	Claim string
	// Queue is Kueue's LocalQueue; "" if there is none.
	Queue string
}

// recipeDir is the directory of the recipe in a pod.
const recipeDir = "/recipe/"

// kubernetesJob is the template of a Job. Pods that are not ready (exit code 3) or were evicted are
// started again without limit, so that all Jobs can be applied at once. A part that fails is tried 6
// times more, independently of the others. A mistake in the recipe (exit code 2) ends the Job.
const kubernetesJob = `---
apiVersion: batch/v1
kind: Job
metadata:
  name: capgraph-%[1]s
  labels: {app.kubernetes.io/name: capgraph%[2]s}
spec:
  completionMode: Indexed
  completions: %[3]d
  parallelism: %[3]d
  backoffLimitPerIndex: 6
  podFailurePolicy:
    rules:
    - action: Ignore
      onExitCodes: {operator: In, values: [3]}
    - action: Ignore
      onPodConditions: [{type: DisruptionTarget, status: "True"}]
    - action: FailJob
      onExitCodes: {operator: In, values: [2]}
  template:
    spec:
      restartPolicy: Never
      terminationGracePeriodSeconds: 10
      containers:
      - name: capgraph
        image: %[4]s
        command: [%[5]s]
        resources:
          requests: {cpu: %[6]s, memory: %[7]s}
          limits: {cpu: %[6]s, memory: %[7]s}
`

// Kubernetes writes the Indexed Jobs of all steps, and a ConfigMap of the recipe if it is not nil.
// sets are further arguments of each command.
func Kubernetes(w io.Writer, steps []Step, recipe *Recipe, sets []string, pods Pods) error {
	var b strings.Builder
	b.WriteString("# One Job a pass. Apply all at once: a pod whose input is not whole exits 3 and is made again later.\n")
	args := sets
	if recipe != nil {
		args = append([]string{recipeDir + recipe.Name}, sets...)
		fmt.Fprintf(&b, "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: capgraph-recipe\ndata:\n  %s: |2+\n", yamlString(recipe.Name))
		for line := range strings.Lines(recipe.Text) {
			b.WriteString(strings.TrimRight("    "+line, " \r\n") + "\n")
		}
	}
	queue := ""
	if pods.Queue != "" {
		queue = ", kueue.x-k8s.io/queue-name: " + yamlString(pods.Queue)
	}
	for _, s := range steps {
		command := []string{yamlString("capgraph")}
		for _, arg := range slices.Concat(s.Args, args, []string{"--progress", "plain"}) {
			command = append(command, yamlString(strings.ReplaceAll(arg, "$", "$$"))) // $(NAME) is a variable to Kubernetes
		}
		fmt.Fprintf(&b, kubernetesJob, s.Pass, queue, s.Tasks, yamlString(pods.Image), strings.Join(command, ", "), yamlString(pods.CPU), yamlString(pods.Memory))
		writeMounts(&b, recipe, pods.Claim)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeMounts writes the volumes of a pod: that of the recipe and that of the claim.
func writeMounts(b *strings.Builder, recipe *Recipe, claim string) {
	var at, of []string
	if claim != "" {
		at = append(at, "{name: data, mountPath: /data}")
		of = append(of, fmt.Sprintf("{name: data, persistentVolumeClaim: {claimName: %s}}", yamlString(claim)))
		b.WriteString("        workingDir: /data\n")
	}
	if recipe != nil {
		at = append(at, "{name: recipe, mountPath: "+strings.TrimSuffix(recipeDir, "/")+"}")
		of = append(of, "{name: recipe, configMap: {name: capgraph-recipe}}")
	}
	if len(at) > 0 {
		fmt.Fprintf(b, "        volumeMounts: [%s]\n      volumes: [%s]\n", strings.Join(at, ", "), strings.Join(of, ", "))
	}
}

// yamlString quotes s as a YAML string, so that "yes" or "1" is not read as another type.
func yamlString(s string) string {
	if strings.ContainsFunc(s, unicode.IsControl) {
		return strconv.Quote(s)
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}
