package group

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"capgraph/testing/freeport"
)

// processVariable makes the test binary a rank. Its value is "sum" or "die".
const processVariable = "CAPGRAPH_GROUP_TEST"

// runRank is the main function of a rank.
func runRank() int {
	p, err := FromEnvironment(os.Getenv)
	if err == nil {
		err = trainRank(p)
	}
	if err != nil {
		fmt.Println("error:", err)
		return 1
	}
	return 0
}

func trainRank(p Place) error {
	g, err := Join(context.Background(), p, Options{Timeout: 20 * time.Second, Terms: []Term{{"recipe", os.Getenv("RECIPE")}}})
	if err != nil {
		return err
	}
	defer g.Close()
	for step := range 20 {
		if os.Getenv(processVariable) == "die" && p.Rank == p.World-1 && step == 10 {
			self, err := os.FindProcess(os.Getpid())
			return errors.Join(err, self.Kill())
		}
		x := make([]float32, 20_011)
		for i := range x {
			x[i] = float32(testValue(p.Rank, i+step))
		}
		if err := g.Sum32(x); err != nil {
			return err
		}
		var sum float32
		for rank := range p.World {
			if v := float32(testValue(rank, 20_010+step)); rank == 0 {
				sum = v
			} else {
				sum += v
			}
		}
		if x[20_010] != sum {
			return fmt.Errorf("step %d: %v, not %v", step, x[20_010], sum)
		}
	}
	fmt.Printf("rank %d of %d is done\n", p.Rank, p.World)
	return g.Barrier()
}

// startRanks runs ranks as separate processes, with the variables of a launcher, and returns what
// each printed.
func startRanks(t *testing.T, n int, does string) []string {
	t.Helper()
	port := freeport.Find(t)
	out, done := make([]string, n), make(chan struct{})
	for rank := range n {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), processVariable+"="+does, "MASTER_ADDR=localhost", fmt.Sprint("MASTER_PORT=", port-1),
			fmt.Sprint("RANK=", rank), fmt.Sprint("WORLD_SIZE=", n), fmt.Sprint("LOCAL_RANK=", rank), fmt.Sprint("LOCAL_WORLD_SIZE=", n))
		go func() {
			b, err := cmd.CombinedOutput()
			out[rank] = string(b)
			if err != nil {
				out[rank] += err.Error()
			}
			done <- struct{}{}
		}()
	}
	for range n {
		<-done
	}
	return out
}

func TestProcesses(t *testing.T) {
	for n := 1; n <= 4; n++ {
		for rank, out := range startRanks(t, n, "sum") {
			if want := fmt.Sprintf("rank %d of %d is done\n", rank, n); out != want {
				t.Errorf("rank %d of %d: %s", rank, n, out)
			}
		}
	}
}

func TestAKilledProcessEndsAll(t *testing.T) {
	out := startRanks(t, 3, "die")
	for rank, out := range out[:2] {
		if !strings.Contains(out, "error: rank 2: it is gone") {
			t.Errorf("rank %d: %s", rank, out)
		}
	}
	if !strings.Contains(out[2], "killed") {
		t.Errorf("rank 2: %s", out[2])
	}
}

func TestTorchrun(t *testing.T) {
	torchrun := filepath.Join(filepath.Dir(os.Getenv("CAPGRAPH_PYTHON")), "torchrun")
	if _, err := os.Stat(torchrun); os.Getenv("CAPGRAPH_PYTHON") == "" || err != nil {
		t.Skip("no torchrun beside the Python that CAPGRAPH_PYTHON names")
	}
	for _, c := range []struct{ does, want string }{{"sum", "rank 1 of 2 is done"}, {"die", "error: rank 1: it is gone"}} {
		t.Run(c.does, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
			defer cancel()
			// --standalone takes a free port; the agent listens on it.
			cmd := exec.CommandContext(ctx, torchrun, "--standalone", "--no-python", "--nproc-per-node", "2", os.Args[0])
			cmd.Env = append(os.Environ(), processVariable+"="+c.does, "OMP_NUM_THREADS=1")
			out, err := cmd.CombinedOutput()
			if (err == nil) != (c.does == "sum") || !strings.Contains(string(out), c.want) {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
