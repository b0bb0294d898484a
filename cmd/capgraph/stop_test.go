package main

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestStopPolicies: a command that resumes, and a training once it began, get time to end.
func TestStopPolicies(t *testing.T) {
	begun := &trainCommand{}
	begun.training.Store(true)
	for _, c := range []struct {
		command any
		within  time.Duration
		want    string
	}{
		{&runCommand{}, grace, errStopped.Error()},
		{&trainCommand{}, grace, "stopped before the training began"},
		{begun, math.MaxInt64, "run the same command again to resume"},
		{&exportCommand{}, shortGrace, "stopped before the end"},
		{&joinCommand{}, shortGrace, "the same command begins anew"},
		{&parseCommand{}, shortGrace, "stopped before the end of standard input"},
	} {
		if within, err := stopPolicy(c.command); within != c.within || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%T: %v, %v", c.command, within, err)
		}
	}
}

// Commands that keep nothing end soon when they are told to stop, and say what is true.
func TestStoppedSoon(t *testing.T) {
	dir := workplace(t)
	must(t, program(dir, "run"))
	texts, err := filepath.Glob(filepath.Join(dir, "run", "texts", "*.parquet"))
	if err != nil || len(texts) == 0 {
		t.Fatal(texts, err)
	}
	pipe := filepath.Join(dir, "pipe")
	if err := os.WriteFile(pipe, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	unblock := []func(){blocked(t, pipe), blocked(t, texts[0])}
	defer unblock[0]()
	defer unblock[1]()
	for _, c := range []struct{ command, output, want string }{
		{"parse", "", "stopped before the end of standard input"},
		{"eval graphs --gold pipe", "", "stopped before the end; nothing that was measured is kept"},
		{"eval negatives run --captions pipe", "", "stopped before the end; nothing that was measured is kept"},
		{"export run --to jsonl -o OUT", "x.jsonl", "x.jsonl was not written"},
		{"draw run --epoch 0 -o OUT", "epoch.parquet", "epoch.parquet was not written"},
		{"report run -o OUT", "report.html", "report.html was not written"},
	} {
		for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			output := filepath.Join(t.TempDir(), c.output)
			cmd := exec.Command("capgraph", strings.Fields(strings.ReplaceAll(c.command, "OUT", output))...)
			cmd.Dir = dir
			var said bytes.Buffer
			cmd.Stderr = &said
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer cmd.Process.Kill()
			switch {
			case c.output != "":
				awaitTemporary(t, cmd, filepath.Dir(output))
			case strings.Contains(c.command, "pipe"): // opens once the command does
				w, err := os.OpenFile(pipe, os.O_WRONLY, 0)
				if err != nil {
					t.Fatal(err)
				}
				defer w.Close()
			default: // is sure to listen once it takes more than a pipe holds
				if _, err := in.Write(bytes.Repeat([]byte("a dog\n"), 20_000)); err != nil {
					t.Fatal(err)
				}
			}
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			cmd.Wait()
			if cmd.ProcessState.ExitCode() != exitFailed || !strings.Contains(said.String(), c.want) {
				t.Errorf("%s, %v: %v: it says %q, want %q", c.command, sig, cmd.ProcessState, said.String(), c.want)
			}
			if _, err := os.Stat(output); c.output != "" && err == nil {
				t.Errorf("%s: %s is there", c.command, output)
			}
		}
	}
}

// TestTerminatedWhileARecipeIsRead ends commands by SIGTERM while they wait for their recipe.
func TestTerminatedWhileARecipeIsRead(t *testing.T) {
	dir := t.TempDir()
	type started struct {
		cmd  *exec.Cmd
		said *bytes.Buffer
		want string
	}
	var all []started
	for name, want := range map[string]string{"train": "stopped before the training began", "run": errStopped.Error(), "plan": "stopped before the end"} {
		recipe := filepath.Join(dir, name+".yaml")
		if err := syscall.Mkfifo(recipe, 0o600); err != nil {
			t.Skip(err)
		}
		s := started{exec.Command("capgraph", name, recipe), &bytes.Buffer{}, want}
		s.cmd.Stderr = s.said
		if err := s.cmd.Start(); err != nil {
			t.Fatal(err)
		}
		defer s.cmd.Process.Kill()
		w, err := os.OpenFile(recipe, os.O_WRONLY, 0) // opens once the command does
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	for _, s := range all {
		s.cmd.Wait()
		if s.cmd.ProcessState.ExitCode() != exitFailed || !strings.Contains(s.said.String(), s.want) {
			t.Errorf("%v: %v: it says %q, want %q", s.cmd.Args, s.cmd.ProcessState, s.said.String(), s.want)
		}
	}
}
