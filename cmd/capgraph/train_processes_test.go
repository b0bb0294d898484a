package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"capgraph/testing/freeport"
	"capgraph/testing/longtest"
	"capgraph/train"
)

// started are the processes of one training, as a launcher starts them.
func started(t *testing.T, n int, call func() *exec.Cmd) []*exec.Cmd {
	t.Helper()
	port := freeport.Find(t)
	var all []*exec.Cmd
	for rank := range n {
		c := call()
		c.Env = append(os.Environ(), fmt.Sprint("RANK=", rank), fmt.Sprint("WORLD_SIZE=", n), fmt.Sprint("LOCAL_RANK=", rank), fmt.Sprint("LOCAL_WORLD_SIZE=", n),
			"MASTER_ADDR=127.0.0.1", fmt.Sprint("MASTER_PORT=", port-1), fmt.Sprint("CAPGRAPH_PORT=", port), "GOMAXPROCS=1")
		var out bytes.Buffer
		c.Stdout, c.Stderr = &out, &out
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	return all
}

// ended waits for processes; want is the exit code of all.
func ended(t *testing.T, all []*exec.Cmd, want int) {
	t.Helper()
	for rank, c := range all {
		if c.Wait(); c.ProcessState.ExitCode() != want {
			t.Errorf("rank %d of %d: exit code %d, not %d: %s", rank, len(all), c.ProcessState.ExitCode(), want, c.Stdout)
		}
	}
}

// TestSeveralProcessesTrainAsOne compares the losses of 2 and of 4 processes with
// those of one, in both precisions, and a training of two that was told to stop with
// one that was not.
func TestSeveralProcessesTrainAsOne(t *testing.T) {
	dir := smallWorld(t)
	sets := []string{"objective.ceclip.weight=0.5", "optimiser.clip_norm=1", "batch.chunk_tokens=150", "steps=12"}
	precisions := longtest.Pick(map[string]float64{"float32": 1e-5, "float64": 1e-12}, map[string]float64{"float64": 1e-12})
	worlds, long := longtest.Pick([]int{2, 4}, []int{2}), longtest.Pick("steps=200", "steps=60")
	for precision, most := range precisions {
		sets := append(sets, "precision="+precision)
		must(t, trainer(dir, precision, sets...))
		_, want := losses(t, dir, precision, "metrics.jsonl")
		for _, n := range worlds {
			out := fmt.Sprint(precision, n)
			ended(t, started(t, n, func() *exec.Cmd { return trainer(dir, out, sets...) }), 0)
			_, got := losses(t, dir, out, "metrics.jsonl")
			for i := range want {
				if len(got) != len(want) || math.Abs(got[i]-want[i]) > most*want[i] {
					t.Fatalf("%d processes in %s have the losses %v, one has %v", n, precision, got, want)
				}
			}
		}
	}
	call := func() *exec.Cmd {
		return trainer(dir, "stopped", append(sets, long, "output.checkpoint_every=0")...)
	}
	all := started(t, 2, call)
	waitForSteps(t, filepath.Join(dir, "stopped", "metrics.jsonl"), 5)
	if err := all[1].Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	ended(t, all, 1)
	if said := fmt.Sprint(all[0].Stdout); !strings.Contains(said, "run the same command again to resume") {
		t.Errorf("told to stop, rank 0 says %q", said)
	}
	ended(t, started(t, 2, call), 0)
	ended(t, started(t, 2, func() *exec.Cmd {
		return trainer(dir, "whole", append(sets, long, "output.checkpoint_every=0")...)
	}), 0)
	if !bytes.Equal(read(t, dir, "stopped", train.WeightsFile), read(t, dir, "whole", train.WeightsFile)) {
		t.Error("two processes that were stopped and went on have other weights")
	}
}

// TestTorchrunTrains starts 2 and 4 processes with the real torchrun, which lies
// beside the Python that CAPGRAPH_PYTHON names.
func TestTorchrunTrains(t *testing.T) {
	torchrun := filepath.Join(filepath.Dir(os.Getenv("CAPGRAPH_PYTHON")), "torchrun")
	if _, err := os.Stat(torchrun); os.Getenv("CAPGRAPH_PYTHON") == "" || err != nil {
		t.Skip("no torchrun beside the Python that CAPGRAPH_PYTHON names")
	}
	dir := smallWorld(t)
	must(t, trainer(dir, "one", "steps=8"))
	_, want := losses(t, dir, "one", "metrics.jsonl")
	for _, n := range []int{2, 4} {
		out := fmt.Sprint("torchrun", n)
		call := trainer(dir, out, "steps=8")
		program, err := exec.LookPath("capgraph")
		if err != nil {
			t.Fatal(err)
		}
		c := exec.Command(torchrun, append([]string{"--no-python", "--standalone", fmt.Sprint("--nproc-per-node=", n), "--", program}, call.Args[1:]...)...)
		c.Dir = dir
		must(t, c)
		_, got := losses(t, dir, out, "metrics.jsonl")
		for i := range want {
			if len(got) != len(want) || math.Abs(got[i]-want[i]) > 1e-5*want[i] {
				t.Fatalf("%d processes have the losses %v, one has %v", n, got, want)
			}
		}
	}
}
