package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/rogpeppe/go-internal/testscript"
)

// job is what a stand-in for Kubernetes reads of a manifest.
type job struct {
	Kind     string
	Metadata struct{ Name string }
	Data     map[string]string // of a ConfigMap
	Spec     struct {
		CompletionMode string `yaml:"completionMode"`
		Completions    int
		Template       struct {
			Spec struct {
				Containers []struct{ Command []string }
			}
		}
	}
}

// pods runs the Jobs of a file as Kubernetes would, all at once, with a process
// for each pod: one that exits 3 is started again later. The recipe of the ConfigMap
// is in the folder "mounted" in place of /recipe.
func pods(ts *testscript.TestScript, _ bool, args []string) {
	data, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	var wait sync.WaitGroup
	failed := make(chan error, 100)
	count := 0
	for d := yaml.NewDecoder(bytes.NewReader(data)); ; {
		var j job
		if err := d.Decode(&j); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			ts.Fatalf("%s: %v", args[0], err)
		}
		if j.Kind == "ConfigMap" {
			ts.Check(os.MkdirAll(ts.MkAbs("mounted"), 0o777))
			for name, text := range j.Data {
				ts.Check(os.WriteFile(filepath.Join(ts.MkAbs("mounted"), name), []byte(text), 0o666))
			}
			continue
		}
		if j.Kind != "Job" || j.Spec.CompletionMode != "Indexed" {
			ts.Fatalf("no Indexed Job: %+v", j)
		}
		command := j.Spec.Template.Spec.Containers[0].Command
		for i, arg := range command {
			command[i] = strings.ReplaceAll(strings.Replace(arg, "/recipe/", ts.MkAbs("mounted")+"/", 1), "$$", "$")
		}
		for index := range j.Spec.Completions {
			count++
			wait.Go(func() {
				if err := pod(ts.MkAbs("."), command, index); err != nil {
					failed <- fmt.Errorf("%s, pod %d: %w", j.Metadata.Name, index, err)
				}
			})
		}
	}
	wait.Wait()
	close(failed)
	for err := range failed {
		ts.Fatalf("%v", err)
	}
	if count == 0 {
		ts.Fatalf("%s holds no job", args[0])
	}
}

func pod(dir string, command []string, index int) error {
	for {
		c := exec.Command(command[0], command[1:]...)
		c.Dir = dir
		c.Env = append(os.Environ(), fmt.Sprint("JOB_COMPLETION_INDEX=", index))
		out, err := c.CombinedOutput()
		if err == nil {
			return nil
		}
		if c.ProcessState.ExitCode() != exitNotReady {
			return fmt.Errorf("%w: %s", err, strings.TrimSpace(string(out)))
		}
		time.Sleep(50 * time.Millisecond)
	}
}
