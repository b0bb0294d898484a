// Command kubernetes reads the manifests that 'plan --kubernetes' prints, from
// standard input, with the code of Kubernetes' API server: a field that it does not
// know, one that comes twice or a value that it would refuse fails. It prints what
// there is.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"log"
	"os"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	documents "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/kubernetes/pkg/apis/batch"
	batchconversion "k8s.io/kubernetes/pkg/apis/batch/v1"
	batchvalidation "k8s.io/kubernetes/pkg/apis/batch/validation"
	"k8s.io/kubernetes/pkg/apis/core"
	coreconversion "k8s.io/kubernetes/pkg/apis/core/v1"
	corevalidation "k8s.io/kubernetes/pkg/apis/core/validation"
	"sigs.k8s.io/yaml"
)

func main() {
	log.SetFlags(0)
	reader := documents.NewYAMLReader(bufio.NewReader(os.Stdin))
	for n := 1; ; n++ {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return
		}
		if err == nil {
			err = tell(document)
		}
		if err != nil {
			log.Fatalf("document %d: %v", n, err)
		}
	}
}

func tell(document []byte) error {
	var of struct{ Kind string }
	if err := yaml.Unmarshal(document, &of); err != nil {
		return err
	}
	switch of.Kind {
	case "":
		return nil // comments
	case "ConfigMap":
		return configMap(document)
	case "Job":
		return job(document)
	}
	return fmt.Errorf("a %s is none of what is printed", of.Kind)
}

func configMap(document []byte) error {
	var m corev1.ConfigMap
	var inside core.ConfigMap
	if err := yaml.UnmarshalStrict(document, &m); err != nil {
		return err
	}
	m.Namespace = corev1.NamespaceDefault
	coreconversion.SetObjectDefaults_ConfigMap(&m)
	if err := coreconversion.Convert_v1_ConfigMap_To_core_ConfigMap(&m, &inside, nil); err != nil {
		return err
	}
	for name, text := range m.Data {
		fmt.Printf("ConfigMap %s: %s, %d bytes\n", m.Name, name, len(text))
	}
	return refused(corevalidation.ValidateConfigMap(&inside))
}

func job(document []byte) error {
	var j batchv1.Job
	var inside batch.Job
	if err := yaml.UnmarshalStrict(document, &j); err != nil {
		return err
	}
	j.Namespace = corev1.NamespaceDefault
	batchconversion.SetObjectDefaults_Job(&j)
	if err := batchconversion.Convert_v1_Job_To_batch_Job(&j, &inside, nil); err != nil {
		return err
	}
	// What the API server gives a Job before it looks at it.
	inside.UID = "1"
	inside.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{batchv1.ControllerUidLabel: "1"}}
	inside.Spec.Template.Labels = map[string]string{batchv1.ControllerUidLabel: "1", batchv1.JobNameLabel: j.Name, "controller-uid": "1", "job-name": j.Name}
	c := j.Spec.Template.Spec.Containers[0]
	fmt.Printf("Job %s: %s, %d pods of %s processors and %s, each tried %d times more; %v; %q\n", j.Name, *j.Spec.CompletionMode, *j.Spec.Completions,
		c.Resources.Limits.Cpu(), c.Resources.Limits.Memory(), *j.Spec.BackoffLimitPerIndex, j.Labels, c.Command)
	return refused(batchvalidation.ValidateJobCreate(&inside, batchvalidation.JobValidationOptions{RequirePrefixedLabels: true}))
}

func refused(list field.ErrorList) error {
	if err := list.ToAggregate(); err != nil {
		return err
	}
	return nil
}
