package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// program is the program capgraph, with its recipe and working folder. more are further arguments
// of 'capgraph run'.
type program struct {
	path, recipe, dir string
	more              []string
}

// usage is the resource usage of a process.
type usage struct {
	elapsed, processor float64 // seconds
	megabytes          int64   // resident at most
}

// run runs all passes. The program's log is written to log.
func (p *program) run(log io.Writer, source, out string, workers int, more ...string) (usage, error) {
	args := append([]string{"run", p.recipe, "--workers", fmt.Sprint(workers),
		"--set", "source.paths=" + source, "--set", "output.dir=" + out}, more...)
	cmd := exec.Command(p.path, append(args, p.more...)...)
	cmd.Stderr = log
	began := time.Now()
	if err := cmd.Run(); err != nil {
		return usage{}, fmt.Errorf("%v: %w", cmd.Args, err)
	}
	state := cmd.ProcessState
	return usage{time.Since(began).Seconds(), (state.UserTime() + state.SystemTime()).Seconds(), state.SysUsage().(*syscall.Rusage).Maxrss >> 10}, nil
}

// measure runs the program with each combination of rows and workers, and prints the usage.
func (p *program) measure(rows, workers []int) error {
	fmt.Println("     rows  workers   seconds   rows/s  × first  peak MB")
	for _, n := range rows {
		source, out := filepath.Join(p.dir, fmt.Sprint(n, ".tsv")), filepath.Join(p.dir, "out")
		if err := writeCaptions(source, n); err != nil {
			return err
		}
		base := 0.0
		for _, w := range workers {
			u, err := p.run(os.Stderr, source, out, w, "--progress", "none")
			if err != nil {
				return err
			}
			rate := float64(n) / u.elapsed
			if base == 0 {
				base = rate
			}
			fmt.Printf("%9d %8d %9.1f %8.0f %8.2f %8d\n", n, w, u.elapsed, rate, rate/base, u.megabytes)
			if err := os.RemoveAll(out); err != nil {
				return err
			}
		}
		if err := os.Remove(source); err != nil {
			return err
		}
	}
	return nil
}
